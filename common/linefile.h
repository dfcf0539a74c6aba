/** @file linefile.h
 *  Text file read line by line, with lines of bounded length; compressed or standard input, too
 *  (textfile.h).  Not for traces: their lines may be longer (lines.h).
 */
#ifndef COMMON_LINEFILE_H
#define COMMON_LINEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/lines.h"
#include "common/textfile.h"

/** Longest line in bytes, without the newline. */
enum { LINEFILE_LONGEST = 1 << 20 };

struct linefile {
  const char *path; /**< the caller's */
  char *text;       /**< current line without its LF or CR LF; the caller may change it */
  size_t length;    /**< of the text in bytes; it has no NUL but the final one */
  uint64_t line;    /**< its number, from 1; at the end still that of the last line */
  /* private */
  struct textfile *in;
  struct lines lines;
};

/** Opens @p path, or standard input if it is "-"; it must outlive @p l.  The caller ends it with
 * linefile_close(), which may also follow a failure. */
enum status linefile_open(struct linefile *l, const char *path, struct err *e);

/** Reads the next line; *more is false at the end.  Refuses a NUL and a line that is too long. */
enum status linefile_next(struct linefile *l, bool *more, struct err *e);

/** The same, but refuses a line without a newline: for files that haichi or its runtime writes,
 * which may be cut off. */
enum status linefile_next_whole(struct linefile *l, bool *more, struct err *e);

/** Closes the file.  Accepts a zeroed or closed one. */
void linefile_close(struct linefile *l);

/** Cuts the first word off @p *rest, of words between tabs or blanks, and returns it; NULL: there
 * is none left. */
char *linefile_word(char **rest);

/** True if @p text and @p names have the same words, in the same order. */
bool linefile_is_header(const char *text, const char *names);

#endif
