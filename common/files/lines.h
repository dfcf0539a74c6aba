/** @file lines.h
 *  Splits a byte stream into lines of bounded length, so that a line without an end is refused
 *  before it fills the memory.  Skips the byte order mark of UTF-8 at the beginning of the input;
 *  does not interpret the lines.  For text files, linefile.h is easier to use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Default limit of the line length in bytes, excluding the newline.  Such a line can hold one
 *  count for each of 2^20 ranks. */
enum { LINES_LONGEST = 1 << 26 };

/** Source of bytes. read() stores up to @p room bytes; *got is 0 only at the end. */
struct lines_input {
  enum status (*read)(void *from, char *buffer, size_t room, size_t *got, struct err *e);
  void *from;
  const char *name; /**< for error messages */
};

/** Zeroed except for `room`, the initial buffer size (> 0, at most the longest line). */
struct lines {
  char *buffer;
  size_t room, begin, end;
  size_t longest; /**< limit of the line length in bytes; 0: LINES_LONGEST */
  bool ended;
  bool whole;    /**< the last line read ended with a newline */
  uint64_t line; /**< number of the last line read, from 1 */
};

/** Reads the next line, without its newline; the last line of the input may lack a newline.  *text
 *  is NULL at the end.  *text is valid until the next call.  It has no terminator: the caller may
 *  write one to (*text)[*length]. */
enum status lines_next(struct lines *l, const struct lines_input *in, char **text, size_t *length,
                       struct err *e);

/** Fills the buffer without reading a line.  *text is the input after the last line read, *length
 *  bytes and a NUL, valid until the next call.  It is shorter than l->room only if the input ends
 *  there, and may end within a line. */
enum status lines_peek(struct lines *l, const struct lines_input *in, const char **text,
                       size_t *length, struct err *e);

/** True for a separator of words.  CR is one, so that lines may end in CR LF. */
static inline bool lines_is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/** Frees the buffer and resets the state, so that the input can be read again. */
void lines_clear(struct lines *l);
