/** @file repetition.h
 *  Private to traces/: the longest repetition in a sequence of numbers.
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

/** Finds the longest run of at least two whole periods.  It searches for periods in windows that
 *  have the length of the sequence, a half of it, a quarter, and so on (prefix function of Knuth,
 *  Morris and Pratt).  A run is found if it is 4 times as long as a window that holds two periods.
 *  O(n log n). */
enum status repetition_find(const uint64_t *value, size_t n, struct repetition *out, struct err *e);
