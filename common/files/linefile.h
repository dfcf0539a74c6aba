/** @file linefile.h
 *  Reads a text file or standard input line by line, with bounded line length; the input may be
 *  compressed (textfile.h).  Traces use lines.h, since their lines may be longer.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/files/lines.h"
#include "common/files/textfile.h"

/** Longest line in bytes, excluding the newline. */
enum { LINEFILE_LONGEST = 1 << 20 };

struct linefile {
  const char *path; /**< borrowed from the caller */
  char *text;       /**< current line without LF or CR LF; the caller may change it */
  size_t length;    /**< length of the text in bytes; only the terminator is NUL */
  uint64_t line;    /**< number of the current line, from 1; at the end, number of the last line */
  /* private */
  struct textfile *in;
  struct lines lines;
};

/** Opens @p path, or standard input if it is "-".  @p path must outlive @p l.  The caller calls
 *  linefile_close() at the end; it may do so after a failure too. */
enum status linefile_open(struct linefile *l, const char *path, struct err *e);

/** Reads the next line.  *more is false at the end.  Refuses NUL characters and lines that are too
 *  long. */
enum status linefile_next(struct linefile *l, bool *more, struct err *e);

/** Like linefile_next(), but refuses a last line without a newline.  For files that haichi or its
 *  runtime wrote, which may be truncated. */
enum status linefile_next_whole(struct linefile *l, bool *more, struct err *e);

/** Gets the beginning of the file, before the first line is read: *length bytes, 64 KiB or all of a
 *  shorter file, then a NUL.  The bytes are not checked.  *whole is true if the file ends there.
 *  *text is valid until the first line is read.  For readers that detect the format of a pipe. */
enum status linefile_peek(struct linefile *l, const char **text, size_t *length, bool *whole,
                          struct err *e);

/** Closes the file.  Accepts a zeroed or closed struct. */
void linefile_close(struct linefile *l);

/** Returns the first word of *rest, which ends at a tab or blank, terminates it in place, and moves
 *  *rest behind it.  NULL if no word is left. */
char *linefile_word(char **rest);

/** True if @p text and @p names contain the same words in the same order. */
bool linefile_is_header(const char *text, const char *names);
