/** @file traffic.h
 *  The traffic within two groups that are to be merged, in the form from which loads of links are
 *  computed: a list for each axis, in which flows that load that axis alike are united.
 *
 *  Under dimension-order routing a flow's links along axis d depend on its source's coordinates
 *  from d on and on its destination's up to d.  Which axes of the groups these are depends on the
 *  patterns; for each set of them there is a list.  Dense traffic shrinks: between two cubes of
 *  side k, from k^6 flows to k^4.  Sparse traffic is one list of all flows.
 */
#ifndef MAPPERS_MERGE_OBJECTIVE_TRAFFIC_H
#define MAPPERS_MERGE_OBJECTIVE_TRAFFIC_H

#include "mappers/merge/case.h"
#include "mappers/merge/objective/flows.h"

struct merge_traffic;

/** Scratch that serves one pair after the other.  NULL with @p e filled on failure. */
struct merge_traffic *merge_traffic_new(struct err *e);

/** Accepts NULL. */
void merge_traffic_free(struct merge_traffic *t);

/** Reads the traffic of a pair.  Flows are united only if @p c is exact and that halves them. */
enum status merge_traffic_read(struct merge_traffic *t, const struct merge_case *c,
                               const struct merge_grid *g, const struct merge_pair *p,
                               struct err *e);

/** Do the groups' tasks exchange nothing at all? */
bool merge_traffic_silent(const struct merge_traffic *t);

/** Flows from half @p from to half @p to of the merged group that may load axis @p d, for these
 *  permutations of the halves' axes.  A cell stands for all that differ in other coordinates. */
const struct merge_flows *merge_traffic_along(const struct merge_traffic *t, int from, int to,
                                              uint32_t d, const uint8_t *from_axes,
                                              const uint8_t *to_axes);

#endif
