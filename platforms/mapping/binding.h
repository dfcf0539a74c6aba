/** @file binding.h
 *  The cores of the ranks, for formats that name nodes.  On platforms without an inside, nodes are
 *  hosts and there is nothing to bind.  For platforms/mapping/ only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"

/** Finds a host by name, or a node: then *host is platform_hosts() + the number of the node, which
 *  binding_settle() replaces by a core. */
bool binding_find(const struct platform *p, const char *name, uint32_t *host);

/** Some cores of the node of a rank. */
struct binding_choice {
  uint32_t rank;
  bool *core; /**< by core of the node; owned */
};

/** Ranks that may run on some cores of their nodes.  Empty if zeroed. */
struct binding_choices {
  struct binding_choice *choice;
  size_t count, room;
};

void binding_clear(struct binding_choices *c);

/** Puts each rank that has a node on the core of the node with the fewest ranks, the lowest of
 *  equal ones: first the ranks of @p choices on one of their cores, then the others in their order.
 */
enum status binding_settle(struct mapping *m, const struct platform *p,
                           const struct binding_choices *choices, struct err *e);

/** Applies Open MPI's SLOTS of @p rank to a node found by binding_find().  "0-2,4" are cores of the
 *  node, "0:1,3;1:0" and "0:*" cores of packages, "s1" all cores of a package; "p" before numbers
 *  of cores: the cores with these processing units.  A single core replaces *host; for several
 *  ones a choice is added, and "*" or all cores leave the choice to binding_settle().  Leaves other
 *  hosts as they are. */
enum status binding_slots(const struct platform *p, const char *slots, uint32_t rank,
                          uint32_t *host, struct binding_choices *choices, struct err *e);

/** Makes the mapping of the ranks to nodes.  The caller frees *out with mapping_clear(). */
enum status binding_nodes(struct mapping *out, const struct mapping *m, const struct platform *p,
                          struct err *e);

/** Fails if the i-th ranks of two nodes have different cores: launchers take one list of cores for
 *  all nodes. */
enum status binding_check(const struct mapping *m, const struct platform *p, struct err *e);

/** Writes a line of @p prefix and the processing units of the ranks of a node, with commas between
 *  them.  Writes nothing without an inside. */
enum status binding_write(const struct mapping *m, const struct platform *p, const char *prefix,
                          FILE *f, struct err *e);
