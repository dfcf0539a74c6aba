#include "common/cli_option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/textout.h"
#include "common/mem.h"
#include "common/report.h"

#define KEY(kind) (1u << OPTION_KEY_##kind)

const struct cli_option_style cli_option_command = {" --", " ", "", .command = true, .keys = ~0u};
const struct cli_option_style cli_option_key = {" ", "=", "", .keys = KEY(CHANGED) | KEY(ALWAYS)};
const struct cli_option_style cli_option_whole_key = {" ", "=", "", .keys = ~KEY(NEVER)};
const struct cli_option_style cli_option_rest = {"", " ", "\n", .keys = KEY(NEVER)};

/* --- tables ----------------------------------------------------------------------------------- */

enum status cli_option_each(const struct cli_option *table, size_t base, cli_option_visit *visit,
                            void *state, struct err *e)
{
  enum status s = OK;
  for (const struct cli_option *row = table;
       s == OK && (row->name != NULL || row->kind >= OPTION_TABLE); row++)
    s = row->kind == OPTION_TABLE ? cli_option_each(row->table, base + row->at, visit, state, e)
                                  : visit(row, base, state, e);
  return s;
}

const struct cli_option *cli_option_find(const struct cli_option *table, const char *name, size_t n)
{
  const struct cli_option *found = NULL;
  for (const struct cli_option *row = table;
       found == NULL && (row->name != NULL || row->kind >= OPTION_TABLE); row++)
    if (row->kind == OPTION_TABLE)
      found = cli_option_find(row->table, name, n);
    else if (row->name != NULL && strlen(row->name) == n && strncmp(row->name, name, n) == 0)
      found = row;
  return found;
}

/* --- parsing ---------------------------------------------------------------------------------- */

static enum status parse_number(const struct cli_option *row, void *field, const char *text,
                                struct err *e)
{
  uint64_t value;
  if (num_u64(text, row->max, &value, e) != OK)
    return FAIL;
  if (value < row->min)
    return err_set(e, "%" PRIu64 " is below the minimum of %" PRIu64, value, row->min);
  if (row->kind == OPTION_U64)
    *(uint64_t *)field = value;
  else
    *(uint32_t *)field = (uint32_t)value;
  return OK;
}

static enum status parse_size(uint64_t *field, const char *text, struct err *e)
{
  double bytes;
  if (num_quantity(text, NUM_SIZE, &bytes, e) != OK)
    return FAIL;
  *field = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
  return OK;
}

static enum status parse_quantity(const struct cli_option *row, double *field, const char *text,
                                  struct err *e)
{
  if ((row->bare ? num_quantity_bare : num_quantity)(text, row->unit, field, e) != OK)
    return FAIL;
  return *field > 0 || row->least <= 0 ? OK : err_set(e, "'%s' is not above 0", text);
}

enum status cli_option_parse(const struct cli_option *row, void *record, char *text, struct err *e)
{
  void *field = (char *)record + row->at;
  switch (row->kind) {
  case OPTION_TEXT:
    *(const char **)field = text;
    return OK;
  case OPTION_FLAG:
    *(bool *)field = true;
    return OK;
  case OPTION_U32:
  case OPTION_U64:
    return parse_number(row, field, text, e);
  case OPTION_SIZE:
    return parse_size(field, text, e);
  case OPTION_DOUBLE:
    return num_double(text, row->least, row->most, field, e);
  case OPTION_SHARE:
    return num_share(text, row->most, field, e);
  case OPTION_QUANTITY:
    return parse_quantity(row, field, text, e);
  case OPTION_ROW:
    *(const void **)field = registry_get(row->rows, text, e);
    return *(const void **)field == NULL ? FAIL : OK;
  default:
    return row->parse(field, text, e);
  }
}

/* --- values ----------------------------------------------------------------------------------- */

bool cli_option_differs(const struct cli_option *row, const void *record, const void *usual)
{
  static const size_t SIZE[] = {
      [OPTION_TEXT] = sizeof(char *),   [OPTION_FLAG] = sizeof(bool),
      [OPTION_U32] = sizeof(uint32_t),  [OPTION_U64] = sizeof(uint64_t),
      [OPTION_SIZE] = sizeof(uint64_t), [OPTION_DOUBLE] = sizeof(double),
      [OPTION_SHARE] = sizeof(double),  [OPTION_QUANTITY] = sizeof(double),
      [OPTION_ROW] = sizeof(void *)};
  return row->kind == OPTION_PARSE || memcmp((const char *)record + row->at,
                                             (const char *)usual + row->at, SIZE[row->kind]) != 0;
}

