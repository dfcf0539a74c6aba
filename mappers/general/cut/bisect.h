/** @file bisect.h
 *  Dual recursive bisection: tasks and machine are halved together, level by level.  Each cut takes
 *  into account the regions of all other tasks so far (after Pellegrini, "Static mapping by dual
 *  recursive bipartitioning of process and architecture graphs", 1994).
 */
#ifndef MAPPERS_GENERAL_CUT_BISECT_H
#define MAPPERS_GENERAL_CUT_BISECT_H

#include "mappers/general/placement.h"

struct structure;

struct bisect_plan {
  uint32_t tries; /**< first cuts of the smallest graph of each bisection */
  uint64_t seed;
  const struct structure *structure; /**< halve the tasks by these coordinates; NULL: by cuts of the
                                          graph */
};

/** Improves a placement, or leaves it unchanged.  If distances are latencies, tries two ways to
 *  split clusters, as either may be better: near the middle, and at the largest distance.  O(arcs
 *  log tasks log slots). */
enum status bisect_map(struct placement *p, const struct bisect_plan *plan, struct err *e);

#endif
