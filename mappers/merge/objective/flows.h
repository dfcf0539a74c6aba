/** @file flows.h
 *  The messages within a pair of groups to be merged, as bytes between cells of their boxes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/merge/grid.h"
#include "mappers/merge/select.h"

struct merge_flow {
  uint32_t src, dst; /**< cells, each in the box of its group */
  uint64_t bytes;    /**< above 0 */
};

/** A list that keeps its capacity when it is emptied (count = 0). */
struct merge_flows {
  size_t count, capacity;
  struct merge_flow *flow; /**< owned: free() */
};

/** Appends the flows from @p unit to other units of the pair: flows to the first group to out[0],
 *  flows to the second group to out[1].  Time: the minimum of the unit's entries and of the number
 *  of units in the pair times the logarithm of the entries. */
enum status merge_flows_row(const struct merge_grid *g, const struct merge_pair *p, uint32_t unit,
                            struct merge_flows *out, struct err *e);

/** Upper bound of the number of flows within the pair. */
size_t merge_flows_bound(const struct merge_grid *g, const struct merge_pair *p);
