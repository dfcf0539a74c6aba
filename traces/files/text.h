/** @file text.h
 *  Private to traces/: one text of a trace, possibly compressed: a file on disk or a stream of a
 *  spool.  Does not interpret the text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/files/spool.h"
#include "traces/files/unpack.h"

#define TEXT_IN_PLACE UINT32_MAX

struct text {
  char *name;      /**< path, or name in messages; freed by the owner of the text */
  uint64_t size;   /**< bytes on disk, possibly compressed; 0: not known */
  uint32_t stream; /**< number in the spool, or TEXT_IN_PLACE */
  bool plain;      /**< known to be uncompressed, or unpacked; set by the first text_read() */
};

/** A position in a text, from text_start(). */
struct text_cursor {
  struct text *text;
  struct spool *spool; /**< to unpack the text into */
  uint32_t stream;
  bool ended;             /**< at the end of the file in place */
  uint64_t offset;        /**< of the next byte of the file in place */
  struct spool_cursor at; /**< position in the spool */
};

/** A cursor at the beginning of @p t; both @p t and @p spool must outlive it. */
struct text_cursor text_start(struct text *t, struct spool *spool);

/** A cursor at the beginning of a stream of the spool that is a part of @p t. */
struct text_cursor text_start_part(struct text *t, struct spool *spool, uint32_t stream);

/** Reads up to @p room bytes at @p cursor, a struct text_cursor; *got is 0 at the end.  Serves as
 *  `read` of a struct lines_input.  Unpacks a compressed text on the first call.  Keeps no file
 *  open. */
enum status text_read(void *cursor, char *buffer, size_t room, size_t *got, struct err *e);

/** If the text, opened as @p u, is compressed, unpacks it into @p spool.  Fails for an archive. */
enum status text_unpack(struct text *t, struct spool *spool, struct unpack *u, struct err *e);
