/** @file lines.h
 *  Splits a stream of bytes into lines, which may be of any length up to LINES_LONGEST.  Knows
 *  nothing of what they say.
 */
#ifndef TRACES_LINES_H
#define TRACES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

enum { LINES_LONGEST = 1 << 26 };

/** Where bytes come from: reads up to @p room of them, *got is 0 only at the end. */
struct lines_input {
  enum status (*read)(void *from, char *buffer, size_t room, size_t *got, struct err *e);
  void *from;
  const char *name; /**< for messages */
};

/** Zeroed but for `room`, the size of the buffer to begin with (> 0). */
struct lines {
  char *buffer;
  size_t room, begin, end;
  bool ended;
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
