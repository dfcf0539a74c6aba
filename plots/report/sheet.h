/** @file sheet.h
 *  A table stored by columns, to be shown and downloaded.  Fields are unchanged, except for bytes
 *  that cannot be shown (utf8.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/names.h"
#include "common/err.h"

struct sheet_column {
  char *name;
  struct names text; /**< the distinct fields */
  uint32_t *row;     /**< by row: number of its field in `text` */
  size_t room;
};

/** Zeroed: empty. */
struct sheet {
  struct sheet_column *column;
  size_t columns, rows;
};

/** Maximum numbers of columns and rows of a sheet. */
enum { SHEET_MOST_COLUMNS = 256, SHEET_MOST_ROWS = 1 << 22 };

/** Reads a table (common/files/table.h) with fields separated by @p separator.  The caller frees *s
 *  with sheet_clear(). */
enum status sheet_load(struct sheet *s, const char *path, char separator, struct err *e);

/** Makes a sheet without rows; @p name ends with NULL.  The caller frees *s with sheet_clear(). */
enum status sheet_new(struct sheet *s, const char *const *name, struct err *e);

/** Adds a row of s->columns fields.  After a failure the sheet must be cleared. */
enum status sheet_add(struct sheet *s, char *const *field, struct err *e);

/** Accepts a zeroed struct. */
void sheet_clear(struct sheet *s);

/** The text of a field. */
const char *sheet_text(const struct sheet *s, size_t row, size_t column);

/** True if every field of a column is a number or "-", and at least one is a number. */
bool sheet_is_number(const struct sheet *s, size_t column);

/** The index of a column; s->columns if there is no column of that name. */
size_t sheet_column(const struct sheet *s, const char *name);

/** The sheet as a JSON object without '<', so that it can be the text of an HTML script element:
 *  "rows", and "columns" with "name", "number" (a boolean), "text" (the distinct fields) and "row"
 *  (index of the text, by row; absent if row i has text i).  The caller frees it with free(); NULL
 *  with @p e filled on failure. */
char *sheet_json(const struct sheet *s, struct err *e);
