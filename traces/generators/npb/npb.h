/** @file npb.h
 *  The NAS Parallel Benchmarks 3.4 (MPI) as generators: specs npb:BENCH.CLASS.RANKS[@ITERATIONS].
 *  Each benchmark is a file NAME.c and a row of the list in npb.c.  It emits the MPI calls of NPB's
 *  code with their sizes, including set-up, warm-up and verification.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "traces/generators/generator.h"

enum npb_class { NPB_S, NPB_W, NPB_A, NPB_B, NPB_C, NPB_D, NPB_E, NPB_F, NPB_CLASSES };

/** A valid spec: the benchmark has the class and uses all ranks. */
struct npb_job {
  enum npb_class class;
  uint32_t ranks;
  uint32_t iterations; /**< of the main loop, at least 1; by default the number of the class */
};

struct npb_benchmark {
  const char *name;
  const char *help;                 /**< one line */
  uint32_t iterations[NPB_CLASSES]; /**< of the main loop; 0: the benchmark lacks this class */
  /** Number of ranks that the benchmark uses if started on @p ranks (at least 1); 0 if it fails. */
  uint32_t (*ranks_used)(enum npb_class class, uint32_t ranks);
  size_t bytes; /**< size of its struct, which begins with a struct generator */
  /** Fills in the zeroed struct of a job.  Ranks and iterations are set, and head, loop and tail
   *  are 1. */
  enum status (*init)(struct generator *g, const struct npb_job *job, struct err *e);
  /** Factor on the memory traffic if a rank has @p cache bytes of cache; 1 if its data fit.  NULL:
   *  no model of the cache. */
  double (*traffic)(const struct generator *g, double cache);
};

/** All benchmarks, as struct npb_benchmark. */
extern const struct registry npb_benchmarks;

/** A ranks_used() of struct npb_benchmark: the largest power of two up to @p ranks. */
uint32_t npb_power_of_two(enum npb_class class, uint32_t ranks);

/** Exponent of the largest power of two up to @p n; n > 0. */
static inline uint32_t npb_log2(uint32_t n)
{
  return 31u - (uint32_t)__builtin_clz(n);
}
