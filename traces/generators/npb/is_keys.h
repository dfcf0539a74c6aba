/** @file npb_is_keys.h
 *  Private to npb_is.c: the keys that NPB's integer sort makes from its random stream, by bucket.
 *  NPB 3.4: IS/is.c, create_seq() and randlc().
 */
#ifndef TRACES_GENERATORS_NPB_IS_KEYS_H
#define TRACES_GENERATORS_NPB_IS_KEYS_H

#include <stdint.h>

#include "common/err.h"

/** The four random numbers that a key is the sum of, and what leads to the next key's. */
struct is_keys {
  uint64_t x[4], step;
};

/** The key @p index of all, from 0. */
struct is_keys is_keys_from(uint64_t index);

/** The sum of the key's numbers, 48 bits at the top: the bucket is its highest bits. */
static inline uint64_t is_keys_next(struct is_keys *k)
{
  uint64_t sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += k->x[i] >> 2;
    k->x[i] *= k->step;
  }
  return sum;
}

/** Deals 2^@p keys_log keys to @p ranks ranks, a power of two, in order, and adds to
 *  count[rank * stride + bucket] how many of a rank are in each of 2^@p buckets_log buckets, at
 * most 2^16.  Uses all cores that the process may use; the counts do not depend on them.
 *  O(2^keys_log). */
enum status is_keys_count(uint32_t *count, uint32_t stride, uint32_t keys_log, uint32_t buckets_log,
                          uint32_t ranks, struct err *e);

#endif
