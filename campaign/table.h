/** @file table.h
 *  A file of rows under a header row, their columns found by name: TSV or CSV without quoting.
 *  Lines that begin with '#' are skipped.  Refuses rows of another number of fields, NULs, and a
 *  last line without a newline: a file that was cut off.
 */
#ifndef CAMPAIGN_TABLE_H
#define CAMPAIGN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/linefile.h"

struct table {
  const char *path; /**< the caller's */
  uint64_t line;    /**< number of the current line, from 1 */
  char **field;     /**< of the current row, `columns` of them; valid until the next row */
  size_t columns;
  /* the reader's own */
  char separator;
  struct linefile in;
  char *header, **name; /**< the header's text, cut into names */
};

/** Opens @p path and reads its header.  To be ended by table_close(). */
enum status table_open(struct table *t, const char *path, char separator, struct err *e);
void table_close(struct table *t);

enum status table_column(const struct table *t, const char *name, size_t *out, struct err *e);

/** The next row; *more is false at the end. */
enum status table_next(struct table *t, bool *more, struct err *e);

/** A field of the current row as a number; the sentence names file, line and column. */
enum status table_u64(const struct table *t, size_t column, uint64_t max, uint64_t *out,
                      struct err *e);
enum status table_double(const struct table *t, size_t column, double min, double max, double *out,
                         struct err *e);

#endif
