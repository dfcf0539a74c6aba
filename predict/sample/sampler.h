/** @file sampler.h
 *  Simulates a few iterations of a program's main loop and skips the others: a struct replay_loop
 *  notes when ranks begin iterations, and makes all ranks skip the same iterations.  Skipped
 *  iterations may take time, so that anything that changes with time besides the program is sampled
 *  over the whole run.  forecast.h interprets the times.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/replay/replay.h"

struct sample_plan {
  uint32_t ranks;
  uint64_t iterations; /**< of the main loop */
  uint64_t period;     /**< iterations after which the loop repeats itself, at least 1 */
  bool last_differs;   /**< the last iteration differs, and is simulated in addition */
  uint64_t most;       /**< upper limit of simulated iterations, at least one period */
  uint32_t groups;     /**< number of groups of simulated iterations, at least 1; if more than 1,
                            and without trend, skipped iterations take time */
  double precision_s;  /**< precision of dates, see struct engine_config */
  bool trend;          /**< the time of an iteration changes smoothly: the last group ends with the
                            last iteration, see trend.h */
};

/** The dates at which the ranks began an iteration. */
struct sample_mark {
  uint64_t iteration; /**< from 1; one past the last one: the end of the loop */
  uint32_t passed;    /**< number of ranks that have begun the iteration */
  uint64_t to;        /**< first iteration that is not skipped; 0: none is skipped */
  double sleep_s;     /**< time that skipped iterations take */
  double last_s;      /**< date of the last rank, without time slept before */
  double mean_s;      /**< mean date over the ranks, without time slept before */
};

struct sampler;

/** The caller frees *out with sampler_free(). */
enum status sampler_new(struct sampler **out, const struct sample_plan *plan, struct err *e);

/** Accepts NULL. */
void sampler_free(struct sampler *s);

/** The loop for sim_options.loop, valid as long as @p s. */
const struct replay_loop *sampler_loop(const struct sampler *s);

/** The marks in the order of iterations, and their number in *count. */
const struct sample_mark *sampler_marks(const struct sampler *s, size_t *count);

/** Seconds that each rank has slept in place of skipped iterations. */
double sampler_slept(const struct sampler *s);
