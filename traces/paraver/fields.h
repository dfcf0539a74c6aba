/** @file fields.h
 *  Private to traces/paraver/: lines of numbers between colons, as in files of Paraver and Dimemas.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/files/lines.h"
#include "traces/files/bytes.h"

/** The lines of a file from some position on. */
struct fields {
  struct bytes_cursor cursor;
  struct lines lines;
  const char *name;
  uint64_t offset; /**< of the current line */
  char *text;      /**< rest of the current line; the next field begins here */
};

/** Starts at @p offset, the beginning of line @p line + 1. */
void fields_start(struct fields *f, const struct bytes *b, uint64_t offset, uint64_t line);

/** Frees the buffer. */
void fields_stop(struct fields *f);

/** Reads the next line without CR and final blanks; *more is false at the end.  Skips empty lines,
 *  and refuses NULs. */
enum status fields_line(struct fields *f, bool *more, struct err *e);

/** Takes a number up to the next colon or the end of the line; @p what names it in errors. */
enum status fields_number(struct fields *f, const char *what, int64_t min, int64_t max,
                          int64_t *out, struct err *e);

/** Takes a number of seconds. */
enum status fields_seconds(struct fields *f, double *out, struct err *e);

/** True if the line has no more fields. */
static inline bool fields_end(const struct fields *f)
{
  return *f->text == '\0';
}

/** Fails if the line has more fields. */
enum status fields_need_end(const struct fields *f, struct err *e);

/** Puts "FILE:LINE: " in front of the error and returns FAIL. */
enum status fields_at(const struct fields *f, struct err *e);
