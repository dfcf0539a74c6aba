#include "common/column.h"

#include <float.h>
#include <inttypes.h>

#include "common/num.h"

static uint64_t whole(const struct column *c, const void *field)
{
  return c->type == COLUMN_U64 ? *(const uint64_t *)field : *(const uint32_t *)field;
}

void column_print(const struct column *c, const void *record, FILE *f)
{
  const void *field = (const char *)record + c->offset;
  if (c->type == COLUMN_DOUBLE)
    report_number(f, *(const double *)field);
  else
    fprintf(f, "%" PRIu64, whole(c, field));
}

enum status column_read(const struct column *c, void *record, const char *text, struct err *e)
{
  void *field = (char *)record + c->offset;
  uint64_t value;
  if (c->type == COLUMN_DOUBLE)
    return num_double(text, 0, DBL_MAX, field, e);
  if (num_u64(text, c->type == COLUMN_U64 ? UINT64_MAX : UINT32_MAX, &value, e) != OK)
    return FAIL;
  if (c->type == COLUMN_U64)
    *(uint64_t *)field = value;
  else
    *(uint32_t *)field = (uint32_t)value;
  return OK;
}

double column_value(const struct column *c, const void *record)
{
  const void *field = (const char *)record + c->offset;
  return c->type == COLUMN_DOUBLE ? *(const double *)field : (double)whole(c, field);
}

void column_set(const struct column *c, void *record, double value)
{
  void *field = (char *)record + c->offset;
  if (c->type == COLUMN_DOUBLE)
    *(double *)field = value;
  else if (c->type == COLUMN_U64)
    *(uint64_t *)field = (uint64_t)(value + 0.5);
  else
    *(uint32_t *)field = (uint32_t)(value + 0.5);
}

void column_report(const struct column *table, const void *record, struct report *r)
{
  for (const struct column *c = table; c->name != NULL; c++) {
    const void *field = (const char *)record + c->offset;
    if (c->type == COLUMN_DOUBLE)
      report_double(r, c->name, *(const double *)field);
    else
      report_u64(r, c->name, whole(c, field));
  }
}
