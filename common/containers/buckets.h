/** @file buckets.h
 *  Sorts numbers into buckets.
 */
#pragma once

#include <stdint.h>

/** Sorts the numbers 0 to @p n - 1 by bucket, then by number: number i is in bucket of[i] <
 *  @p buckets.  Bucket b gets item[first[b]] to item[first[b + 1] - 1].  @p first has
 *  @p buckets + 2 entries, all 0; @p item has @p n.  O(n + buckets). */
static inline void buckets_sort(const uint32_t *of, uint32_t n, uint32_t buckets, uint32_t *first,
                                uint32_t *item)
{
  for (uint32_t i = 0; i < n; i++)
    first[of[i] + 2]++;
  for (uint32_t b = 0; b < buckets; b++)
    first[b + 2] += first[b + 1];
  for (uint32_t i = 0; i < n; i++)
    item[first[of[i] + 1]++] = i;
}
