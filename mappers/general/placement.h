/** @file placement.h
 *  A graph on a machine: the slot of each task, and what that costs.
 */
#ifndef MAPPERS_GENERAL_PLACEMENT_H
#define MAPPERS_GENERAL_PLACEMENT_H

#include <stdbool.h>

#include "mappers/general/graph.h"
#include "mappers/general/target.h"

struct placement {
  const struct graph *g;
  const struct target *m; /**< has a slot for each task */
  uint32_t *slot;         /**< by task, no two alike */
  uint64_t
      hops;     /**< sum of weights times target_hops(), each edge once; UINT64_MAX: no slots yet */
  bool settled; /**< the slots are of a structure in which annealing finds nothing */
};

/** That sum for other slots. */
uint64_t placement_hops(const struct placement *p, const uint32_t *slot);

/** Takes these slots if their sum is less. */
void placement_improve(struct placement *p, const uint32_t *slot);

#endif
