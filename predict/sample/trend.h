/** @file trend.h
 *  Forecasts a program whose iterations change smoothly, such as a factorisation, from groups of
 *  iterations that are spread over the run: the first third of each group, in which the ranks get
 *  back in step, is left out, and the mean times of the groups are interpolated by cubics.
 */
#pragma once

#include "predict/sample/forecast.h"

/** Adds the time of the skipped iterations to out->time_s, which on entry is the time of the
 *  simulated iterations, and sets the other fields. */
enum status trend_forecast(const struct sample_plan *plan, const struct sample_mark *mark,
                           size_t count, struct forecast *out, struct err *e);
