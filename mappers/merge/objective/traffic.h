/** @file traffic.h
 *  The traffic within a pair of groups to be merged, as lists from which link loads are computed: a
 *  list for each axis, in which flows that load the same links of that axis are united.
 *
 *  Under dimension-order routing a flow's links along axis d depend only on the coordinates of its
 *  source on axes d and above, and of its destination on axes up to d.  The patterns of the groups
 *  determine which axes of the groups these are; each set of axes has its own list.  Uniting
 *  shrinks dense traffic: between two cubes of side k, from k^6 flows to k^4.  Sparse traffic is
 *  one list of all flows.
 */
#pragma once

#include "mappers/merge/case.h"
#include "mappers/merge/objective/flows.h"

struct merge_traffic;

/** Makes scratch for one pair at a time.  The caller frees it with merge_traffic_free().  NULL with
 *  @p e filled on failure. */
struct merge_traffic *merge_traffic_new(struct err *e);

/** Accepts NULL. */
void merge_traffic_free(struct merge_traffic *t);

/** Reads the traffic of a pair.  Unites flows only if @p c is exact and uniting at least halves
 *  their number. */
enum status merge_traffic_read(struct merge_traffic *t, const struct merge_case *c,
                               const struct merge_grid *g, const struct merge_pair *p,
                               struct err *e);

/** True if the tasks of the two groups exchange no bytes. */
bool merge_traffic_silent(const struct merge_traffic *t);

/** Flows from half @p from to half @p to of the merged group that may use links of axis @p d, if
 *  the halves' axes are permuted by @p from_axes and @p to_axes (`from` of their patterns).  The
 *  cells of a united flow stand for all cells whose flows load the same links of the axis. */
const struct merge_flows *merge_traffic_along(const struct merge_traffic *t, int from, int to,
                                              uint32_t d, const uint8_t *from_axes,
                                              const uint8_t *to_axes);
