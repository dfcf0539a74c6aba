/** @file polish.h
 *  Simulated annealing of the tasks' addresses in a hypercube.  An arc misses if it has more than
 *  one hop.  A move takes a task that has arcs that miss, and exchanges it with the task at an
 *  address next to one of its partners.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "mappers/graph.h"
#include "mappers/hcube/relabel.h"

struct polish {
  const struct graph *graph; /**< of 2^bits tasks */
  uint32_t bits;
  /** Loss of an arc of weight 1, by its hops; 0 for 1 hop.  The unit of weight is the mean, over
   *  all bytes, of the weight of the byte's arc. */
  double loss[RELABEL_MAX_BITS + 1];
  double hot;     /**< first temperature, in units of loss */
  double cold;    /**< last temperature, relative to the mean weight of all arcs */
  uint64_t moves; /**< number of moves tried */
  uint64_t seed, stream;
};

/** Improves @p address, a permutation: the address of each task.  Ends early if no arc has more
 *  than one hop. */
enum status polish_run(const struct polish *p, uint32_t *address, struct err *e);