/* Prints the value of a row that has one value and a type. */
static void print_field(const struct cli_option *row, const void *field, FILE *f)
{
  static const char *const UNIT[] = {
      [NUM_SPEED] = "f", [NUM_BANDWIDTH] = "Bps", [NUM_SIZE] = "B", [NUM_TIME] = "s"};
  if (row->kind == OPTION_U32 || row->kind == OPTION_U64 || row->kind == OPTION_SIZE) {
    const uint64_t value =
        row->kind == OPTION_U32 ? *(const uint32_t *)field : *(const uint64_t *)field;
    if (value < row->min)
      fputc('-', f);
    else
      fprintf(f, "%" PRIu64 "%s", value, row->kind == OPTION_SIZE ? "B" : "");
  } else if (row->kind == OPTION_DOUBLE || row->kind == OPTION_SHARE ||
             row->kind == OPTION_QUANTITY) {
    report_number(f, *(const double *)field);
    fputs(row->kind == OPTION_QUANTITY ? UNIT[row->unit] : "", f);
  } else if (row->kind == OPTION_ROW) {
    fputs(**(const char *const *const *)field, f);
  } else if (row->kind == OPTION_TEXT) {
    fputs(*(const char *const *)field, f);
  }
}

enum status cli_option_value(char **out, const struct cli_option *row, const void *record, size_t i,
                             struct err *e)
{
  const void *field = (const char *)record + row->at;
  struct textout text;
  *out = NULL;
  if (textout_begin(&text, e) != OK)
    return FAIL;
  const bool has = row->kind == OPTION_PARSE ? row->print(field, i, text.f) : i == 0;
  if (has && row->kind != OPTION_PARSE)
    print_field(row, field, text.f);
  *out = textout_end(&text, OK, e);
  const enum status s = *out == NULL ? FAIL : OK;
  if (!has) {
    free(*out);
    *out = NULL;
  }
  return s;
}

/* --- printing --------------------------------------------------------------------------------- */

void cli_option_quote(FILE *f, const char *text)
{
  static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_@%+=:,./-";
  if (*text != '\0' && strspn(text, PLAIN) == strlen(text)) {
    fputs(text, f);
    return;
  }
  fputc('\'', f);
  for (; *text != '\0'; text++)
    if (*text == '\'')
      fputs("'\\''", f);
    else
      fputc(*text, f);
  fputc('\'', f);
}

struct printer {
  const struct cli_option_style *style;
  const char *record, *usual;
  FILE *f;
};

static void print_value(const struct printer *p, const struct cli_option *row, const char *value)
{
  const bool flag = row->kind == OPTION_FLAG;
  fprintf(p->f, "%s%s%s", p->style->before, row->name, flag ? "" : p->style->between);
  if (p->style->command && !flag)
    cli_option_quote(p->f, value);
  else
    fputs(value, p->f);
  fputs(p->style->after, p->f);
}

static enum status print_row(const struct cli_option *row, size_t base, void *state, struct err *e)
{
  const struct printer *p = state;
  const bool always = !p->style->command && row->key == OPTION_KEY_ALWAYS;
  if ((p->style->keys >> row->key & 1) == 0 ||
      (!always && !cli_option_differs(row, p->record + base, p->usual + base)))
    return OK;
  for (size_t i = 0;; i++) {
    OWNED char *value = NULL;
    if (cli_option_value(&value, row, p->record + base, i, e) != OK)
      return FAIL;
    if (value == NULL)
      return OK;
    print_value(p, row, value);
    if (!p->style->command && row->more != NULL && row->more(p->record + base, i, p->f, e) != OK)
      return FAIL;
  }
}

char *cli_option_text(const struct cli_option_style *style, const struct cli_option *table,
                      const void *record, const void *usual, struct err *e)
{
  struct textout out;
  if (textout_begin(&out, e) != OK)
    return NULL;
  struct printer p = {style, record, usual, out.f};
  char *text = textout_end(&out, cli_option_each(table, 0, print_row, &p, e), e);
  if (text != NULL && *text == ' ')
    memmove(text, text + 1, strlen(text));
  return text;
}
