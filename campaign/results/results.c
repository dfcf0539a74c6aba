#include "campaign/results/results.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/machine.h"
#include "common/containers/search.h"
#include "common/files/table.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

/* Indices of the columns given to table_read(); NUMBER is the first chosen column. */
enum { TRACE, MAPPER, STATUS, NUMBER };

struct reading_state {
  struct results *r;
  const char *machine; /* reads only its rows; NULL: all rows */
  char first[256];     /* machine of the first row */
};

/* Numbers the trace and its machine. */
static enum status add_trace(const struct reading_state *state, const char *name,
                             const char *machine, uint32_t *trace, struct err *e)
{
  struct results *r = state->r;
  uint32_t number;
  char *label = machine_subject_label(name, state->machine == NULL ? machine : "", e);
  const enum status s = label == NULL ? FAIL : names_add(&r->trace, label, trace, e);
  free(label);
  if (s != OK || names_add(&r->machine, machine, &number, e) != OK ||
      MEM_GROW(r->machine_of, r->machine_room, r->trace.count, e) != OK)
    return FAIL;
  r->machine_of[*trace] = number;
  return OK;
}

static enum status add_row(const struct reading_state *state, const struct table *t,
                           const size_t *column, const char *machine, struct err *e)
{
  struct results *r = state->r;
  struct results_row row;
  for (size_t i = 0; i < RESULTS_NUMBERS; i++)
    if (table_number(t, column[NUMBER + i], &row.value[i], e) != OK)
      return FAIL;
  if (add_trace(state, t->field[column[TRACE]], machine, &row.trace, e) != OK ||
      names_add(&r->mapper, t->field[column[MAPPER]], &row.mapper, e) != OK ||
      MEM_GROW(r->row, r->room, r->rows + 1, e) != OK)
    return FAIL;
  r->row[r->rows++] = row;
  return OK;
}

static enum status take_row(const struct reading_state *state, const struct table *t,
                            const size_t *column, const char *machine, struct err *e)
{
  struct results *r = state->r;
  const char *status = t->field[column[STATUS]];
  if (strcmp(status, "ok") == 0)
    return add_row(state, t, column, machine, e);
  if (strcmp(status, "failed") == 0)
    r->failed++;
  else if (strcmp(status, "timeout") == 0)
    r->timeouts++;
  else
    return err_at(e, t->path, t->line, "status '%.64s' is not ok, failed or timeout", status);
  return OK;
}

static enum status read_row(void *state, const struct table *t, const size_t *column, struct err *e)
{
  struct reading_state *reading = state;
  struct machine_columns at;
  if (machine_columns_of(&at, t, e) != OK)
    return FAIL;
  char *machine = machine_row_label(t, &at, e);
  enum status s = machine == NULL ? FAIL : OK;
  if (s == OK && reading->first[0] == '\0')
    snprintf(reading->first, sizeof reading->first, "%s", machine);
  if (s == OK && (reading->machine == NULL || strcmp(reading->machine, machine) == 0))
    s = take_row(reading, t, column, machine, e);
  free(machine);
  return s;
}

static enum status read_rows(struct results *r, const char *path, const char *machine,
                             const char *const *numbers, struct err *e)
{
  const char *name[NUMBER + RESULTS_NUMBERS + 1] = {"trace", "mapper", "status"};
  struct reading_state state = {.r = r, .machine = machine};
  for (size_t i = 0; numbers[i] != NULL; i++) {
    assert(i < RESULTS_NUMBERS);
    name[NUMBER + i] = numbers[i];
  }
  if (table_read(path, '\t', name, read_row, &state, e) != OK)
    return FAIL;
  if (r->rows == 0 && machine != NULL && state.first[0] == '\0')
    return err_set(e, "%s: it has no column with a platform, such as '%.200s'", path, machine);
  if (r->rows == 0 && machine != NULL)
    return err_set(e,
                   "%s: no row on platform '%.200s' has status ok (the first row is on '%.200s')",
                   path, machine, state.first);
  return r->rows > 0 ? OK : err_set(e, "%s: no row has status ok", path);
}

static int compare_cells(const struct results_row *a, uint32_t trace, uint32_t mapper)
{
  return RISING(a->trace, trace) ?: RISING(a->mapper, mapper);
}

static int by_cell(const void *a, const void *b, void *rows)
{
  const size_t i = *(const size_t *)a, k = *(const size_t *)b;
  const struct results_row *row = rows;
  return compare_cells(&row[i], row[k].trace, row[k].mapper) ?: RISING(i, k);
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

/* Index in `order` of the first row that is not before trace and mapper. */
static size_t first_of(const struct results *r, uint32_t trace, uint32_t mapper)
{
  return search(0, r->rows, is_before_cell, &(struct cell){r, trace, mapper});
}

enum status results_load(struct results *r, const char *path, const char *machine,
                         const char *const *numbers, struct err *e)
{
  struct results read = {0};
  enum status s = read_rows(&read, path, machine, numbers, e);
  if (s == OK)
    s = sort_rows(&read, e);
  if (s == OK)
    *r = read;
  else
    results_clear(&read);
  return s;
}

void results_clear(struct results *r)
{
  names_clear(&r->trace);
  names_clear(&r->mapper);
  names_clear(&r->machine);
  free(r->machine_of);
  free(r->row);
  free(r->order);
  *r = (struct results){0};
}

enum status results_find_mapper(const struct results *r, const char *mapper, uint32_t *out,
                                struct err *e)
{
  char names[512] = "";
  *out = names_find(&r->mapper, mapper);
  if (*out != NAMES_NONE)
    return OK;
  for (uint32_t i = 0; i < r->mapper.count; i++)
    err_list(names, sizeof names, r->mapper.name[i]);
  return err_set(e, "mapper '%.200s' has no row with status ok; mappers with such rows: %s", mapper,
                 names);
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
