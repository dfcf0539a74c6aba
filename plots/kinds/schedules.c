#include "plots/kinds/schedules.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/machine.h"
#include "common/files/table.h"
#include "common/mem.h"

/* A row with status ok. */
struct row {
  uint32_t network, load, scheduler;
  struct schedules_cell cell;
};

struct reading_state {
  struct schedules *s;
  const char *machine; /* the only one to read; NULL: all */
  struct row *row;
  size_t rows, room;
};

enum { NETWORK, LOAD, SCHEDULER, STATUS, MAKESPAN, USE };

/* Numbers the network and its machine. */
static enum status add_network(const struct reading_state *r, const char *name, const char *machine,
                               uint32_t *network, struct err *e)
{
  struct schedules *s = r->s;
  uint32_t number;
  OWNED char *label = machine_subject_label(name, r->machine == NULL ? machine : "", e);
  const enum status status = label == NULL ? FAIL : names_add(&s->network, label, network, e);
  if (status != OK || names_add(&s->machine, machine, &number, e) != OK ||
      MEM_GROW(s->machine_of, s->machine_room, s->network.count, e) != OK)
    return FAIL;
  s->machine_of[*network] = number;
  return OK;
}

static enum status take_row(struct reading_state *r, const struct table *t, const size_t *column,
                            const char *machine, struct err *e)
{
  struct schedules *s = r->s;
  const char *status = t->field[column[STATUS]];
  struct row row;
  s->failed += strcmp(status, "failed") == 0;
  s->timeouts += strcmp(status, "timeout") == 0;
  if (strcmp(status, "ok") != 0)
    return OK;
  if (add_network(r, t->field[column[NETWORK]], machine, &row.network, e) != OK ||
      names_add(&s->load, t->field[column[LOAD]], &row.load, e) != OK ||
      names_add(&s->scheduler, t->field[column[SCHEDULER]], &row.scheduler, e) != OK ||
      table_double(t, column[MAKESPAN], 0, DBL_MAX, &row.cell.makespan_s, e) != OK ||
      table_double(t, column[USE], 0, DBL_MAX, &row.cell.use, e) != OK ||
      MEM_GROW(r->row, r->room, r->rows + 1, e) != OK)
    return FAIL;
  r->row[r->rows++] = row;
  return OK;
}

static enum status read_row(void *state, const struct table *t, const size_t *column, struct err *e)
{
  struct reading_state *r = state;
  struct machine_columns at;
  if (machine_columns_of(&at, t, e) != OK)
    return FAIL;
  char *machine = machine_row_label(t, &at, e);
  enum status s = machine == NULL ? FAIL : OK;
  if (s == OK && (r->machine == NULL || strcmp(r->machine, machine) == 0))
    s = take_row(r, t, column, machine, e);
  free(machine);
  return s;
}

static enum status read_table(struct reading_state *r, const char *path, struct err *e)
{
  static const char *const NAMES[] = {"network",    "load",        "scheduler", "status",
                                      "makespan_s", "machine_use", NULL};
  if (table_read(path, '\t', NAMES, read_row, r, e) != OK)
    return FAIL;
  if (r->rows > 0)
    return OK;
  return r->machine == NULL
             ? err_set(e, "%s: no row has status ok", path)
             : err_set(e, "%s: no row of machine '%.200s' has status ok", path, r->machine);
}

static size_t index_of(const struct schedules *s, uint32_t network, uint32_t load,
                       uint32_t scheduler)
{
  return ((size_t)network * s->load.count + load) * s->scheduler.count + scheduler;
}

static const struct schedules_cell *cell_at(const struct schedules *s, uint32_t network,
                                            uint32_t load, uint32_t scheduler)
{
  return &s->cell[index_of(s, network, load, scheduler)];
}

