#define _DEFAULT_SOURCE
#include "common/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct field *find(struct field *fields, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(fields[i].name, name) == 0)
      return &fields[i];
  return NULL;
}

static enum status unknown(const struct field *fields, size_t n, const char *name, struct err *e)
{
  char names[200] = "";
  for (size_t i = 0; i < n; i++)
    err_list(names, sizeof names, fields[i].name);
  return err_set(e, "no field '%.32s'; fields: %s", name, names);
}

enum status fields_take(struct field *fields, size_t n, char *word, struct err *e)
{
  char *value = strchr(word, '=');
  if (value != NULL)
    *value++ = '\0';
  struct field *f = find(fields, n, word);
  if (f == NULL)
    return unknown(fields, n, word, e);
  if (value == NULL || *value == '\0')
    return err_set(e, "field '%s' has no value", word);
  if (f->value[0] != '\0')
    return err_set(e, "field '%s' is given twice", word);
  if (strlen(value) >= sizeof f->value)
    return err_set(e, "field '%s' is longer than %zu bytes", word, sizeof f->value - 1);
  snprintf(f->value, sizeof f->value, "%s", value);
  return OK;
}

enum status fields_parse(struct field *fields, size_t n, const char *text, struct err *e)
{
  char copy[FIELDS_LONGEST], *rest = copy;
  if (strlen(text) >= sizeof copy)
    return err_set(e, "longer than %d bytes", FIELDS_LONGEST - 1);
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word; (word = strsep(&rest, ",")) != NULL;)
    if (fields_take(fields, n, word, e) != OK)
      return FAIL;
  return OK;
}

enum status fields_list(const char *name, const char *text, char separator, uint32_t most,
                        uint32_t *out, uint32_t room, uint32_t *count, struct err *e)
{
  char word[FIELDS_LONGEST];
  const char ends[] = {separator, '\0'};
  for (*count = 0;; text++) {
    const size_t n = strcspn(text, ends);
    struct err why;
    uint64_t value = 0;
    if (*count == room)
      return err_set(e, "%s: more than %" PRIu32 " numbers", name, room);
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
    if (num_u64(word, most, &value, &why) != OK)
      return err_set(e, "%s: %s", name, why.text);
    if (value == 0)
      return err_set(e, "%s: 0 is below the minimum of 1", name);
    out[(*count)++] = (uint32_t)value;
    text += n;
    if (*text == '\0')
      return OK;
  }
}

enum status fields_number(const struct field *f, uint32_t most, uint32_t fallback, uint32_t *out,
                          struct err *e)
{
  uint32_t count;
  *out = fallback;
  if (f->value[0] != '\0')
    return fields_list(f->name, f->value, ',', most, out, 1, &count, e);
  return fallback > 0 ? OK : err_set(e, "field '%s' is missing", f->name);
}

enum status fields_quantity(const struct field *f, enum num_unit unit, double fallback, double *out,
                            struct err *e)
{
  struct err why;
  *out = fallback;
  return f->value[0] == '\0' || num_quantity(f->value, unit, out, &why) == OK
             ? OK
             : err_set(e, "%s: %s", f->name, why.text);
}
