/** @file forecast.h
 *  From the times of a sample of iterations to the time of the whole run, with its interval.
 */
#ifndef PREDICT_SAMPLE_FORECAST_H
#define PREDICT_SAMPLE_FORECAST_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "predict/sample/sampler.h"
#include "predict/settle.h"

struct forecast {
  double time_s;      /**< of the whole run */
  double half_s;      /**< of the width of its 95 % interval; NAN: too few iterations to tell */
  double iteration_s; /**< settled mean of an iteration */
  uint64_t simulated; /**< iterations */
  uint64_t iterations;
  uint64_t settled_from; /**< the first iteration that counts for the mean */
};

/** The settled mean of @p count lengths of periods, at least 1, and its error. */
struct settled forecast_mean(const struct sample_plan *plan, const double *length, size_t count);

/** Of @p count marks of a run of plan @p plan that ended after @p end_s seconds, without those
 *  slept. */
enum status forecast_run(const struct sample_plan *plan, const struct sample_mark *mark,
                         size_t count, double end_s, struct forecast *out, struct err *e);

#endif
