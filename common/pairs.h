/** @file pairs.h
 *  Numbers ordered pairs of ranks or of hosts 0, 1, 2, ... in the order of their first use, as
 *  indices of the caller's own array.  Memory grows with the pairs used, not with all pairs.
 */
#ifndef COMMON_PAIRS_H
#define COMMON_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/index.h"

#define PAIRS_NONE INDEX_NONE

/** Zeroed: empty. */
struct pairs {
  uint64_t *key; /**< a * 2^32 + b of each pair, by number; owned: pairs_clear() */
  size_t key_room;
  struct index index;
  uint32_t count; /**< number of pairs: the next one's number */
};

/** Frees the arrays; leaves no pairs. */
void pairs_clear(struct pairs *p);

/** The number of the ordered pair (a, b); PAIRS_NONE if it has none.  O(1) on average. */
uint32_t pairs_find(const struct pairs *p, uint32_t a, uint32_t b);

/** The same, but gives a new pair the next number.  O(1) on average; 16 to 48 bytes a pair. */
enum status pairs_add(struct pairs *p, uint32_t a, uint32_t b, uint32_t *number, struct err *e);

#endif
