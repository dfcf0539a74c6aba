/** @file simulator.h
 *  The simulator that a mapper uses.  The caller of mapper_run() passes it, because mappers know no
 *  engines.  A trial is a mapping with limits of its simulation; many trials run in parallel.
 *
 *  A simulation passes MAPPER_POINTS points.  It passes point k, from 0, when each rank has
 *  executed the share 2^(k + 1 - MAPPER_POINTS) of its operations in the trace.  The last point is
 *  the end.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"

#define MAPPER_POINTS 9

struct mapper_trial {
  const uint32_t *host;           /**< by rank; not owned */
  uint32_t stop;                  /**< the simulation ends at this point */
  double limit_s[MAPPER_POINTS];  /**< by point: the simulation ends at this time if it has not
                                       passed the point */
  double passed_s[MAPPER_POINTS]; /**< output, by point: simulated time; INFINITY: not reached */
};

struct mapper_simulator {
  void *data;
  uint64_t iterations; /**< of the main loop of the program; 1 if it has none */
  /** Simulates @p trials mappings, up to @p threads of them in parallel.  The number of threads
   *  changes no result.  Fails if a mapping cannot be simulated. */
  enum status (*run)(void *data, struct mapper_trial *trial, uint32_t trials, uint32_t threads,
                     struct err *e);
};
