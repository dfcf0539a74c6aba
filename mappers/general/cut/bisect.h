/** @file bisect.h
 *  Dual recursive bisection: tasks and machine are halved together, level by level.  The cost of a
 *  cut includes the distances to the regions that all other tasks have so far (after Pellegrini,
 *  "Static mapping by dual recursive bipartitioning of process and architecture graphs", 1994).
 */
#pragma once

#include "mappers/general/placement.h"

struct structure;

struct bisect_plan {
  uint32_t tries; /**< first cuts of each bisection (halve.h) */
  uint64_t seed;
  const struct structure *structure; /**< halve the tasks by these coordinates; NULL: by cuts of the
                                          graph */
};

/** Improves a placement, or leaves it unchanged.  If distances are latencies, tries both ways to
 *  split runs of groups (region.h), as either may be better.  O(arcs log tasks log slots). */
enum status bisect_map(struct placement *p, const struct bisect_plan *plan, struct err *e);
