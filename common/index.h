/** @file index.h
 *  A hash table that finds numbers by keys: the caller has the keys in an array of its own, at
 *  0, 1, 2, ..., and says whether one is the one that is looked for.  Open addressing, at most half
 *  of it taken.  The functions are inline, so that hashes and comparisons are too.
 */
#ifndef COMMON_INDEX_H
#define COMMON_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/err.h"
#include "common/mem.h"

#define INDEX_NONE UINT32_MAX

/** Zeroed: empty. */
struct index {
  uint32_t *slot; /**< numbers, plus 1; 0: free; owned */
  size_t room;    /**< 0 or a power of 2 */
};

/** Is key @p number of @p keys the one at @p key? */
typedef bool index_same(const void *keys, uint32_t number, const void *key);

/** The hash of key @p number of @p keys: that by which it is looked for. */
typedef uint64_t index_hash(const void *keys, uint32_t number);

/** A hash of a number. */
static inline uint64_t index_mix(uint64_t key)
{
  const uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ (h >> 32);
}

static inline void index_clear(struct index *x)
{
  free(x->slot);
  *x = (struct index){0};
}

/** The slot that has the key's number, or where it belongs: x->room > 0. */
static inline uint32_t *index_slot(const struct index *x, uint64_t hash, index_same *same,
                                   const void *keys, const void *key)
{
  size_t i = (size_t)hash & (x->room - 1);
  while (x->slot[i] != 0 && !same(keys, x->slot[i] - 1, key))
    i = (i + 1) & (x->room - 1);
  return &x->slot[i];
}

/** The number of a key; INDEX_NONE if it has none.  O(1), usually. */
static inline uint32_t index_find(const struct index *x, uint64_t hash, index_same *same,
                                  const void *keys, const void *key)
{
  return x->room == 0 ? INDEX_NONE : *index_slot(x, hash, same, keys, key) - 1;
}

/** Adds @p number, whose key is not there and for which index_reserve() has made room. */
static inline void index_add(struct index *x, uint64_t hash, uint32_t number)
{
  size_t i = (size_t)hash & (x->room - 1);
  while (x->slot[i] != 0)
    i = (i + 1) & (x->room - 1);
  x->slot[i] = number + 1;
}

/** Makes the table anew for the keys 0..@p count - 1, with room for @p most (> 0) of them. */
static inline enum status index_build(struct index *x, uint32_t count, size_t most,
                                      index_hash *hash, const void *keys, struct err *e)
{
  struct index made = {.room = 16};
  while (made.room < 2 * most)
    made.room *= 2;
  if ((made.slot = (uint32_t *)mem_array(made.room, sizeof *made.slot, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < count; i++)
    index_add(&made, hash(keys, i), i);
  index_clear(x);
  *x = made;
  return OK;
}

/** Makes room for one more than the @p count keys there are. */
static inline enum status index_reserve(struct index *x, uint32_t count, index_hash *hash,
                                        const void *keys, struct err *e)
{
  const size_t most = (size_t)count + 1;
  return 2 * most <= x->room ? OK : index_build(x, count, 2 * most, hash, keys, e);
}

#endif
