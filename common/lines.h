/** @file lines.h
 *  Splits a stream of bytes into lines of bounded length: a line without an end is refused
 *  before it fills the memory.  Does not interpret the lines.  For text files, linefile.h is
 *  easier.
 */
#ifndef COMMON_LINES_H
#define COMMON_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Default for the longest line in bytes, without the newline: holds a count for each of 2^20
 *  ranks. */
enum { LINES_LONGEST = 1 << 26 };

/** Source of bytes: read() stores up to @p room of them; *got is 0 only at the end. */
struct lines_input {
  enum status (*read)(void *from, char *buffer, size_t room, size_t *got, struct err *e);
  void *from;
  const char *name; /**< for messages */
};

/** Zeroed except for `room`, the initial size of the buffer (> 0, at most the longest line). */
struct lines {
  char *buffer;
  size_t room, begin, end;
  size_t longest; /**< longest line in bytes; 0: LINES_LONGEST */
  bool ended;
  bool whole;    /**< the last line had a newline */
  uint64_t line; /**< number of the last line, from 1 */
};

/** Reads the next line, without its newline; *text is NULL at the end.  The caller may change *text
 *  up to text[*length], which is no NUL yet; it lasts until the next call.  The last line needs no
 *  newline. */
enum status lines_next(struct lines *l, const struct lines_input *in, char **text, size_t *length,
                       struct err *e);

/** Separator of words; a CR is one, so that lines may end in CR LF. */
static inline bool lines_is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/** Frees the buffer and gets ready for another pass over the input. */
void lines_clear(struct lines *l);

#endif
