#include "plots/report/sheet.h"

#include <float.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/table.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/utf8.h"

/* --- making ----------------------------------------------------------------------------------- */

static enum status new_columns(struct sheet *s, char *const *name, size_t n, struct err *e)
{
  if (n > SHEET_MOST_COLUMNS)
    return err_set(e, "%zu columns, above %d", n, SHEET_MOST_COLUMNS);
  if ((s->column = mem_array(n, sizeof *s->column, e)) == NULL)
    return FAIL;
  for (; s->columns < n; s->columns++)
    if ((s->column[s->columns].name = utf8_clean(name[s->columns], e)) == NULL)
      return FAIL;
  return OK;
}

static enum status add_field(struct sheet_column *c, size_t row, const char *text, struct err *e)
{
  OWNED char *clean = utf8_clean(text, e);
  if (clean == NULL || MEM_GROW(c->row, c->room, row + 1, e) != OK)
    return FAIL;
  return names_add(&c->text, clean, &c->row[row], e);
}

enum status sheet_add(struct sheet *s, char *const *field, struct err *e)
{
  if (s->rows == SHEET_MOST_ROWS)
    return err_set(e, "more than %d rows", SHEET_MOST_ROWS);
  for (size_t i = 0; i < s->columns; i++)
    if (add_field(&s->column[i], s->rows, field[i], e) != OK)
      return FAIL;
  s->rows++;
  return OK;
}

enum status sheet_new(struct sheet *s, const char *const *name, struct err *e)
{
  struct sheet made = {.rows = 0};
  size_t n = 0;
  while (name[n] != NULL)
    n++;
  if (new_columns(&made, (char *const *)name, n, e) != OK) {
    sheet_clear(&made);
    return FAIL;
  }
  *s = made;
  return OK;
}

static enum status read_rows(struct sheet *s, struct table *t, struct err *e)
{
  bool more = true;
  if (new_columns(s, t->name, t->columns, e) != OK)
    return err_prefix(e, "%s: ", t->path);
  while (more) {
    if (table_next(t, &more, e) != OK)
      return FAIL;
    if (more && sheet_add(s, t->field, e) != OK)
      return err_place(e, t->path, t->line);
  }
  return OK;
}

enum status sheet_load(struct sheet *s, const char *path, char separator, struct err *e)
{
  struct sheet read = {.rows = 0};
  struct table t;
  if (table_open(&t, path, separator, e) != OK)
    return FAIL;
  const enum status status = read_rows(&read, &t, e);
  table_close(&t);
  if (status == OK)
    *s = read;
  else
    sheet_clear(&read);
  return status;
}

void sheet_clear(struct sheet *s)
{
  for (size_t i = 0; i < s->columns; i++) {
    free(s->column[i].name);
    free(s->column[i].row);
    names_clear(&s->column[i].text);
  }
  free(s->column);
  *s = (struct sheet){.rows = 0};
}

/* --- queries ---------------------------------------------------------------------------------- */

const char *sheet_text(const struct sheet *s, size_t row, size_t column)
{
  const struct sheet_column *c = &s->column[column];
  return c->text.name[c->row[row]];
}

bool sheet_is_number(const struct sheet *s, size_t column)
{
  const struct names *text = &s->column[column].text;
  struct err unused;
  size_t numbers = 0;
  double value;
  for (uint32_t i = 0; i < text->count; i++) {
    if (strcmp(text->name[i], "-") == 0)
      continue;
    if (num_double(text->name[i], -DBL_MAX, DBL_MAX, &value, &unused) != OK)
      return false;
    numbers++;
  }
  return numbers > 0;
}

size_t sheet_column(const struct sheet *s, const char *name)
{
  size_t i = 0;
  while (i < s->columns && strcmp(s->column[i].name, name) != 0)
    i++;
  return i;
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Jansson's functions accept NULL for a value that could not be made, and then fail themselves. */
static int add_texts(json_t *to, const struct sheet_column *c)
{
  int failed = 0;
  json_t *text = json_array();
  for (uint32_t i = 0; failed == 0 && i < c->text.count; i++)
    failed = json_array_append_new(text, json_string(c->text.name[i]));
  return json_object_set_new(to, "text", text) | failed;
}

static int add_numbers(json_t *to, const struct sheet_column *c, size_t rows)
{
  int failed = 0;
  if (c->text.count == rows)
    return 0; /* all differ: the index of a text is its row */
  json_t *row = json_array();
  for (size_t i = 0; failed == 0 && i < rows; i++)
    failed = json_array_append_new(row, json_integer(c->row[i]));
  return json_object_set_new(to, "row", row) | failed;
}

static json_t *column_json(const struct sheet *s, size_t column, int *failed)
{
  const struct sheet_column *c = &s->column[column];
  json_t *made = json_object();
  *failed |= json_object_set_new(made, "name", json_string(c->name));
  *failed |= json_object_set_new(made, "number", json_boolean(sheet_is_number(s, column)));
  *failed |= add_texts(made, c);
  *failed |= add_numbers(made, c, s->rows);
  return made;
}

/* In JSON '<' occurs only in strings, where it can be escaped.  This keeps "</script" and "<!--"
 * out of the page. */
static int write_escaped(const char *text, size_t size, void *file)
{
  FILE *f = file;
  for (const char *end = text + size; text < end;) {
    const char *sign = memchr(text, '<', (size_t)(end - text));
    const char *stop = sign == NULL ? end : sign;
    fwrite(text, 1, (size_t)(stop - text), f);
    fputs(sign == NULL ? "" : "\\u003c", f);
    text = sign == NULL ? end : sign + 1;
  }
  return ferror(f) ? -1 : 0;
}

char *sheet_json(const struct sheet *s, struct err *e)
{
  int failed = 0;
  struct textout m;
  if (textout_begin(&m, e) != OK)
    return NULL;
  json_t *columns = json_array(), *made = json_object();
  for (size_t i = 0; failed == 0 && i < s->columns; i++)
    failed |= json_array_append_new(columns, column_json(s, i, &failed));
  failed |= json_object_set_new(made, "rows", json_integer((json_int_t)s->rows));
  failed |= json_object_set_new(made, "columns", columns);
  if (failed == 0)
    failed = json_dump_callback(made, write_escaped, m.f, JSON_COMPACT);
  json_decref(made);
  char *text = textout_end(&m, OK, e);
  if (failed == 0)
    return text;
  free(text);
  err_set(e, "out of memory");
  return NULL;
}
