/** @file bisect.h
 *  Dual recursive bisection: tasks and machine are halved together, level by level, and each cut
 *  knows where the other tasks are so far (after Pellegrini, "Static mapping by dual recursive
 *  bipartitioning of process and architecture graphs", 1994).
 */
#ifndef MAPPERS_GENERAL_BISECT_H
#define MAPPERS_GENERAL_BISECT_H

#include "mappers/general/placement.h"

struct structure;

struct bisect_plan {
  uint32_t tries; /**< first cuts of each half's smallest graph */
  uint64_t seed;
  const struct structure *structure; /**< the tasks are halved by these coordinates; NULL: by cuts
                                          of the graph */
};

/** Improves a placement, if that is found.  Where distances are latencies, clusters are cut off
 *  both from the middle and where they are farthest apart, as either may be better.  O(arcs log
 *  tasks log slots). */
enum status bisect_map(struct placement *p, const struct bisect_plan *plan, struct err *e);

#endif
