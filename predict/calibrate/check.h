/** @file check.h
 *  Messages that were measured, simulated one size at a time on a platform, by its factors: how far
 *  is a simulation from what it was calibrated with, or from other measurements?
 */
#ifndef PREDICT_CALIBRATE_CHECK_H
#define PREDICT_CALIBRATE_CHECK_H

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "predict/calibrate/calibration.h"
#include "predict/calibrate/measurements.h"

/** Simulates a message from host 0 to host 1 of @p p and back with engine flow and model smpi, for
 *  each of @p n sizes; @p seconds gets half of the time. */
enum status check_simulate(double *seconds, const struct measured *size, size_t n,
                           const struct platform *p, struct err *e);

/** How @p n simulated times compare with the measured ones. */
struct check {
  double error_mean, error_max; /**< relative to the measured times, of their absolute values */
  double within_spread;         /**< share of the sizes from their 5 % to their 95 % quantile */
  double within_quartiles;      /**< the same from 25 % to 75 % */
};

struct check check_compare(const double *seconds, const struct measured *size, size_t n);

/** Writes the table of sizes; @p fit NULL: without what was fitted. */
void check_print(const double *seconds, const struct measured *size, size_t n,
                 const struct calibration *fit, FILE *f);

#endif
