/** @file table.h
 *  TSV or CSV without quoting: a header row, then rows with fields that are found by column name.
 *  The reader skips lines that begin with '#'.  If the header row of a TSV has no tab, blanks
 *  separate the fields.  Refuses a row with another number of fields than the header.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/files/linefile.h"

struct table {
  const char *path; /**< borrowed from the caller */
  uint64_t line;    /**< number of the current line, from 1 */
  char **field;     /**< fields of the current row, `columns` entries; valid until the next row */
  size_t columns;
  /* private */
  char separator;
  struct linefile in;
  char *header, **name; /**< the header line, and pointers to the names in it */
};

/** Opens @p path and reads its header; @p separator is '\t' or ','.  On success, end with
 *  table_close(). */
enum status table_open(struct table *t, const char *path, char separator, struct err *e);

/** Callback for a comment before the header, the current line of @p in. */
typedef enum status table_comment_fn(void *state, const struct linefile *in, struct err *e);

/** Like table_open(), but also calls @p comment for each comment before the header. */
enum status table_open_comments(struct table *t, const char *path, char separator,
                                table_comment_fn *comment, void *state, struct err *e);

/** Accepts a closed table. */
void table_close(struct table *t);

/** Index of the column called @p name; TABLE_NONE if there is none. */
size_t table_find(const struct table *t, const char *name);

/** Index of a column that the table does not have. */
#define TABLE_NONE SIZE_MAX

/** Index of the column called @p name; fails if there is none, or if there are two.  "?NAME" and
 *  "?" as in table_rows(). */
enum status table_column(const struct table *t, const char *name, size_t *out, struct err *e);

/** Reads the next row into t->field; *more is false at the end of the file. */
enum status table_next(struct table *t, bool *more, struct err *e);

/** Callback for the current row; column[i] is the index of the i-th name given to table_rows(). */
typedef enum status table_row_fn(void *state, const struct table *t, const size_t *column,
                                 struct err *e);

/** Maximum number of columns of table_rows(). */
enum { TABLE_MOST_COLUMNS = 12 };

/** Calls @p row for each remaining row, with the columns @p name (NULL-terminated, at most
 *  TABLE_MOST_COLUMNS).  Fails if a column is missing.  The column NAME of "?NAME" is optional: its
 *  index is TABLE_NONE if it is missing.  The index of "?", and all indices after the last name,
 *  are TABLE_NONE. */
enum status table_rows(struct table *t, const char *const *name, table_row_fn *row, void *state,
                       struct err *e);

/** Opens a table, calls table_rows() and closes the table. */
enum status table_read(const char *path, char separator, const char *const *name, table_row_fn *row,
                       void *state, struct err *e);

/** The field of the current row; "" for TABLE_NONE. */
const char *table_text(const struct table *t, size_t column);

/** Parses a field of the current row as a whole number in [0, max]; errors name file, line and
 *  column. */
enum status table_u64(const struct table *t, size_t column, uint64_t max, uint64_t *out,
                      struct err *e);

/** Parses a field of the current row as a number in [min, max]. */
enum status table_double(const struct table *t, size_t column, double min, double max, double *out,
                         struct err *e);

/** Parses a field of the current row as a number of at least 0; "-" and TABLE_NONE give NAN. */
enum status table_number(const struct table *t, size_t column, double *out, struct err *e);

/** Writes a tab, then the number as report_number() does, or "-" for NAN. */
void table_print_number(double value, FILE *f);