static enum status fill(struct schedules *s, const struct row *row, size_t rows, struct err *e)
{
  const size_t n = (size_t)s->network.count * s->load.count * s->scheduler.count;
  if ((s->cell = mem_array(n, sizeof *s->cell, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    s->cell[i] = (struct schedules_cell){NAN, NAN};
  for (size_t i = 0; i < rows; i++)
    s->cell[index_of(s, row[i].network, row[i].load, row[i].scheduler)] = row[i].cell;
  return OK;
}

static enum status find_baseline(struct schedules *s, const char *path, const char *name,
                                 struct err *e)
{
  char names[512] = "";
  const uint32_t found =
      names_find(&s->scheduler, name == NULL ? kind_networks.default_baseline : name);
  s->baseline = found == NAMES_NONE ? 0 : found;
  if (name == NULL || found != NAMES_NONE)
    return OK;
  for (uint32_t i = 0; i < s->scheduler.count; i++)
    err_list(names, sizeof names, s->scheduler.name[i]);
  return err_set(e, "%s: no row of scheduler '%.200s' is ok; schedulers with such rows: %s", path,
                 name, names);
}

enum status schedules_load(struct schedules *s, const char *path, const char *machine,
                           const char *baseline, struct err *e)
{
  struct schedules read = {.cell = NULL};
  struct reading_state r = {.s = &read, .machine = machine};
  const enum status status = read_table(&r, path, e) == OK && fill(&read, r.row, r.rows, e) == OK &&
                                     find_baseline(&read, path, baseline, e) == OK
                                 ? OK
                                 : FAIL;
  free(r.row);
  if (status == OK)
    *s = read;
  else
    schedules_clear(&read);
  return status;
}

void schedules_clear(struct schedules *s)
{
  names_clear(&s->network);
  names_clear(&s->load);
  names_clear(&s->scheduler);
  names_clear(&s->machine);
  free(s->machine_of);
  free(s->cell);
  *s = (struct schedules){.cell = NULL};
}

/* Makespan relative to the baseline; NAN without a row of the baseline, or if a makespan is 0. */
static double ratio_of(const struct schedules *s, uint32_t network, uint32_t load,
                       uint32_t scheduler)
{
  const double makespan = cell_at(s, network, load, scheduler)->makespan_s;
  const double base = cell_at(s, network, load, s->baseline)->makespan_s;
  return makespan > 0 && base > 0 ? makespan / base : NAN;
}

/* Adds the ratios of a network under its loads; sums their logarithms. */
static void add_ratios(struct results_spread *x, double *logs, const struct schedules *s,
                       uint32_t network, uint32_t scheduler)
{
  for (uint32_t l = 0; l < s->load.count; l++) {
    const double ratio = ratio_of(s, network, l, scheduler);
    if (isnan(ratio))
      continue;
    x->min = fmin(x->min, ratio);
    x->max = fmax(x->max, ratio);
    *logs += log(ratio);
    x->count++;
  }
}

static struct results_spread end_ratios(struct results_spread x, double logs, bool baseline)
{
  if (x.count == 0)
    return (struct results_spread){.count = 0};
  x.mean = exp(logs / (double)x.count);
  x.count = baseline ? 1 : x.count;
  return x;
}

struct results_spread schedules_relative(const struct schedules *s, uint32_t network,
                                         uint32_t scheduler)
{
  struct results_spread x = {.min = INFINITY};
  double logs = 0;
  add_ratios(&x, &logs, s, network, scheduler);
  return end_ratios(x, logs, scheduler == s->baseline);
}

struct results_spread schedules_relative_on(const struct schedules *s, uint32_t machine,
                                            uint32_t scheduler)
{
  struct results_spread x = {.min = INFINITY};
  double logs = 0;
  for (uint32_t n = 0; n < s->network.count; n++)
    if (s->machine_of[n] == machine)
      add_ratios(&x, &logs, s, n, scheduler);
  return end_ratios(x, logs, scheduler == s->baseline);
}

static bool is_whole(const struct schedules *s, uint32_t network, uint32_t scheduler)
{
  for (uint32_t l = 0; l < s->load.count; l++)
    if (isnan(cell_at(s, network, l, scheduler)->use))
      return false;
  return true;
}

double schedules_use(const struct schedules *s, uint32_t load, uint32_t scheduler)
{
  double sum = 0;
  size_t n = 0;
  for (uint32_t i = 0; i < s->network.count; i++)
    if (is_whole(s, i, scheduler)) {
      sum += cell_at(s, i, load, scheduler)->use;
      n++;
    }
  return n == 0 ? NAN : sum / (double)n;
}

size_t schedules_without_baseline(const struct schedules *s)
{
  size_t n = 0;
  for (uint32_t i = 0; i < s->network.count; i++)
    for (uint32_t l = 0; l < s->load.count; l++)
      for (uint32_t k = 0; k < s->scheduler.count; k++)
        n += isnan(ratio_of(s, i, l, k)) && !isnan(cell_at(s, i, l, k)->use);
  return n;
}
