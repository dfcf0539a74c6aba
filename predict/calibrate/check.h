/** @file check.h
 *  Simulates measured messages on a platform with its factors, one size at a time, to compare the
 *  simulation with the measurements used for calibration, or with others.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "predict/calibrate/calibration.h"
#include "predict/calibrate/measurements.h"

/** Simulates a message from host 0 to host 1 of @p p and back with engine flow and model smpi, for
 *  each of @p n sizes.  @p seconds receives half of each time. */
enum status check_simulate(double *seconds, const struct measured *size, size_t n,
                           const struct platform *p, struct err *e);

/** Comparison of @p n simulated times with the measured ones. */
struct check {
  double error_mean, error_max; /**< mean and maximum of the absolute errors, relative to the
                                     measured times */
  double within_spread;         /**< share of sizes simulated between their 5 % and 95 %
                                     quantiles */
  double within_quartiles;      /**< share of sizes simulated between their 25 % and 75 %
                                     quantiles */
};

struct check check_compare(const double *seconds, const struct measured *size, size_t n);

/** Writes the table of sizes, without fitted times if @p fit is NULL. */
void check_print(const double *seconds, const struct measured *size, size_t n,
                 const struct calibration *fit, FILE *f);
