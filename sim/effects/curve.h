/** @file curve.h
 *  A measured value as a function of a number of ranks or flows, as "1:5GBps,2:8.4GBps,4:8.5GBps":
 *  linear between the points, constant below the first and above the last.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"

enum { CURVE_MOST = 32 };

/** Zeroed: no curve. */
struct curve {
  uint32_t count;
  struct curve_point {
    double at, value;  /**< value > 0 */
  } point[CURVE_MOST]; /**< rising `at` */
};

/** Unit of the values of a curve. */
enum curve_unit { CURVE_BANDWIDTH /**< byte/s */, CURVE_SHARE /**< in (0, 1] */ };

/** Parses the points.  Their numbers must rise and be at most 2^24.  On failure @p out is
 *  unchanged. */
enum status curve_parse(struct curve *out, const char *text, enum curve_unit unit, struct err *e);

/** The value at @p x of a curve with at least one point.  O(points). */
double curve_at(const struct curve *c, double x);
