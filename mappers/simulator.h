/** @file simulator.h
 *  What simulates for a mapper: the caller of mapper_run() hands it over, since mappers know no
 *  engines.  A trial is one mapping and how long it may run; many are simulated at once.
 *
 *  A simulation passes points on its way, each when all ranks have done their share of what they do
 *  in the whole trace: point k, from 0, is 2^(k + 1 - MAPPER_POINTS) of it, the last one the end.
 */
#ifndef MAPPERS_SIMULATOR_H
#define MAPPERS_SIMULATOR_H

#include <stdint.h>

#include "common/err.h"

#define MAPPER_POINTS 9

struct mapper_trial {
  const uint32_t *host;           /**< by rank; the caller's */
  uint32_t stop;                  /**< it ends at this point */
  double limit_s[MAPPER_POINTS];  /**< or at this simulated time, if it has not passed the point */
  double passed_s[MAPPER_POINTS]; /**< out: simulated time at each point; INFINITY: not reached */
};

struct mapper_simulator {
  void *data;
  /** Simulates @p trials mappings, up to @p threads at a time, which changes no result.  Fails if
   *  one of them cannot be simulated. */
  enum status (*run)(void *data, struct mapper_trial *trial, uint32_t trials, uint32_t threads,
                     struct err *e);
};

#endif
