/** @file simulator.h
 *  The simulator that a mapper uses.  The caller of mapper_run() passes it, because mappers know no
 *  engines.  A trial is a mapping with limits of its simulation; many trials run in parallel.
 *
 *  A simulation passes MAPPER_POINTS points.  The last one is its end.  Each earlier point is after
 *  2^i iterations of the main loop; with i < 0 it is within the first iteration.  A program without
 *  a main loop, or with iterations that become shorter (Linpack), counts as one iteration.  A
 *  simulation passes a point when each rank has executed that part of its operations.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

#define MAPPER_POINTS 16

/** The last point: the end. */
#define MAPPER_END (MAPPER_POINTS - 1)

struct mapper_trial {
  const uint32_t *host;           /**< by rank; not owned */
  uint32_t stop;                  /**< the simulation ends at this point */
  double limit_s[MAPPER_POINTS];  /**< by point: the simulation ends at this time if it has not
                                       passed the point */
  double passed_s[MAPPER_POINTS]; /**< output, by point: simulated time; INFINITY: not reached */
};

/** Time that a pair of ranks costs under a mapping. */
struct mapper_blame {
  uint32_t src, dst;
  double seconds; /**< of the critical path: the time of the messages from src to dst on it, and the
                       time that it loses because of these messages */
};

struct mapper_simulator {
  void *data;
  uint64_t iterations; /**< of the main loop of the program; 1 if it counts as one */
  bool asks_hosts;     /**< the operations depend on which ranks share a host: points within an
                            iteration are not alike for mappings in which other ranks do */
  /** Simulates @p trials mappings, up to @p threads of them in parallel.  The number of threads
   *  changes no result.  Fails if a mapping cannot be simulated. */
  enum status (*run)(void *data, struct mapper_trial *trial, uint32_t trials, uint32_t threads,
                     struct err *e);
  /** Simulates the mapping @p host (by rank) to the end, and attributes its time to pairs of ranks
   *  (sim/explain/path.h).  The caller frees *out.  It takes up to twice the time of a simulation.
   *  NULL: the engine, the platform or the trace allows no attribution. */
  enum status (*blame)(void *data, const uint32_t *host, struct mapper_blame **out, size_t *count,
                       struct err *e);
};

/** The iterations before a point. */
static inline double mapper_iterations(const struct mapper_simulator *s, uint32_t point)
{
  const double all = (double)s->iterations;
  return point == MAPPER_END ? all : exp2(ceil(log2(all)) + (double)point - MAPPER_END);
}

/** The share of a simulation before a point. */
static inline double mapper_share(const struct mapper_simulator *s, uint32_t point)
{
  return mapper_iterations(s, point) / (double)s->iterations;
}
