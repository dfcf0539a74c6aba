/** @file placement.h
 *  A placement of a graph on a machine: the slot of each task, and its cost.
 */
#pragma once

#include <stdbool.h>

#include "mappers/general/target.h"
#include "mappers/graph.h"

struct placement {
  const struct graph *g;
  const struct target *m; /**< has a slot for each task */
  uint32_t *slot;         /**< by task, all different */
  uint64_t hops; /**< sum over the edges of weight times target_hops(); UINT64_MAX: no slots yet */
  bool settled;  /**< the slots come from a structure that annealing cannot improve */
  bool structured; /**< the graph has a structure (recognise/structure.h), which gave slots */
};

/** The sum `hops` for other slots. */
uint64_t placement_hops(const struct placement *p, const uint32_t *slot);

/** Replaces the slots if the new ones have a smaller sum. */
void placement_improve(struct placement *p, const uint32_t *slot);
