#include "cli/results.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "common/mem.h"

struct columns {
  size_t trace, mapper, status;
  size_t number[RESULTS_NUMBERS];
  size_t numbers;
};

static enum status find_columns(const struct table *t, const char *const *numbers,
                                struct columns *c, struct err *e)
{
  c->numbers = 0;
  for (; numbers[c->numbers] != NULL; c->numbers++) {
    assert(c->numbers < RESULTS_NUMBERS);
    if (table_column(t, numbers[c->numbers], &c->number[c->numbers], e) != OK)
      return FAIL;
  }
  if (table_column(t, "trace", &c->trace, e) != OK ||
      table_column(t, "mapper", &c->mapper, e) != OK)
    return FAIL;
  return table_column(t, "status", &c->status, e);
}

/* The number of a name, which is added if it is new. */
static enum status intern(struct results_names *n, const char *name, uint32_t *out, struct err *e)
{
  size_t i = 0;
  while (i < n->count && strcmp(n->name[i], name) != 0)
    i++;
  *out = (uint32_t)i;
  if (i < n->count)
    return OK;
  void *names = n->name;
  if (mem_grow(&names, &n->room, n->count + 1, sizeof *n->name, e) != OK)
    return FAIL;
  n->name = names;
  if ((n->name[i] = mem_strdup(name, e)) == NULL)
    return FAIL;
  n->count++;
  return OK;
}

static enum status read_row(struct results *r, const struct table *t, const struct columns *c,
                            struct err *e)
{
  struct results_row row;
  for (size_t i = 0; i < c->numbers; i++) {
    row.value[i] = NAN;
    if (strcmp(t->field[c->number[i]], "-") != 0 &&
        table_double(t, c->number[i], 0, DBL_MAX, &row.value[i], e) != OK)
      return FAIL;
  }
  if (intern(&r->trace, t->field[c->trace], &row.trace, e) != OK ||
      intern(&r->mapper, t->field[c->mapper], &row.mapper, e) != OK)
    return FAIL;
  void *rows = r->row;
  if (mem_grow(&rows, &r->room, r->rows + 1, sizeof row, e) != OK)
    return FAIL;
  r->row = rows;
  r->row[r->rows++] = row;
  return OK;
}

static enum status read_status(struct results *r, const struct table *t, const struct columns *c,
                               struct err *e)
{
  const char *status = t->field[c->status];
  if (strcmp(status, "ok") == 0)
    return read_row(r, t, c, e);
  if (strcmp(status, "failed") == 0)
    r->failed++;
  else if (strcmp(status, "timeout") == 0)
    r->timeouts++;
  else
    return err_at(e, t->path, t->line, "status '%.64s' is not ok, failed or timeout", status);
  return OK;
}

static enum status read_rows(struct results *r, struct table *t, const char *const *numbers,
                             struct err *e)
{
  struct columns c;
  bool more = true;
  if (find_columns(t, numbers, &c, e) != OK)
    return FAIL;
  while (more)
    if (table_next(t, &more, e) != OK || (more && read_status(r, t, &c, e) != OK))
      return FAIL;
  return r->rows > 0 ? OK : err_set(e, "%s: no row is ok", t->path);
}

enum status results_load(struct results *r, const char *path, const char *const *numbers,
                         struct err *e)
{
  struct results read = {0};
  struct table t;
  if (table_open(&t, path, '\t', e) != OK)
    return FAIL;
  const enum status s = read_rows(&read, &t, numbers, e);
  table_close(&t);
  if (s == OK)
    *r = read;
  else
    results_clear(&read);
  return s;
}

static void clear_names(struct results_names *n)
{
  for (size_t i = 0; i < n->count; i++)
    free(n->name[i]);
  free(n->name);
}

void results_clear(struct results *r)
{
  clear_names(&r->trace);
  clear_names(&r->mapper);
  free(r->row);
  *r = (struct results){0};
}

enum status results_find_mapper(const struct results *r, const char *mapper, uint32_t *out,
                                struct err *e)
{
  char names[512] = "";
  for (size_t i = 0; i < r->mapper.count; i++) {
    if (strcmp(r->mapper.name[i], mapper) == 0) {
      *out = (uint32_t)i;
      return OK;
    }
    err_list(names, sizeof names, r->mapper.name[i]);
  }
  return err_set(e, "no row of mapper '%.200s' is ok; there are: %s", mapper, names);
}

struct results_spread results_spread(const struct results *r, uint32_t trace, uint32_t mapper,
                                     size_t number)
{
  struct results_spread s = {0};
  for (size_t i = 0; i < r->rows; i++) {
    const struct results_row *row = &r->row[i];
    const double value = row->value[number];
    if (row->trace != trace || row->mapper != mapper || isnan(value))
      continue;
    s.min = s.count == 0 || value < s.min ? value : s.min;
    s.max = s.count == 0 || value > s.max ? value : s.max;
    s.mean += value;
    s.count++;
  }
  if (s.count > 0)
    s.mean /= (double)s.count;
  return s;
}

static void relate_trace(struct results *r, uint32_t trace, uint32_t baseline, size_t number)
{
  const double base = results_spread(r, trace, baseline, number).mean;
  for (size_t i = 0; i < r->rows; i++)
    if (r->row[i].trace == trace)
      r->row[i].value[number] = base > 0 ? r->row[i].value[number] / base : NAN;
}

void results_relative(struct results *r, uint32_t baseline, size_t number)
{
  for (size_t i = 0; i < r->trace.count; i++)
    relate_trace(r, (uint32_t)i, baseline, number);
}

double results_geometric_mean(const double *value, size_t n)
{
  double logs = 0;
  for (size_t i = 0; i < n; i++)
    logs += log(value[i]);
  return exp(logs / (double)n);
}
