/** @file repetition.h
 *  Private to traces/: the longest repetition in a sequence of numbers.
 */
#ifndef TRACES_REPETITION_H
#define TRACES_REPETITION_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** value[first..first+length-1] has the period `period`: each value but the first ones is that one
 *  period before it. */
struct repetition {
  size_t first, length, period; /**< period 0: there is none */
};

/** Finds the longest run of whole periods, two or more, among those whose period shows in
 *  windows of all, a half, a quarter, ... of the sequence (Knuth, Morris and Pratt's prefix
 *  function), so that one is found which fills 4 times a window.  O(n log n). */
enum status repetition_find(const uint64_t *value, size_t n, struct repetition *out, struct err *e);

#endif
