/** @file segments.h
 *  Piecewise linear regression: points by rising x are cut into segments, each with its own line.
 *  The number and positions of the cuts are found by dynamic programming over all cuts with the
 *  Bayesian information criterion (Bai and Perron, Journal of Applied Econometrics 18, 2003).
 *  Errors are relative to y, because times span many orders of magnitude.
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

/** Upper limits of points and segments; fewest points of a segment. */
enum { SEGMENTS_POINTS = 4096, SEGMENTS_MOST = 32, SEGMENTS_FEWEST = 3 };

struct segments_point {
  double x, y;  /**< x >= 0, y > 0 */
  double error; /**< expected relative standard error of y; NAN: unknown */
};

/** A line over points first..end - 1. */
struct segment {
  size_t first, end;
  double at_zero, slope; /**< both > 0 */
  double error;          /**< root of the mean square relative error */
};

/** Cuts @p n points, x rising, into at most @p most segments of at least SEGMENTS_FEWEST points
 *  each.  In each segment, at_zero is at least 1e-5 of the first y, and slope * x at the last x at
 *  least 1e-5 of the last y.  @p out has SEGMENTS_MOST entries.  Fails if @p n is not in
 *  [SEGMENTS_FEWEST, SEGMENTS_POINTS].  O(n^2 most). */
enum status segments_fit(struct segment *out, size_t *count, const struct segments_point *point,
                         size_t n, size_t most, struct err *e);
