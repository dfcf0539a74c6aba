/** @file npb.h
 *  The NAS Parallel Benchmarks 3.4 (MPI) as generators: specs npb:BENCH.CLASS.RANKS[@ITERATIONS].
 *  Each benchmark is a file NAME.c, which emits the MPI calls of NPB's own code with the sizes
 *  computed there (set-up, warm-up and verification included), and a row of the table in npb.c.
 */
#ifndef TRACES_GENERATORS_NPB_NPB_H
#define TRACES_GENERATORS_NPB_NPB_H

#include <stdint.h>

#include "common/err.h"
#include "traces/generators/generator.h"

enum npb_class { NPB_S, NPB_W, NPB_A, NPB_B, NPB_C, NPB_D, NPB_E, NPB_F, NPB_CLASSES };

/** A spec, checked: the benchmark has the class and uses all of the ranks. */
struct npb_job {
  enum npb_class class;
  uint32_t ranks;
  uint32_t iterations; /**< of the main loop, at least 1; the class's unless the spec has others */
};

struct npb_benchmark {
  const char *name;
  const char *help;                 /**< one line */
  uint32_t iterations[NPB_CLASSES]; /**< of the main loop; 0: the benchmark has no such class */
  /** How many of @p ranks (at least 1) the benchmark uses; 0 if it refuses to run on them. */
  uint32_t (*ranks_used)(enum npb_class class, uint32_t ranks);
  /** Makes the generator of a job; closed by generator_close(). */
  enum status (*open)(struct generator **out, const struct npb_job *job, struct err *e);
};

/** Of struct npb_benchmark. */
extern const struct registry npb_benchmarks;

/** A rule for struct npb_benchmark: the largest power of two that is not above @p ranks. */
uint32_t npb_power_of_two(enum npb_class class, uint32_t ranks);

/** The exponent of the largest power of two that is not above @p n; n > 0. */
static inline uint32_t npb_log2(uint32_t n)
{
  return 31u - (uint32_t)__builtin_clz(n);
}

#endif
