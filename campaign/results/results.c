#define _GNU_SOURCE
#include "campaign/results/results.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/search.h"
#include "common/files/table.h"
#include "common/mem.h"

/* Index of an optional column that the table does not have. */
#define MISSING SIZE_MAX

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
    const bool optional = numbers[c->numbers][0] == '?';
    struct err ignored;
    if (table_column(t, numbers[c->numbers] + optional, &c->number[c->numbers],
                     optional ? &ignored : e) == OK)
      continue;
    if (!optional)
      return FAIL;
    c->number[c->numbers] = MISSING;
  }
  if (table_column(t, "trace", &c->trace, e) != OK ||
      table_column(t, "mapper", &c->mapper, e) != OK)
    return FAIL;
  return table_column(t, "status", &c->status, e);
}

/* Entry of the name tree; also the key to look it up. */
struct named {
  const char *name;
  uint32_t number;
};

static int by_name(const void *a, const void *b)
{
  return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static enum status add_name(struct results_names *n, const char *name, struct err *e)
{
  if (MEM_GROW(n->name, n->room, n->count + 1, e) != OK)
    return FAIL;
  char *copy = mem_strdup(name, e);
  struct named *node = copy == NULL ? NULL : mem_array(1, sizeof *node, e);
  if (node == NULL) {
    free(copy);
    return FAIL;
  }
  *node = (struct named){copy, (uint32_t)n->count};
  if (tsearch(node, &n->tree, by_name) == NULL) {
    free(copy);
    free(node);
    return err_set(e, "out of memory");
  }
  n->name[n->count++] = copy;
  return OK;
}

/* Index of a name, which is added if it is new. */
static enum status intern(struct results_names *n, const char *name, uint32_t *out, struct err *e)
{
  const struct named key = {.name = name};
  struct named *const *found = tfind(&key, &n->tree, by_name);
  if (found == NULL && add_name(n, name, e) != OK)
    return FAIL;
  *out = found == NULL ? (uint32_t)n->count - 1 : (*found)->number;
  return OK;
}

static enum status read_row(struct results *r, const struct table *t, const struct columns *c,
                            struct err *e)
{
  struct results_row row;
  for (size_t i = 0; i < RESULTS_NUMBERS; i++) {
    row.value[i] = NAN;
    if (i < c->numbers && c->number[i] != MISSING && strcmp(t->field[c->number[i]], "-") != 0 &&
        table_double(t, c->number[i], 0, DBL_MAX, &row.value[i], e) != OK)
      return FAIL;
  }
  if (intern(&r->trace, t->field[c->trace], &row.trace, e) != OK ||
      intern(&r->mapper, t->field[c->mapper], &row.mapper, e) != OK)
    return FAIL;
  if (MEM_GROW(r->row, r->room, r->rows + 1, e) != OK)
    return FAIL;
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

static int compare_cells(const struct results_row *a, uint32_t trace, uint32_t mapper)
{
  if (a->trace != trace)
    return a->trace < trace ? -1 : 1;
  return (a->mapper > mapper) - (a->mapper < mapper);
}

static int by_cell(const void *a, const void *b, void *rows)
{
  const size_t i = *(const size_t *)a, k = *(const size_t *)b;
  const struct results_row *row = rows;
  const int order = compare_cells(&row[i], row[k].trace, row[k].mapper);
  return order != 0 ? order : (i > k) - (i < k);
}

static enum status sort_rows(struct results *r, struct err *e)
{
  if ((r->order = mem_array(r->rows, sizeof *r->order, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < r->rows; i++)
    r->order[i] = i;
  qsort_r(r->order, r->rows, sizeof *r->order, by_cell, r->row);
  return OK;
}

struct cell {
  const struct results *results;
  uint32_t trace, mapper;
};

static bool is_before_cell(const void *key, size_t i)
{
  const struct cell *c = key;
  const struct results *r = c->results;
  return compare_cells(&r->row[r->order[i]], c->trace, c->mapper) < 0;
}

/* Index in `order` of the first row of a trace and mapper or, if none, of the first row after them.
 */
static size_t first_of(const struct results *r, uint32_t trace, uint32_t mapper)
{
  return search(0, r->rows, is_before_cell, &(struct cell){r, trace, mapper});
}

enum status results_load(struct results *r, const char *path, const char *const *numbers,
                         struct err *e)
{
  struct results read = {0};
  struct table t;
  if (table_open(&t, path, '\t', e) != OK)
    return FAIL;
  enum status s = read_rows(&read, &t, numbers, e);
  table_close(&t);
  if (s == OK)
    s = sort_rows(&read, e);
  if (s == OK)
    *r = read;
  else
    results_clear(&read);
  return s;
}

static void clear_names(struct results_names *n)
{
  tdestroy(n->tree, free);
  for (size_t i = 0; i < n->count; i++)
    free(n->name[i]);
  free(n->name);
}

void results_clear(struct results *r)
{
  clear_names(&r->trace);
  clear_names(&r->mapper);
  free(r->row);
  free(r->order);
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
  return err_set(e, "no row of mapper '%.200s' is ok; mappers with such rows: %s", mapper, names);
}

struct results_spread results_spread(const struct results *r, uint32_t trace, uint32_t mapper,
                                     size_t number)
{
  struct results_spread s = {0};
  for (size_t i = first_of(r, trace, mapper); i < r->rows; i++) {
    const struct results_row *row = &r->row[r->order[i]];
    const double value = row->value[number];
    if (compare_cells(row, trace, mapper) != 0)
      break;
    if (isnan(value))
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

void results_relative(struct results *r, uint32_t baseline, size_t number)
{
  for (size_t i = 0, k; i < r->rows; i = k) {
    const uint32_t trace = r->row[r->order[i]].trace;
    const double base = results_spread(r, trace, baseline, number).mean;
    for (k = i; k < r->rows && r->row[r->order[k]].trace == trace; k++) {
      double *value = &r->row[r->order[k]].value[number];
      *value = base > 0 ? *value / base : NAN;
    }
  }
}

double results_geometric_mean(const double *value, size_t n)
{
  double logs = 0;
  for (size_t i = 0; i < n; i++)
    logs += log(value[i]);
  return exp(logs / (double)n);
}
