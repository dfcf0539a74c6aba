/** @file linefile.h
 *  A text file read line by line, lines of bounded length.  Not for traces, whose lines may be
 *  longer and whose bytes may come from elsewhere (lines.h).
 */
#ifndef COMMON_LINEFILE_H
#define COMMON_LINEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/lines.h"

/** In bytes, without the newline. */
enum { LINEFILE_LONGEST = 1 << 20 };

struct linefile {
  const char *path; /**< the caller's */
  char *text;       /**< the line at hand, without its newline; the caller may change it */
  size_t length;    /**< of the text, which has no NUL but its last */
  uint64_t line;    /**< its number, from 1; after the last line still that line's */
  /* the reader's own */
  FILE *f;
  struct lines lines;
};

/** To be ended by linefile_close(), which after a failure does nothing. */
enum status linefile_open(struct linefile *l, const char *path, struct err *e);

/** The next line; *more is false at the end.  Refuses a NUL and a line that is too long. */
enum status linefile_next(struct linefile *l, bool *more, struct err *e);

/** The same of a file whose every line has a newline: refuses one without, as of a file that is cut
 *  off. */
enum status linefile_next_whole(struct linefile *l, bool *more, struct err *e);

/** Accepts a zeroed one, or one that was closed. */
void linefile_close(struct linefile *l);

#endif
