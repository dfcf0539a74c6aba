/** @file lines.h
 *  Splits a stream of bytes into lines of bounded length: one that does not end is refused before
 *  it fills the memory.  Knows nothing of what they say.  Of a text file, linefile.h is easier.
 */
#ifndef COMMON_LINES_H
#define COMMON_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** In bytes, without the newline: what a line of counts for each of 2^20 ranks needs. */
enum { LINES_LONGEST = 1 << 26 };

/** Where bytes come from: reads up to @p room of them, *got is 0 only at the end. */
struct lines_input {
  enum status (*read)(void *from, char *buffer, size_t room, size_t *got, struct err *e);
  void *from;
  const char *name; /**< for messages */
};

/** Zeroed but for `room`, the size of the buffer to begin with (> 0, at most the longest line). */
struct lines {
  char *buffer;
  size_t room, begin, end;
  size_t longest; /**< bytes that a line may have; 0: LINES_LONGEST */
  bool ended;
  bool whole;    /**< the last line had a newline */
  uint64_t line; /**< number of the last line, from 1 */
};

/** The next line without its newline; *text is NULL at the end, and otherwise ours to change,
 *  text[length] included, until the next call.  The last line needs no newline. */
enum status lines_next(struct lines *l, const struct lines_input *in, char **text, size_t *length,
                       struct err *e);

/** What separates words: a CR too, so that lines may end in CR LF. */
static inline bool lines_is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/** Frees the buffer and gets ready for another pass over the input. */
void lines_clear(struct lines *l);

#endif
