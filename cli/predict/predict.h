/** @file predict.h
 *  Private to the parts of `haichi predict`.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/report.h"
#include "predict/blocks/estimate.h"
#include "predict/sweep/space.h"
#include "setup/settings.h"

struct predict_args {
  const char *platform, *trace, *mapping, *series; /**< NULL: not given */
  uint64_t sample; /**< number of iterations to simulate; 0: not given */
  bool check;
  bool sweep;
  const char *mapper[SWEEP_MAPPERS]; /**< mappers of a sweep */
  size_t mappers;
  const char *output;                        /**< folder of a sweep; NULL: not given */
  uint32_t jobs;                             /**< number of parallel processes; 0: not given */
  const char *folder, *per_rank, *per_block; /**< DIR and its output files; NULL: not given */
  const struct estimate_method *method;      /**< method for blocks; NULL: the first one */
  struct settings settings;
  const struct report_format *format;
};

/** Number of iterations to simulate. */
static inline uint64_t predict_sample(const struct predict_args *a)
{
  return a->sample == 0 ? 10 : a->sample;
}

/** --trace: predicts from a few iterations.  @p blocked: see sim_run(). */
enum status predict_trace(const struct predict_args *a, const struct platform *p, FILE *blocked,
                          struct err *e);

/** --sweep: finds the best number of ranks, hosts and mapper. */
enum status predict_sweep(const struct predict_args *a, const struct platform *p, struct err *e);

/** DIR: predicts from the blocks that an instrumented program timed and counted. */
enum status predict_blocks(const struct predict_args *a, struct err *e);
