/** @file loads.h
 *  Turns measurements of a loaded network, beside ping-pongs, into effects of a simulation
 *  (sim/effects/effects.h): messages in a row, both ways at once, to several partners, within a
 *  host, and beside computations.
 */
#pragma once

#include <stddef.h>

#include "common/err.h"
#include "platforms/calibrated.h"
#include "predict/calibrate/calibration.h"
#include "predict/calibrate/measurements.h"
#include "sim/effects/effects.h"

enum { LOADS_TEXT = 256 };

/** Median time of the largest messages of a test. */
struct loads_point {
  double size, seconds; /**< seconds 0: the test has no samples */
  double error;         /**< relative standard error of the median */
};

struct loads_fit {
  struct loads_point stream, exchange, first, ring, pairs, within, all_within, busy;
  char effect[4][LOADS_TEXT]; /**< specs */
  size_t effects;
  double covered; /**< largest message in bytes that the fit covers, set by loads_extend(); 0: the
                     largest message of the ping-pong */
};

/** Reads the points of the tests from @p m, whose samples it sorts. */
enum status loads_measure(struct loads_fit *out, struct measurements *m, struct err *e);

/** Extends the factors of @p c to the messages in a row of @p l, if these are larger than the
 *  messages of the ping-pong and their time differs from the time that @p c gives.  A faster stream
 *  raises the bandwidth of @p c, unless it is given (@p nominal). */
void loads_extend(struct loads_fit *l, struct calibration *c, bool nominal);

/** The messages that the fit covers, after loads_extend(): from the smallest of @p sizes measured
 *  sizes of the ping-pong to the largest, or to the messages in a row. */
struct calibrated loads_range(const struct loads_fit *l, const struct measured *size, size_t sizes);

/** Writes the tests without samples to @p text, of LOADS_TEXT bytes, and returns it: "-" if all
 *  were measured. */
const char *loads_missing(const struct loads_fit *l, char *text);

/** Makes the effects.  @p busy is the number of ranks that computed on a host during test
 *  stream-busy. */
void loads_set_effects(struct loads_fit *l, const struct calibration *c, uint32_t busy);
