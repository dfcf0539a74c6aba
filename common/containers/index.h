/** @file index.h
 *  Hash table that maps a key to its index in an array of the caller.  The table stores no keys;
 *  the caller supplies the functions that hash and compare them.  Open addressing, at most half
 *  full.  The functions are inline so that the compiler can inline hashes and comparisons too.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/err.h"
#include "common/mem.h"

#define INDEX_NONE UINT32_MAX

/** Zeroed: empty. */
struct index {
  uint32_t *slot; /**< index of a key plus 1; 0: free slot; owned */
  size_t room;    /**< number of slots: 0 or a power of 2 */
};

/** True if the key at index @p number of @p keys equals @p key. */
typedef bool index_same(const void *keys, uint32_t number, const void *key);

/** The hash of the key at index @p number of @p keys.  Lookups of this key must pass the same hash.
 */
typedef uint64_t index_hash(const void *keys, uint32_t number);

/** Hash of an integer. */
static inline uint64_t index_mix(uint64_t key)
{
  const uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ (h >> 32);
}

/** Hash of a string. */
static inline uint64_t index_text(const char *text)
{
  uint64_t h = 0;
  for (; *text != '\0'; text++)
    h = index_mix(h + (unsigned char)*text + 1);
  return h;
}

/** Frees the slots.  Leaves an empty table. */
static inline void index_clear(struct index *x)
{
  free(x->slot);
  *x = (struct index){0};
}

/** The slot of the key: it holds its index plus 1, or 0 if the table lacks the key.  To insert the
 *  key, store its index plus 1 there.  Requires x->room > 0. */
static inline uint32_t *index_slot(const struct index *x, uint64_t hash, index_same *same,
                                   const void *keys, const void *key)
{
  size_t i = (size_t)hash & (x->room - 1);
  while (x->slot[i] != 0 && !same(keys, x->slot[i] - 1, key))
    i = (i + 1) & (x->room - 1);
  return &x->slot[i];
}

/** The index of a key; INDEX_NONE if it is not in the table.  O(1) on average. */
static inline uint32_t index_find(const struct index *x, uint64_t hash, index_same *same,
                                  const void *keys, const void *key)
{
  return x->room == 0 ? INDEX_NONE : *index_slot(x, hash, same, keys, key) - 1;
}

/** Adds the key at index @p number < INDEX_NONE, which must not be in the table.  Requires room
 * from index_reserve() or index_build(). */
static inline void index_add(struct index *x, uint64_t hash, uint32_t number)
{
  size_t i = (size_t)hash & (x->room - 1);
  while (x->slot[i] != 0)
    i = (i + 1) & (x->room - 1);
  x->slot[i] = number + 1;
}

/** Rebuilds the table from the keys 0..@p count - 1, with room for @p most >= @p count keys.  The
 *  table is unchanged on failure. */
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

/** Makes room for one more key than the @p count keys in the table.  The table is unchanged on
 *  failure. */
static inline enum status index_reserve(struct index *x, uint32_t count, index_hash *hash,
                                        const void *keys, struct err *e)
{
  const size_t most = (size_t)count + 1;
  return 2 * most <= x->room ? OK : index_build(x, count, 2 * most, hash, keys, e);
}

/* --- arrays of strings ------------------------------------------------------------------------ */

/** index_hash and index_same of an array of strings, char *const *. */
static inline uint64_t index_hash_string(const void *strings, uint32_t i)
{
  return index_text(((char *const *)strings)[i]);
}

static inline bool index_same_string(const void *strings, uint32_t i, const void *text)
{
  return strcmp(((char *const *)strings)[i], (const char *)text) == 0;
}

/** The index of a string; INDEX_NONE if it is not in the table. */
static inline uint32_t index_find_string(const struct index *x, char *const *strings,
                                         const char *text)
{
  return index_find(x, index_text(text), index_same_string, strings, text);
}

/** Fills an empty table with @p n strings, the names of @p what.  Fails if two are equal. */
static inline enum status index_strings(struct index *x, char *const *strings, uint32_t n,
                                        const char *what, struct err *e)
{
  if (index_build(x, 0, n, index_hash_string, strings, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++) {
    if (index_find_string(x, strings, strings[i]) != INDEX_NONE)
      return err_set(e, "two %s are named '%.80s'", what, strings[i]);
    index_add(x, index_text(strings[i]), i);
  }
  return OK;
}
