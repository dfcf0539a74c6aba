/** @file search.h
 *  Binary search.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** True if element @p i is before the position of @p key.  Must be true for all elements below some
 *  index and false for the rest. */
typedef bool search_before(const void *key, size_t i);

/** The first index in @p low..@p high - 1 for which @p before is false; @p high if there is none.
 *  O(log (high - low)).  Inline, so that the compiler can inline the comparison too. */
static inline size_t search(size_t low, size_t high, search_before *before, const void *key)
{
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (before(key, middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
