/** @file sampler.h
 *  Simulates a few iterations of a program's main loop and leaves out the others: a follower of
 *  the loop (struct replay_loop) notes when ranks begin iterations, and has all of them leave out
 *  the same.  What is left out may take time, so that what changes with time besides the program is
 *  sampled all over the run.  What the times mean: forecast.h.
 */
#ifndef PREDICT_SAMPLE_SAMPLER_H
#define PREDICT_SAMPLE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/replay/replay.h"

struct sample_plan {
  uint32_t ranks;
  uint64_t iterations; /**< of the main loop */
  uint64_t period;     /**< iterations after which they are alike, at least 1 */
  bool last_differs;   /**< the last one is simulated besides */
  uint64_t most;       /**< iterations to simulate at most, at least one period */
  uint32_t groups;     /**< that they are divided into, at least 1; if more than 1, what is left
                            out takes time */
  double precision_s;  /**< of dates: see struct engine_config */
};

/** Where the ranks were when they began an iteration. */
struct sample_mark {
  uint64_t iteration; /**< from 1; one past the last one: the end of the loop */
  uint32_t passed;    /**< ranks */
  uint64_t to;        /**< what follows is left out up to this iteration; 0: nothing is */
  double sleep_s;     /**< that it takes */
  double last_s; /**< when the last rank was there, and the mean over ranks; both without the */
  double mean_s; /**< time that was slept before */
};

struct sampler;

/** On success *out is the caller's: sampler_free(). */
enum status sampler_new(struct sampler **out, const struct sample_plan *plan, struct err *e);

/** Accepts NULL. */
void sampler_free(struct sampler *s);

/** Valid as long as @p s. */
const struct replay_loop *sampler_loop(const struct sampler *s);

/** What was noted, in the order of iterations; *count marks. */
const struct sample_mark *sampler_marks(const struct sampler *s, size_t *count);

/** Seconds that each rank has slept in place of what was left out. */
double sampler_slept(const struct sampler *s);

#endif
