/** @file is_keys.h
 *  Private to is.c: the keys that NPB's integer sort makes from its random stream, and their counts
 *  by bucket.  NPB 3.4: IS/is.c, create_seq() and randlc().
 */
#pragma once

#include <stdint.h>

#include "common/err.h"

/** Four random numbers, which add up to a key, and the factor that yields the next key's
 *  numbers. */
struct is_keys {
  uint64_t x[4], step;
};

/** The numbers of key @p index (from 0, over all ranks).  O(log index). */
struct is_keys is_keys_from(uint64_t index);

/** Returns the sum of the key's numbers, in the upper 48 bits, and advances to the next key.  The
 *  highest bits of the sum are the bucket. */
static inline uint64_t is_keys_next(struct is_keys *k)
{
  uint64_t sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += k->x[i] >> 2;
    k->x[i] *= k->step;
  }
  return sum;
}

/** Counts keys by rank and bucket: rank r of @p ranks, a power of two, has the r-th equal share of
 *  2^@p keys_log keys, and there are 2^@p buckets_log (at most 2^16) buckets.  Adds the counts to
 *  count[rank * stride + bucket].  Uses all cores available to the process; the counts do not
 *  depend on their number.  O(2^keys_log). */
enum status is_keys_count(uint32_t *count, uint32_t stride, uint32_t keys_log, uint32_t buckets_log,
                          uint32_t ranks, struct err *e);
