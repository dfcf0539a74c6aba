/** @file arena.h
 *  Arrays that are freed together.  ARENA() defines an arena on the stack that frees its arrays
 *  when its block ends, also by return, break or goto.  For one thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

struct arena {
  void **array; /**< owned, with the arrays in it */
  size_t count, room;
  struct err *e; /**< filled by the first request that fails */
  bool failed;
};

/** Defines an arena on the stack, which reports failures in @p err. */
#define ARENA(name, err) __attribute__((cleanup(arena_clear))) struct arena name = {.e = (err)}

/** Allocates a zeroed array of @p count elements of @p size bytes, as mem_array() does.  The arena
 *  owns it.  NULL after a failure of this or an earlier request, so that the caller may check
 *  several requests at once with arena_status(). */
void *arena_array(struct arena *a, size_t count, size_t size);

/** FAIL if a request has failed. */
static inline enum status arena_status(const struct arena *a)
{
  return a->failed ? FAIL : OK;
}

/** Frees the arrays.  Leaves an empty arena. */
void arena_clear(struct arena *a);
