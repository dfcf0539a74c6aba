#include "common/spec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/report.h"

const struct spec_option *spec_find(const struct spec_option *o, const char *name)
{
  while (o->name != NULL && strcmp(o->name, name) != 0)
    o++;
  return o->name == NULL ? NULL : o;
}

static enum status unknown(const struct spec_option *o, const char *name, struct err *e)
{
  char names[512] = "";
  for (; o->name != NULL; o++)
    if (o->ends == '\0')
      err_list(names, sizeof names, o->name);
  return err_set(e, "no option '%.32s'; options: %s", name, names[0] == '\0' ? "none" : names);
}

static enum status repeated(const char *name, struct err *e)
{
  return err_set(e, "option '%s' is given twice", name);
}

/* True if the option need not be given and has no default value. */
static bool is_optional(const struct spec_option *o)
{
  return o->type == SPEC_FLAG || (o->default_value != NULL && *o->default_value == '\0');
}

static bool is_text(const struct spec_option *o)
{
  return o->type == SPEC_TEXT || o->type == SPEC_REST || o->type == SPEC_INNER;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The upper limit of an integer option.  A double cannot hold UINT64_MAX. */
static uint64_t most_of(const struct spec_option *o, uint64_t type_max)
{
  return o->most > 0 && o->most < (double)type_max ? (uint64_t)o->most : type_max;
}

static enum status check_least(const struct spec_option *o, double value, struct err *e)
{
  return value >= o->least ? OK
                           : err_set(e, "%.15g is below the minimum of %.15g", value, o->least);
}

static enum status set_u32(const struct spec_option *o, const char *text, uint32_t *out,
                           struct err *e)
{
  uint64_t value;
  if (num_u64(text, most_of(o, UINT32_MAX), &value, e) != OK)
    return FAIL;
  *out = (uint32_t)value;
  return check_least(o, (double)value, e);
}

static enum status set_list(const struct spec_option *o, const char *text, struct spec_list *out,
                            struct err *e)
{
  const char separators[] = {o->separator, '\0'};
  out->count = 0;
  for (;; text++) {
    char word[64];
    const size_t n = strcspn(text, separators);
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
    if (out->count == SPEC_LIST_MOST)
      return err_set(e, "more than %d numbers", SPEC_LIST_MOST);
    if (set_u32(o, word, &out->value[out->count++], e) != OK)
      return FAIL;
    text += n;
    if (*text == '\0')
      return OK;
  }
}

static enum status set_u64(const struct spec_option *o, const char *text, uint64_t *out,
                           struct err *e)
{
  return num_u64(text, most_of(o, UINT64_MAX), out, e) == OK ? check_least(o, (double)*out, e)
                                                             : FAIL;
}

static enum status set_size(const struct spec_option *o, const char *text, uint64_t *out,
                            struct err *e)
{
  const double most = o->most > 0 ? o->most : 0x1p63;
  double bytes;
  if (num_quantity(text, NUM_SIZE, &bytes, e) != OK)
    return FAIL;
  if (bytes > most)
    return err_set(e, "%.15g bytes are above the maximum of %.15g", bytes, most);
  *out = (uint64_t)bytes;
  return check_least(o, bytes, e);
}

static enum status set_i64(const struct spec_option *o, const char *text, int64_t *out,
                           struct err *e)
{
  const int64_t most = o->most > 0 ? (int64_t)o->most : INT64_MAX;
  return num_i64(text, (int64_t)o->least, most, out, e);
}

static enum status read_double(const struct spec_option *o, const char *text, double *out,
                               struct err *e)
{
  switch (o->type) {
  case SPEC_SHARE:
    return num_share(text, o->most, out, e);
  case SPEC_SPEED:
    return num_quantity(text, NUM_SPEED, out, e);
  case SPEC_BANDWIDTH:
    return num_quantity(text, NUM_BANDWIDTH, out, e);
  case SPEC_TIME:
    return num_quantity(text, NUM_TIME, out, e);
  case SPEC_LIMIT:
    if (num_quantity_bare(text, NUM_TIME, out, e) != OK)
      return FAIL;
    return o->most == 0 || *out <= o->most ? OK : err_set(e, "%g s is above %g s", *out, o->most);
  default:
    return num_double(text, o->least, o->most > 0 ? o->most : 1e300, out, e);
  }
}

static enum status set_choice(const struct spec_option *o, const char *text, uint32_t *out,
                              struct err *e)
{
  char names[512] = "";
  for (uint32_t i = 0; o->names[i] != NULL; i++) {
    if (strcmp(o->names[i], text) == 0) {
      *out = i;
      return OK;
    }
    err_list(names, sizeof names, o->names[i]);
  }
  return err_set(e, "'%.40s' is none of %s", text, names);
}

/* Size in bytes of a field, or of the leading part of it that is 0 if the field has no value. */
static size_t size_of(const struct spec_option *o)
{
  switch (o->type) {
  case SPEC_FLAG:
    return sizeof(bool);
  case SPEC_TEXT:
  case SPEC_REST:
  case SPEC_INNER:
  case SPEC_ROW:
    return sizeof(void *);
  case SPEC_U32:
  case SPEC_LIST: /* its count */
  case SPEC_CHOICE:
    return sizeof(uint32_t);
  case SPEC_I64:
  case SPEC_U64:
  case SPEC_SIZE:
    return sizeof(uint64_t);
  default:
    return sizeof(double);
  }
}

/* Sets a field to false, 0, NULL or an empty text. */
static void set_zero(const struct spec_option *o, void *field)
{
  memset(field, 0, size_of(o));
  if (is_text(o))
    *(const char **)field = "";
}

static bool is_zero(const struct spec_option *o, const void *field)
{
  static const char ZERO[sizeof(uint64_t)];
  if (is_text(o))
    return **(const char *const *)field == '\0';
  return memcmp(field, ZERO, size_of(o)) == 0;
}

static enum status set(const struct spec_option *o, const char *text, void *record, struct err *e)
{
  void *field = (char *)record + o->at;
  switch (o->type) {
  case SPEC_FLAG:
    *(bool *)field = true;
    return OK;
  case SPEC_TEXT:
  case SPEC_REST:
  case SPEC_INNER:
    *(const char **)field = text;
    return OK;
  case SPEC_I64:
    return set_i64(o, text, field, e);
  case SPEC_U32:
    return set_u32(o, text, field, e);
  case SPEC_U64:
    return set_u64(o, text, field, e);
  case SPEC_SIZE:
    return set_size(o, text, field, e);
  case SPEC_ROW:
    return (*(const void **)field = registry_get(o->rows, text, e)) == NULL ? FAIL : OK;
  case SPEC_LIST:
    return set_list(o, text, field, e);
  case SPEC_CHOICE:
    return set_choice(o, text, field, e);
  default:
    return read_double(o, text, field, e) == OK ? check_least(o, *(double *)field, e) : FAIL;
  }
}

/* --- texts ------------------------------------------------------------------------------------ */

static bool is_option(const char *item, const char *name)
{
  const size_t n = strlen(name);
  return strncmp(item, name, n) == 0 && item[n] == '=';
}

/* True if the named option @p o begins at @p text: "NAME=", or "NAME" for a flag. */
static bool begins(const struct spec_option *o, const char *text)
{
  const size_t n = strcspn(text, ",");
  if (o->ends != '\0' || o->type != SPEC_FLAG)
    return o->ends == '\0' && is_option(text, o->name);
  return strlen(o->name) == n && strncmp(text, o->name, n) == 0;
}

/* Returns the row of the option that begins at @p text, or the last row of the table. */
static const struct spec_option *option_at(const struct spec_option *o, const char *text)
{
  while (o->name != NULL && !begins(o, text))
    o++;
  return o;
}

/* Cuts the next value of option @p o, or its next item "NAME=VALUE" or "NAME", off the front of
 * *rest, which becomes NULL at the end of the spec. */
static char *cut(const struct spec_option *options, const struct spec_option *o,
                 const char *separators, char **rest)
{
  char *value = *rest;
  char *end = o->type == SPEC_REST ? value + strlen(value) : value + strcspn(value, separators);
  while (*end == ',' && ((o->ends == '\0' && end[1] >= '0' && end[1] <= '9') ||
                         (o->type == SPEC_INNER && option_at(options, end + 1)->name == NULL)))
    end += 1 + strcspn(end + 1, separators);
  *rest = *end == '\0' ? NULL : end + 1;
  *end = '\0';
  return value;
}

enum status spec_cut(const struct spec_option *options, char *text, const char *name, char **value,
                     struct err *e)
{
  char *out = text, *rest = text;
  *value = NULL;
  while (rest != NULL) {
    const char *item = cut(options, option_at(options, rest), ",", &rest);
    const size_t n = strlen(item);
    if (is_option(item, name)) {
      if (*value != NULL)
        return repeated(name, e);
      if ((*value = mem_strdup(item + strlen(name) + 1, e)) == NULL)
        return FAIL;
      continue;
    }
    if (n == 0 && item > text)
      return unknown(options, item, e);
    if (out > text)
      *out++ = ',';
    memmove(out, item, n);
    out += n;
  }
  *out = '\0';
  return OK;
}

static enum status take(struct spec *s, const struct spec_option *o, const char *value,
                        void *record, struct err *e)
{
  const uint64_t bit = UINT64_C(1) << (o - s->options);
  struct err why;
  if (o->type != SPEC_FLAG && *value == '\0')
    return o->ends != '\0' ? err_set(e, "'%s' is missing", o->name)
                           : err_set(e, "option '%s' has no value", o->name);
  if ((s->given & bit) != 0)
    return repeated(o->name, e);
  s->given |= bit;
  if (o->ends != '\0' && o->type == SPEC_ROW) /* registry_get() names the kind of row */
    return set(o, value, record, e);
  return set(o, value, record, &why) == OK ? OK : err_set(e, "%s: %s", o->name, why.text);
}

/* Sets the flag @p item, or fails with the reason why @p item is not an option. */
static enum status take_flag(struct spec *s, char *item, void *record, struct err *e)
{
  char *value = strchr(item, '=');
  if (value != NULL)
    *value = '\0';
  const struct spec_option *o = spec_find(s->options, item);
  if (o == NULL || o->ends != '\0')
    return unknown(s->options, item, e);
  if (o->type != SPEC_FLAG)
    return err_set(e, "option '%s' has no value", item);
  return value == NULL ? take(s, o, NULL, record, e)
                       : err_set(e, "option '%s' takes no value", item);
}

/* Takes the next option off *rest. */
static enum status take_next(struct spec *s, char **rest, const char *separators, void *record,
                             struct err *e)
{
  const struct spec_option *o = s->options;
  while (o->ends != '\0' && (s->given >> (o - s->options) & 1) != 0)
    o++;
  const char ends[] = {o->ends, '\0'};
  if (o->ends != '\0')
    return take(s, o, cut(s->options, o, ends, rest), record, e);
  o = option_at(s->options, *rest);
  if (o->name != NULL && o->type != SPEC_FLAG) {
    *rest += strlen(o->name) + 1;
    return take(s, o, cut(s->options, o, separators, rest), record, e);
  }
  char *item = cut(s->options, o, separators, rest);
  const bool between_blanks = *item == '\0' && *separators != ',';
  return between_blanks ? OK : take_flag(s, item, record, e);
}

static bool is_given(const struct spec *s, const struct spec_option *o)
{
  return (s->given >> (o - s->options) & 1) != 0;
}

/* Gives an option that is not given its default. */
static enum status complete(const struct spec *s, const struct spec_option *o, void *record,
                            struct err *e)
{
  struct err why;
  if (is_given(s, o))
    return OK;
  if (is_optional(o)) {
    set_zero(o, (char *)record + o->at);
    return OK;
  }
  if (o->default_value == NULL)
    return err_set(e, "%s'%s' is missing", o->ends != '\0' ? "" : "option ", o->name);
  return set(o, o->default_value, record, &why) == OK
             ? OK
             : err_set(e, "default of %s: %s", o->name, why.text);
}

/* The option that @p o needs. */
static const struct spec_option *needed(const struct spec_option *options,
                                        const struct spec_option *o)
{
  const size_t n = strcspn(o->needs, "=");
  while (strlen(options->name) != n || strncmp(options->name, o->needs, n) != 0)
    options++;
  return options;
}

/* The value that the option that @p o needs must have; NULL: any. */
static const char *needed_value(const struct spec_option *o)
{
  const char *equals = strchr(o->needs, '=');
  return equals == NULL ? NULL : equals + 1;
}

/* True if option @p o, a SPEC_CHOICE or a text, has the value @p value. */
static bool has_value(const struct spec_option *o, const void *record, const char *value)
{
  const void *field = (const char *)record + o->at;
  return strcmp(o->type == SPEC_CHOICE ? o->names[*(const uint32_t *)field]
                                       : *(const char *const *)field,
                value) == 0;
}

/* Refuses options that exclude each other, and options without the option that they need. */
static enum status check_pairs(const struct spec *s, const void *record, struct err *e)
{
  for (const struct spec_option *o = s->options, *x; o->name != NULL; o++) {
    if (o->not_with != NULL && !is_zero(o, (const char *)record + o->at) &&
        (x = spec_find(s->options, o->not_with)) != NULL &&
        !is_zero(x, (const char *)record + x->at))
      return err_set(e, "%s= and %s=: give one of them", x->name, o->name);
    if (o->needs == NULL || !is_given(s, o))
      continue;
    x = needed(s->options, o);
    const char *value = needed_value(o);
    if (value == NULL ? !is_given(s, x) : !has_value(x, record, value))
      return err_set(e, "'%s' needs '%s'", o->name, o->needs);
  }
  return OK;
}

enum status spec_split(struct spec *s, const struct spec_option *options, char *text,
                       const char *separators, void *record, struct err *e)
{
  char *rest = *text == '\0' ? NULL : text;
  enum status status = OK;
  *s = (struct spec){.options = options};
  while (status == OK && rest != NULL)
    status = take_next(s, &rest, separators, record, e);
  for (const struct spec_option *o = options; status == OK && o->name != NULL; o++)
    status = complete(s, o, record, e);
  return status == OK ? check_pairs(s, record, e) : FAIL;
}

enum status spec_parse(struct spec *s, const struct spec_option *options, const char *text,
                       void *record, struct err *e)
{
  struct spec own = {.text = NULL};
  char *copy = mem_strdup(text, e);
  const enum status status = copy == NULL ? FAIL : spec_split(&own, options, copy, ",", record, e);
  own.text = copy;
  if (status != OK || s == NULL)
    spec_clear(&own);
  if (s != NULL)
    *s = own;
  return status;
}

const void *spec_row(const struct registry *r, const char *text, const char **options,
                     struct err *e)
{
  const size_t n = strcspn(text, ":");
  const void *row = registry_find(r, text, n);
  *options = text + n + (text[n] == ':');
  if (row == NULL)
    registry_unknown(r, text, n, e);
  else if (text[n] == ':' && **options == '\0') {
    err_set(e, "%s '%s' ends with a colon", r->what, text);
    return NULL;
  }
  return row;
}

void spec_clear(struct spec *s)
{
  free(s->text);
  *s = (struct spec){.text = NULL};
}

bool spec_given(const struct spec *s, const char *name)
{
  const struct spec_option *o = spec_find(s->options, name);
  return o != NULL && is_given(s, o);
}

/* --- printing --------------------------------------------------------------------------------- */

static void print_list(const struct spec_option *o, const struct spec_list *l, FILE *f)
{
  for (uint32_t i = 0; i < l->count; i++) {
    if (i > 0)
      fputc(o->separator, f);
    fprintf(f, "%" PRIu32, l->value[i]);
  }
}

static const char *unit_of(enum spec_type type)
{
  return type == SPEC_SPEED       ? "f"
         : type == SPEC_BANDWIDTH ? "Bps"
         : type == SPEC_TIME      ? "s"
         : type == SPEC_SIZE      ? "B"
                                  : "";
}

static void print_value(const struct spec_option *o, const void *field, FILE *f)
{
  switch (o->type) {
  case SPEC_TEXT:
  case SPEC_REST:
  case SPEC_INNER:
    fputs(*(const char *const *)field, f);
    break;
  case SPEC_U32:
    fprintf(f, "%" PRIu32, *(const uint32_t *)field);
    break;
  case SPEC_LIST:
    print_list(o, field, f);
    break;
  case SPEC_I64:
    fprintf(f, "%" PRId64, *(const int64_t *)field);
    break;
  case SPEC_U64:
  case SPEC_SIZE:
    fprintf(f, "%" PRIu64, *(const uint64_t *)field);
    break;
  case SPEC_CHOICE:
    fputs(o->names[*(const uint32_t *)field], f);
    break;
  case SPEC_ROW:
    fputs(**(const char *const *const *)field, f);
    break;
  default:
    report_number(f, *(const double *)field);
  }
}

static bool is_omitted(const struct spec_option *options, const struct spec_option *o,
                       const void *record)
{
  const struct spec_option *x = o->needs == NULL ? NULL : needed(options, o);
  const char *value = x == NULL ? NULL : needed_value(o);
  if (x != NULL && (value == NULL ? is_omitted(options, x, record) : !has_value(x, record, value)))
    return true;
  return is_optional(o) && is_zero(o, (const char *)record + o->at);
}

void spec_print(const struct spec_option *options, const void *record, FILE *f)
{
  const char *separator = "";
  for (const struct spec_option *o = options; o->name != NULL; o++) {
    if (is_omitted(options, o, record))
      continue;
    fprintf(f, "%s%s", separator, o->name);
    if (o->type != SPEC_FLAG) {
      fputc('=', f);
      print_value(o, (const char *)record + o->at, f);
      fputs(unit_of(o->type), f);
    }
    separator = ",";
  }
}
