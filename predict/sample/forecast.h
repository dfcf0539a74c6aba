/** @file forecast.h
 *  Extrapolates the times of a sample of iterations to the time of the whole run, with an interval.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "predict/sample/sampler.h"
#include "predict/settle.h"

struct forecast {
  double time_s;      /**< time of the whole run */
  double half_s;      /**< half the width of its 95 % interval; NAN: too few iterations */
  double iteration_s; /**< settled mean time of an iteration */
  uint64_t simulated; /**< simulated iterations */
  uint64_t iterations;
  uint64_t settled_from; /**< first iteration that counts for the mean */
};

/** The settled mean of the lengths of @p count periods, at least 1, and its error. */
struct settled forecast_mean(const struct sample_plan *plan, const double *length, size_t count);

/** Forecasts from @p count marks of a run of plan @p plan that ended after @p end_s seconds,
 * without the time that skipped iterations took. */
enum status forecast_run(const struct sample_plan *plan, const struct sample_mark *mark,
                         size_t count, double end_s, struct forecast *out, struct err *e);
