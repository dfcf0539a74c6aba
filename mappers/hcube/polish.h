/** @file polish.h
 *  Simulated annealing of the tasks' addresses in a hypercube.  An arc misses if it has more than
 *  one hop.  A move takes a task with arcs that miss, puts it next to one of its partners, and puts
 *  the task from there in its place.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "mappers/graph.h"
#include "mappers/hcube/relabel.h"

struct polish {
  const struct graph *graph; /**< of 2^bits tasks */
  uint32_t bits;
  double loss[RELABEL_MAX_BITS + 1]; /**< loss by hops, 0 for 1 hop; multiplied by the arc's weight.
                                          The unit of weight is the mean over all bytes of the
                                          weight of their arc */
  double hot;                        /**< first temperature, in units of loss */
  double cold;                       /**< last temperature; multiplied by the mean weight */
  uint64_t moves;                    /**< number of moves tried */
  uint64_t seed, stream;
};

/** Changes @p address, a permutation that has the address of each task.  Ends early if no arc has
 *  more than one hop. */
enum status polish_run(const struct polish *p, uint32_t *address, struct err *e);
