/** @file pairs.h
 *  Numbers ordered pairs of integers, for example of ranks, 0, 1, 2, ... in the order of their
 *  first addition.  The numbers serve as indices of arrays of the caller.  Memory is proportional
 *  to the number of pairs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/err.h"

#define PAIRS_NONE INDEX_NONE

/** Zeroed: empty. */
struct pairs {
  uint64_t *key; /**< a * 2^32 + b, by number of the pair; owned: pairs_clear() */
  size_t key_room;
  struct index index;
  uint32_t count; /**< number of pairs; the next pair gets this number */
};

/** Frees the arrays.  Leaves no pairs. */
void pairs_clear(struct pairs *p);

/** The number of the ordered pair (a, b); PAIRS_NONE if the pair is absent.  O(1) on average. */
uint32_t pairs_find(const struct pairs *p, uint32_t a, uint32_t b);

/** True if the ordered pair (a, b) has this number.  O(1). */
static inline bool pairs_is(const struct pairs *p, uint32_t number, uint32_t a, uint32_t b)
{
  return number < p->count && p->key[number] == ((uint64_t)a << 32 | b);
}

/** Writes the number of the pair (a, b); adds the pair if it is new.  O(1) on average; 16 to 48
 *  bytes per pair. */
enum status pairs_add(struct pairs *p, uint32_t a, uint32_t b, uint32_t *number, struct err *e);
