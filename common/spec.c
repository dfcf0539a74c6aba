#define _DEFAULT_SOURCE
#include "common/spec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/report.h"

/* Returns the index of option @p name, or the number of options. */
static size_t find(const struct spec_option *o, const char *name)
{
  size_t i = 0;
  while (o[i].name != NULL && strcmp(o[i].name, name) != 0)
    i++;
  return i;
}

static enum status unknown(const struct spec_option *o, const char *name, struct err *e)
{
  char names[512] = "";
  for (; o->name != NULL; o++)
    err_list(names, sizeof names, o->name);
  return err_set(e, "no option '%.32s'; options: %s", name, names);
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

static enum status set_double(const struct spec_option *o, const char *text, double *out,
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
    return num_quantity_bare(text, NUM_TIME, out, e);
  default:
    return num_double(text, o->least, o->most > 0 ? o->most : 1e300, out, e);
  }
}

static size_t size_of(const struct spec_option *o)
{
  switch (o->type) {
  case SPEC_FLAG:
    return sizeof(bool);
  case SPEC_TEXT:
  case SPEC_REST:
  case SPEC_ROW:
    return sizeof(void *);
  case SPEC_U32:
    return sizeof(uint32_t);
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
  if (o->type == SPEC_TEXT || o->type == SPEC_REST)
    *(const char **)field = "";
}

static bool is_zero(const struct spec_option *o, const void *field)
{
  static const char ZERO[sizeof(uint64_t)];
  if (o->type == SPEC_TEXT || o->type == SPEC_REST)
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
    *(const char **)field = text;
    return OK;
  case SPEC_U32:
    return set_u32(o, text, field, e);
  case SPEC_U64:
    return set_u64(o, text, field, e);
  case SPEC_SIZE:
    return set_size(o, text, field, e);
  case SPEC_ROW:
    return (*(const void **)field = registry_get(o->rows, text, e)) == NULL ? FAIL : OK;
  default:
    return set_double(o, text, field, e);
  }
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Cuts the next "NAME=VALUE" off *rest. */
static char *next_item(const struct spec_option *o, char **rest)
{
  for (; o->name != NULL; o++) {
    const size_t n = strlen(o->name);
    if (o->type == SPEC_REST && strncmp(*rest, o->name, n) == 0 && (*rest)[n] == '=') {
      char *item = *rest;
      *rest = NULL;
      return item;
    }
  }
  return strsep(rest, ",");
}

static enum status take(struct spec *s, char *item, void *record, struct err *e)
{
  struct err why;
  char *value = strchr(item, '=');
  if (value != NULL)
    *value++ = '\0';
  const size_t i = find(s->options, item);
  const struct spec_option *o = &s->options[i];
  if (o->name == NULL)
    return unknown(s->options, item, e);
  if (o->type == SPEC_FLAG && value != NULL)
    return err_set(e, "option '%s' takes no value", item);
  if (o->type != SPEC_FLAG && (value == NULL || *value == '\0'))
    return err_set(e, "option '%s' has no value", item);
  if (s->given >> i & 1)
    return err_set(e, "option '%s' is given twice", item);
  s->given |= UINT64_C(1) << i;
  return set(o, value, record, &why) == OK ? OK : err_set(e, "%s: %s", item, why.text);
}

static enum status set_defaults(const struct spec *s, void *record, struct err *e)
{
  struct err why;
  for (size_t i = 0; s->options[i].name != NULL; i++) {
    const struct spec_option *o = &s->options[i];
    if (s->given >> i & 1)
      continue;
    if (o->type == SPEC_FLAG || (o->default_value != NULL && *o->default_value == '\0'))
      set_zero(o, (char *)record + o->at);
    else if (o->default_value == NULL)
      return err_set(e, "option '%s' is missing", o->name);
    else if (set(o, o->default_value, record, &why) != OK)
      return err_set(e, "default of %s: %s", o->name, why.text);
  }
  return OK;
}

enum status spec_parse(struct spec *s, const struct spec_option *options, const char *text,
                       void *record, struct err *e)
{
  *s = (struct spec){.options = options, .text = mem_strdup(text, e)};
  enum status status = s->text == NULL ? FAIL : OK;
  char *rest = *text == '\0' ? NULL : s->text;
  while (status == OK && rest != NULL)
    status = take(s, next_item(options, &rest), record, e);
  if (status == OK)
    status = set_defaults(s, record, e);
  if (status != OK)
    spec_clear(s);
  return status;
}

void spec_clear(struct spec *s)
{
  free(s->text);
  *s = (struct spec){.text = NULL};
}

bool spec_given(const struct spec *s, const char *name)
{
  return s->given >> find(s->options, name) & 1;
}

/* --- printing --------------------------------------------------------------------------------- */

static void print_value(const struct spec_option *o, const void *field, FILE *f)
{
  switch (o->type) {
  case SPEC_TEXT:
  case SPEC_REST:
    fputs(*(const char *const *)field, f);
    break;
  case SPEC_U32:
    fprintf(f, "%" PRIu32, *(const uint32_t *)field);
    break;
  case SPEC_U64:
  case SPEC_SIZE:
    fprintf(f, "%" PRIu64, *(const uint64_t *)field);
    break;
  case SPEC_ROW:
    fputs(**(const char *const *const *)field, f);
    break;
  default:
    report_number(f, *(const double *)field);
  }
}

void spec_print(const struct spec_option *options, const void *record, FILE *f)
{
  const char *separator = "";
  for (const struct spec_option *o = options; o->name != NULL; o++) {
    const void *field = (const char *)record + o->at;
    if ((o->type == SPEC_FLAG || (o->default_value != NULL && *o->default_value == '\0')) &&
        is_zero(o, field))
      continue;
    fprintf(f, "%s%s", separator, o->name);
    if (o->type != SPEC_FLAG) {
      fputc('=', f);
      print_value(o, field, f);
    }
    separator = ",";
  }
}
