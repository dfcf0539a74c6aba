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

/** In the order of the ranks, puts each rank that has a node on the core of the node with the
 *  fewest ranks, the lowest of equal ones. */
enum status binding_settle(struct mapping *m, const struct platform *p, struct err *e);

/** Applies Open MPI's SLOTS to a node found by binding_find(): core 3 for "3", "3-5" or "3,4", core
 *  I of package S for "S:I", the core with processing unit N for "pN".  "*" leaves the choice to
 *  binding_settle().  Leaves other hosts as they are.  The caller has checked the syntax of
 *  @p slots. */
enum status binding_slots(const struct platform *p, const char *slots, uint32_t *host,
                          struct err *e);

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
