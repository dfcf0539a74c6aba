/** @file fifos.h
 *  Private to traces/: queues of values by key, first in first out.  A queue that becomes empty
 *  takes no memory, so that keys that are never used again, such as tags that a program counts up,
 *  cost nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct fifo_key {
  uint64_t a, b;
};

struct fifo_value {
  uint64_t a, b;
};

struct fifo_entry;

/** Zeroed: empty. */
struct fifos {
  struct fifo_entry *entry; /**< owned: fifos_clear() */
  size_t room;
  uint32_t used, free; /**< entries ever used; first free entry plus 1 */
  uint32_t count;      /**< values in all queues */
  uint32_t *bucket;    /**< first entry plus 1; owned */
  size_t buckets;      /**< 0 or a power of 2 */
};

/** Appends a value to the queue of @p key.  O(1) on average. */
enum status fifos_put(struct fifos *f, struct fifo_key key, struct fifo_value value, struct err *e);

/** Takes the oldest value of @p key; false if there is none.  O(1) on average. */
bool fifos_take(struct fifos *f, struct fifo_key key, struct fifo_value *value);

/** Like fifos_take(), but leaves the value in its queue. */
bool fifos_peek(const struct fifos *f, struct fifo_key key, struct fifo_value *value);

/** Sets @p key and @p value to the oldest value of some queue; false if all queues are empty.  To
 *  take all values, set *from to 0 before the first call: O(values + buckets) in all. */
bool fifos_any(const struct fifos *f, size_t *from, struct fifo_key *key, struct fifo_value *value);

/** Frees the arrays.  Leaves no values. */
void fifos_clear(struct fifos *f);
