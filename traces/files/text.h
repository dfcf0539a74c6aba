/** @file text.h
 *  Private to traces/: one text of a trace, which is a file on disk or a stream of a spool, and
 *  which may be compressed.  Knows nothing of what it says.
 */
#ifndef TRACES_FILES_TEXT_H
#define TRACES_FILES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/files/spool.h"
#include "traces/files/unpack.h"

#define TEXT_IN_PLACE UINT32_MAX

struct text {
  char *name;      /**< the file, or what messages call it; owned by who has the text */
  uint64_t size;   /**< bytes on disk, be they compressed; 0: not known */
  uint32_t stream; /**< of the spool, or TEXT_IN_PLACE */
  bool plain;      /**< not compressed, or unpacked: the first reading finds out */
};

/** Where a reader stands in a text; from text_start(). */
struct text_cursor {
  struct text *text;
  struct spool *spool; /**< where it is unpacked */
  uint32_t stream;
  bool ended;             /**< in place: nothing is left */
  uint64_t offset;        /**< in place */
  struct spool_cursor at; /**< in the spool */
};

struct text_cursor text_start(struct text *t, struct spool *spool);

/** The same for a stream of the spool that is a part of @p t, which has been read. */
struct text_cursor text_start_part(struct text *t, struct spool *spool, uint32_t stream);

/** Reads on from @p cursor, a struct text_cursor: the `read` of a struct lines_input.  Unpacks the
 *  text, once, if its first bytes are those of a compressed one.  Keeps no file open. */
enum status text_read(void *cursor, char *buffer, size_t room, size_t *got, struct err *e);

/** Unpacks the text, which @p u has opened, if it is compressed; an archive is refused. */
enum status text_unpack(struct text *t, struct spool *spool, struct unpack *u, struct err *e);

#endif
