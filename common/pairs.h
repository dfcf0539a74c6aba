/** @file pairs.h
 *  Numbers the pairs of ranks or of hosts that come up, 0, 1, 2, ... in the order in which they
 *  do: indices of the caller's own array.  No table over all pairs.
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
  uint64_t *key; /**< of each pair, by number; owned: pairs_clear() */
  size_t key_room;
  struct index index;
  uint32_t count; /**< of pairs: the next one's number */
};

void pairs_clear(struct pairs *p);

/** The number of a pair, an ordered one; PAIRS_NONE if it has none.  O(1), usually. */
uint32_t pairs_find(const struct pairs *p, uint32_t a, uint32_t b);

/** The same, but gives the pair the next number if it has none.  O(1), usually; 16 to 32 bytes a
 *  pair. */
enum status pairs_add(struct pairs *p, uint32_t a, uint32_t b, uint32_t *number, struct err *e);

#endif
