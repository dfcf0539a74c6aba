/** @file binding.h
 *  The cores of the ranks, for formats that name nodes.  On platforms without an inside, nodes are
 *  hosts and there is nothing to bind.  For platforms/mapping/ only.
 */
#ifndef PLATFORMS_MAPPING_BINDING_H
#define PLATFORMS_MAPPING_BINDING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"

/** Finds a host by name, or a node: then *host is platform_hosts() + the number of the node, until
 *  binding_settle(). */
bool binding_find(const struct platform *p, const char *name, uint32_t *host);

/** Puts each rank on a node on the core with the least ranks of its node, the lowest of equal ones,
 *  in the order of the ranks. */
enum status binding_settle(struct mapping *m, const struct platform *p, struct err *e);

/** Applies Open MPI's SLOTS to a node found by binding_find(): the first core of "3", "3-5" or
 *  "3,4", core I of package S of "S:I", the core with processing unit N of "pN"; "*" leaves any
 *  core.  Nothing to do for other hosts.  @p slots must have passed the check of its syntax. */
enum status binding_slots(const struct platform *p, const char *slots, uint32_t *host,
                          struct err *e);

/** Makes the mapping to nodes.  The caller frees *out with mapping_clear(). */
enum status binding_nodes(struct mapping *out, const struct mapping *m, const struct platform *p,
                          struct err *e);

/** Fails if rank i of one node, in the order of the ranks, has another core than rank i of another
 *  node: launchers take one list for all nodes. */
enum status binding_check(const struct mapping *m, const struct platform *p, struct err *e);

/** Writes PREFIX and the processing unit of each rank of a node, between commas, as a line. Nothing
 *  without an inside. */
enum status binding_write(const struct mapping *m, const struct platform *p, const char *prefix,
                          FILE *f, struct err *e);

#endif
