/** @file tape.h
 *  A sequence of small records that is written once and then read backwards, any number of times.
 *  The first TAPE_KEPT blocks stay in memory, the others go to an unnamed temporary file
 *  (common/files/temp.h), so that the memory of a long run is bounded.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/err.h"

/** Largest record in bytes. */
#define TAPE_RECORD 255

/** Bytes of a block; blocks kept in memory; bytes after each record: its size, then its kind. */
enum { TAPE_BLOCK = 1 << 18, TAPE_KEPT = 48, TAPE_TRAILER = 2 };

struct tape_block {
  uint8_t *data; /**< NULL: in the file */
  size_t used;   /**< bytes; of the last block see tape.used */
};

/** Empty when zeroed. */
struct tape {
  struct tape_block *block;
  size_t blocks, room;
  uint8_t *last;     /**< data of the last block */
  size_t used, size; /**< bytes of the last block: written; in all, 0 without a block */
  int file;          /**< descriptor + 1; 0: none */
};

/** Frees the memory and closes the file; accepts a zeroed struct. */
void tape_clear(struct tape *t);

/** Begins a new block; for tape_push(). */
enum status tape_begin_block(struct tape *t, struct err *e);

/** Appends a record of @p size bytes, at most TAPE_RECORD.  Inline, since most sizes are constants.
 */
static inline enum status tape_push(struct tape *t, uint8_t kind, const void *record, size_t size,
                                    struct err *e)
{
  assert(size <= TAPE_RECORD);
  if (t->used + size + TAPE_TRAILER > t->size && tape_begin_block(t, e) != OK)
    return FAIL;
  uint8_t *to = t->last + t->used;
  memcpy(to, record, size);
  to[size] = (uint8_t)size;
  to[size + 1] = kind;
  t->used += size + TAPE_TRAILER;
  return OK;
}

/** A position on a tape, initially its end.  The tape must not change meanwhile. */
struct tape_reader {
  const struct tape *tape;
  size_t block;        /**< blocks not read to the start */
  const uint8_t *data; /**< of the block that is being read */
  size_t left;         /**< its bytes that are not read */
  uint8_t *memory;     /**< copy of a block of the file; owned */
};

/** Starts at the end.  Free with tape_reader_clear(), also after a failure. */
enum status tape_reader_start(struct tape_reader *r, const struct tape *t, struct err *e);

/** Frees the memory; accepts a zeroed struct. */
void tape_reader_clear(struct tape_reader *r);

/** A record on the tape, at an address of any alignment; valid until the next call of
 *  tape_back(). */
struct tape_record {
  const uint8_t *data;
  uint8_t size, kind;
};

/** Moves back to the last block that is not empty, if the present one is read to its start. */
enum status tape_previous_block(struct tape_reader *r, struct err *e);

/** Moves back by one record; *more is false at the start of the tape, and *out then unchanged. */
static inline enum status tape_back(struct tape_reader *r, struct tape_record *out, bool *more,
                                    struct err *e)
{
  if (r->left == 0 && tape_previous_block(r, e) != OK)
    return FAIL;
  *more = r->left > 0;
  if (!*more)
    return OK;
  const uint8_t *end = r->data + r->left;
  const uint8_t size = end[-2];
  *out = (struct tape_record){.data = end - TAPE_TRAILER - size, .size = size, .kind = end[-1]};
  r->left -= (size_t)size + TAPE_TRAILER;
  return OK;
}
