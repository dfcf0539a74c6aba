/** @file repetition.h
 *  Private to traces/: a long repetition in a sequence of numbers.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** value[first..first+length-1] repeats with the period `period`: each value after the first period
 *  equals the value one period before it. */
struct repetition {
  size_t first, length, period; /**< period 0: no repetition */
};

/** Finds a long run of at least two whole periods.  Searches for periods in windows that have the
 *  length of the sequence, a half of it, a quarter, and so on (prefix function of Knuth, Morris and
 *  Pratt), until a run is as long as the window.  A run of 8 periods is found unless another run is
 *  at least a third as long.  O(n log n). */
enum status repetition_find(const uint64_t *value, size_t n, struct repetition *out, struct err *e);
