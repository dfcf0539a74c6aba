/** @file polish.h
 *  Simulated annealing of the tasks' addresses in a hypercube: a task that has arcs which miss
 *  moves beside one of its partners, and the task there takes its address.
 */
#ifndef MAPPERS_HCUBE_POLISH_H
#define MAPPERS_HCUBE_POLISH_H

#include <stdint.h>

#include "common/err.h"
#include "mappers/hcube/relabel.h"
#include "mappers/partners.h"

struct polish {
  const struct partners *graph; /**< of 2^bits tasks */
  uint32_t bits;
  double loss[RELABEL_MAX_BITS + 1]; /**< by hops, 0 for 1; times the arc's weight, whose unit is
                                          that of the arc in which the mean byte is */
  double hot;                        /**< first temperature, in units of loss */
  double cold;                       /**< last one; times the mean weight */
  uint64_t moves;                    /**< looked at */
  uint64_t seed, stream;
};

/** Changes @p address, of each task, a permutation.  Ends early once no arc has more than one hop.
 */
enum status polish_run(const struct polish *p, uint32_t *address, struct err *e);

#endif
