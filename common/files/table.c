#include "common/files/table.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/plural.h"
#include "common/report.h"

/* Reads the next line that is not a comment into t->in.text; passes comments to @p comment unless
 * it is NULL. */
static enum status next_line(struct table *t, table_comment_fn *comment, void *state, bool *more,
                             struct err *e)
{
  for (;;) {
    if (linefile_next(&t->in, more, e) != OK)
      return FAIL;
    t->line = t->in.line;
    if (!*more || t->in.text[0] != '#')
      return OK;
    if (comment != NULL && comment(state, &t->in, e) != OK)
      return FAIL;
  }
}

/* Splits a line in place and returns the number of fields; keeps the first @p room of them. */
static size_t split(char *text, char separator, char **field, size_t room)
{
  const char separators[] = {separator, '\0'};
  size_t n = 0;
  for (char *one;
       (one = separator == ' ' ? linefile_word(&text) : strsep(&text, separators)) != NULL; n++)
    if (n < room)
      field[n] = one;
  return n;
}

static size_t count_fields(const char *text, char separator)
{
  size_t n = separator != ' ';
  for (bool inside = false; *text != '\0'; text++) {
    const bool blank = *text == ' ' || *text == '\t';
    n += separator == ' ' ? !blank && !inside : *text == separator;
    inside = !blank;
  }
  return n;
}

static enum status read_header(struct table *t, table_comment_fn *comment, void *state,
                               struct err *e)
{
  bool more;
  if (next_line(t, comment, state, &more, e) != OK)
    return FAIL;
  if (!more)
    return err_set(e, "%s: no header row", t->path);
  if (t->separator == '\t' && strchr(t->in.text, '\t') == NULL)
    t->separator = ' ';
  t->columns = count_fields(t->in.text, t->separator);
  if ((t->header = mem_strdup(t->in.text, e)) == NULL ||
      (t->name = mem_array(t->columns, sizeof *t->name, e)) == NULL ||
      (t->field = mem_array(t->columns, sizeof *t->field, e)) == NULL)
    return FAIL;
  split(t->header, t->separator, t->name, t->columns);
  return OK;
}

enum status table_open_comments(struct table *t, const char *path, char separator,
                                table_comment_fn *comment, void *state, struct err *e)
{
  *t = (struct table){.path = path, .separator = separator};
  if (linefile_open(&t->in, path, e) == OK) {
    t->path = t->in.path;
    if (read_header(t, comment, state, e) == OK)
      return OK;
  }
  table_close(t);
  return FAIL;
}

enum status table_open(struct table *t, const char *path, char separator, struct err *e)
{
  return table_open_comments(t, path, separator, NULL, NULL, e);
}

void table_close(struct table *t)
{
  linefile_close(&t->in);
  free(t->header);
  free(t->name);
  free(t->field);
  *t = (struct table){0};
}

size_t table_find(const struct table *t, const char *name)
{
  for (size_t i = 0; i < t->columns; i++)
    if (strcmp(t->name[i], name) == 0)
      return i;
  return TABLE_NONE;
}

enum status table_column(const struct table *t, const char *name, size_t *out, struct err *e)
{
  const bool optional = name[0] == '?';
  *out = strcmp(name, "?") == 0 ? TABLE_NONE : table_find(t, name + optional);
  for (size_t i = *out; i != TABLE_NONE && ++i < t->columns;)
    if (strcmp(t->name[i], t->name[*out]) == 0)
      return err_at(e, t->path, t->line, "two columns are called '%.80s'", t->name[i]);
  return *out != TABLE_NONE || optional
             ? OK
             : err_set(e, "%s: no column '%s' in the header", t->path, name);
}

enum status table_next(struct table *t, bool *more, struct err *e)
{
  if (next_line(t, NULL, NULL, more, e) != OK)
    return FAIL;
  if (!*more)
    return OK;
  const size_t n = split(t->in.text, t->separator, t->field, t->columns);
  if (n != t->columns)
    return err_at(e, t->path, t->line, "%zu field%s instead of %zu", n, PLURAL(n), t->columns);
  return OK;
}

enum status table_rows(struct table *t, const char *const *name, table_row_fn *row, void *state,
                       struct err *e)
{
  size_t column[TABLE_MOST_COLUMNS];
  bool more = true;
  for (size_t i = 0; i < TABLE_MOST_COLUMNS; i++)
    column[i] = TABLE_NONE;
  for (size_t i = 0; name[i] != NULL; i++) {
    assert(i < TABLE_MOST_COLUMNS);
    if (table_column(t, name[i], &column[i], e) != OK)
      return FAIL;
  }
  while (more)
    if (table_next(t, &more, e) != OK || (more && row(state, t, column, e) != OK))
      return FAIL;
  return OK;
}

enum status table_read(const char *path, char separator, const char *const *name, table_row_fn *row,
                       void *state, struct err *e)
{
  struct table t;
  if (table_open(&t, path, separator, e) != OK)
    return FAIL;
  const enum status s = table_rows(&t, name, row, state, e);
  table_close(&t);
  return s;
}

const char *table_text(const struct table *t, size_t column)
{
  return column == TABLE_NONE ? "" : t->field[column];
}

enum status table_u64(const struct table *t, size_t column, uint64_t max, uint64_t *out,
                      struct err *e)
{
  struct err why;
  if (num_u64(t->field[column], max, out, &why) == OK)
    return OK;
  return err_at(e, t->path, t->line, "%s: %s", t->name[column], why.text);
}

enum status table_double(const struct table *t, size_t column, double min, double max, double *out,
                         struct err *e)
{
  struct err why;
  if (num_double(t->field[column], min, max, out, &why) == OK)
    return OK;
  return err_at(e, t->path, t->line, "%s: %s", t->name[column], why.text);
}

enum status table_number(const struct table *t, size_t column, double *out, struct err *e)
{
  *out = NAN;
  return column == TABLE_NONE || strcmp(t->field[column], "-") == 0
             ? OK
             : table_double(t, column, 0, DBL_MAX, out, e);
}

void table_print_number(double value, FILE *f)
{
  fputc('\t', f);
  if (isnan(value))
    fputc('-', f);
  else
    report_number(f, value);
}
