/** @file lane.h
 *  Loads of all links along one axis of a box under dimension-order routing, computed from
 *  differences: a flow adds its bytes where it enters the links of the axis and subtracts them
 *  where it leaves.  A prefix sum along each line then gives the loads.
 *
 *  Loads are doubled bytes, {up, down} x cells.  Link i of a line joins places i and i + 1; the
 *  last link of a ring joins its end and its start.  If both directions of a ring are equally long,
 *  each carries half of the bytes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "mappers/merge/objective/flows.h"

/** A flow uses the links from place from[src] + to[dst] + shift to place from_next[src] +
 *  to_next[dst] + shift_next.  Its line starts at from_next[src] + to[dst] + the smaller shift. */
struct merge_lane {
  const uint32_t *from, *from_next, *to, *to_next; /**< by cell; not owned */
  uint32_t shift, shift_next;
  uint32_t stride, length; /**< distance of neighbouring places of a line; places of a line */
  bool ring;
  uint32_t cells; /**< of the box */
};

/** Adds differences to load[].  Time: linear in the flows. */
void merge_lane_add(const struct merge_lane *l, const struct merge_flows *f, uint64_t *load);

/** Turns the differences in load[] into loads.  Time: linear in the cells. */
void merge_lane_sum(const struct merge_lane *l, uint64_t *load);
