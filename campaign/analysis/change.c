#include "campaign/analysis/change.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/machine.h"
#include "common/files/table.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/stats.h"

const char *change_verdict_name(enum change_verdict v)
{
  static const char *const NAME[CHANGE_VERDICTS] = {"same",  "unclear", "better",
                                                    "worse", "gone",    "new"};
  return NAME[v];
}

const char *change_test_name(enum change_test t)
{
  static const char *const NAME[CHANGE_TESTS] = {"-", "paired t", "Welch's t"};
  return NAME[t];
}

/* --- reading ---------------------------------------------------------------------------------- */

/* One time from a table.  A value before and a value after are a pair if seed and repetition are
 * equal. */
struct value {
  uint32_t trace, mapper, seed, repetition;
  int side;     /* 0: before; 1: after */
  bool is_part; /* from repeats.tsv: used only if the cell has one row in results.tsv */
  double time_s;
};

struct reading_state {
  struct changes *changes;
  struct names key; /* numbers for the texts of seeds and repetitions */
  struct value *value;
  size_t values, room;
  int side;
  bool parts;
};

/* Indices of the columns given to table_rows(); the last three are optional. */
enum { SUBJECT, METHOD, STATUS, TIME, SECOND, SEED, REPETITION, COLUMNS };

/* Joins the columns of subject and machine into one name, as "survey.xml, tasks:10 on torus:4x4".
 */
static enum status add_subject(struct reading_state *r, const struct table *t, const size_t *column,
                               uint32_t *number, struct err *e)
{
  struct machine_columns at;
  if (machine_columns_of(&at, t, e) != OK)
    return FAIL;
  char *machine = machine_row_label(t, &at, e);
  char *subject = machine == NULL ? NULL
                                  : mem_printf(e, "%s%s%s", t->field[column[SUBJECT]],
                                               column[SECOND] == TABLE_NONE ? "" : ", ",
                                               table_text(t, column[SECOND]));
  char *text = subject == NULL ? NULL : machine_subject_label(subject, machine, e);
  const enum status s = text == NULL ? FAIL : names_add(&r->changes->trace, text, number, e);
  free(machine);
  free(subject);
  free(text);
  return s;
}

static enum status read_row(void *state, const struct table *t, const size_t *column, struct err *e)
{
  struct reading_state *r = state;
  struct value v = {.side = r->side, .is_part = r->parts};
  if (strcmp(t->field[column[STATUS]], "ok") != 0)
    return OK;
  if (table_double(t, column[TIME], 0, DBL_MAX, &v.time_s, e) != OK ||
      add_subject(r, t, column, &v.trace, e) != OK ||
      names_add(&r->changes->mapper, t->field[column[METHOD]], &v.mapper, e) != OK ||
      names_add(&r->key, table_text(t, column[SEED]), &v.seed, e) != OK ||
      names_add(&r->key, table_text(t, column[REPETITION]), &v.repetition, e) != OK ||
      MEM_GROW(r->value, r->room, r->values + 1, e) != OK)
    return FAIL;
  r->value[r->values++] = v;
  return OK;
}

static bool has_column(const void *table, const char *name)
{
  return table_find(table, name) != TABLE_NONE;
}

static enum status read_rows(struct reading_state *r, struct table *t, struct err *e)
{
  const struct kind *k = kind_of_columns(has_column, t);
  const char *const names[COLUMNS + 1] = {k->subject[0],
                                          k->method,
                                          "status",
                                          k->time,
                                          k->subject[1] != NULL ? k->subject[1] : "?",
                                          k->seeds ? "seed" : "?",
                                          r->parts ? "repetition" : "?"};
  return table_rows(t, names, read_row, r, e);
}

static enum status read_table(struct reading_state *r, const char *path, struct err *e)
{
  struct table t;
  if (table_open(&t, path, '\t', e) != OK)
    return FAIL;
  const enum status s = read_rows(r, &t, e);
  table_close(&t);
  return s;
}

static enum status read_file(struct reading_state *r, const char *folder, const char *name,
                             struct err *e)
{
  char *path = mem_printf(e, "%s/%s", folder, name);
  if (path == NULL)
    return FAIL;
  const enum status s = r->parts && access(path, F_OK) != 0 ? OK : read_table(r, path, e);
  free(path);
  return s;
}

static enum status read_side(struct reading_state *r, int side, const char *folder, struct err *e)
{
  r->side = side;
  r->parts = false;
  if (read_file(r, folder, "results.tsv", e) != OK)
    return FAIL;
  r->parts = true;
  return read_file(r, folder, "repeats.tsv", e);
}

/* Orders by cell, side and is_part, then by seed and repetition: on both sides of a cell, values of
 * a pair then have the same index. */
static int by_cell(const void *a, const void *b)
{
  const struct value *x = a, *y = b;
  return RISING(x->trace, y->trace) ?: RISING(x->mapper, y->mapper) ?: x->side - y->side
      ?: x->is_part - y->is_part
      ?: RISING(x->seed, y->seed)
      ?: RISING(x->repetition, y->repetition);
}

/* --- cells ------------------------------------------------------------------------------------ */

/* The values of a cell on one side. */
struct half {
  const struct value *value;
  size_t count;
};

static bool in_cell(const struct value *v, const struct value *first, int side)
{
  return v->trace == first->trace && v->mapper == first->mapper && v->side == side;
}

/* Takes the values of one side, beginning at *at: the rows of the cell in results.tsv or, if there
 * is one row only, the values of repeats.tsv. */
static struct half take_side(const struct value **at, const struct value *end,
                             const struct value *first, int side)
{
  struct half rows = {.value = *at}, parts;
  while (*at < end && in_cell(*at, first, side) && !(*at)->is_part) {
    rows.count++;
    ++*at;
  }
  parts = (struct half){.value = *at};
  while (*at < end && in_cell(*at, first, side)) {
    parts.count++;
    ++*at;
  }
  return rows.count <= 1 && parts.count > 0 ? parts : rows;
}

static bool are_pairs(const struct half *s)
{
  if (s[0].count != s[1].count || s[0].count < 2)
    return false;
  for (size_t i = 0; i < s[0].count; i++)
    if (s[0].value[i].seed != s[1].value[i].seed ||
        s[0].value[i].repetition != s[1].value[i].repetition)
      return false;
  return true;
}

static bool are_same(const struct half *s)
{
  bool same = s[0].count == s[1].count;
  for (size_t i = 0; same && i < s[0].count; i++)
    same = s[0].value[i].time_s == s[1].value[i].time_s;
  return same;
}

static double mean_of(const struct half *s)
{
  double sum = 0;
  for (size_t i = 0; i < s->count; i++)
    sum += s->value[i].time_s;
  return s->count == 0 ? NAN : sum / (double)s->count;
}

/* Sets ratio, test and p; @p room has space for all values of both sides. */
static void test_cell(struct change_cell *c, const struct half *s, double *room)
{
  double *log_time[2] = {room, room + s[0].count};
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < s[i].count; k++) {
      if (!(s[i].value[k].time_s > 0))
        return; /* no logarithm */
      log_time[i][k] = log(s[i].value[k].time_s);
    }
  const struct sample before = sample_of(log_time[0], s[0].count),
                      after = sample_of(log_time[1], s[1].count);
  c->ratio = exp(after.mean - before.mean);
  if (are_pairs(s)) {
    for (size_t k = 0; k < s[0].count; k++)
      log_time[1][k] -= log_time[0][k];
    c->test = CHANGE_PAIRED;
    c->p = paired_test(log_time[1], s[1].count);
  } else if (s[0].count > 1 && s[1].count > 1) {
    c->test = CHANGE_WELCH;
    c->p = welch_test(&before, &after);
  }
}

static enum status add_cell(struct changes *c, const struct value *first, const struct half *s,
                            double *room, struct err *e)
{
  struct change_cell cell = {.trace = first->trace,
                             .mapper = first->mapper,
                             .values = {s[0].count, s[1].count},
                             .mean_s = {mean_of(&s[0]), mean_of(&s[1])},
                             .ratio = NAN,
                             .p = NAN,
                             .verdict = CHANGE_UNCLEAR};
  if (s[0].count == 0)
    cell.verdict = CHANGE_NEW;
  else if (s[1].count == 0)
    cell.verdict = CHANGE_GONE;
  else
    test_cell(&cell, s, room);
  if (are_same(s)) {
    cell.verdict = CHANGE_SAME;
    cell.ratio = 1;
  }
  if (MEM_GROW(c->cell, c->room, c->cells + 1, e) != OK)
    return FAIL;
  c->cell[c->cells++] = cell;
  return OK;
}

static enum status make_cells(struct changes *c, const struct reading_state *r, struct err *e)
{
  if (r->values == 0)
    return OK;
  const struct value *at = r->value, *const end = r->value + r->values;
  double *room = mem_array(r->values, sizeof *room, e);
  enum status s = room == NULL ? FAIL : OK;
  while (s == OK && at < end) {
    const struct value *first = at;
    struct half side[2];
    side[0] = take_side(&at, end, first, 0);
    side[1] = take_side(&at, end, first, 1);
    s = add_cell(c, first, side, room, e);
  }
  free(room);
  return s;
}

/* --- verdicts --------------------------------------------------------------------------------- */

static void judge(struct changes *c, double tolerance)
{
  for (size_t i = 0; i < c->cells; i++) {
    struct change_cell *x = &c->cell[i];
    const bool changed = (x->ratio > 1 + tolerance || x->ratio * (1 + tolerance) < 1) &&
                         (x->test == CHANGE_NONE || x->p < STATS_LEVEL);
    if (x->verdict == CHANGE_UNCLEAR && changed)
      x->verdict = x->ratio < 1 ? CHANGE_BETTER : CHANGE_WORSE;
    c->verdict[x->verdict]++;
  }
}

/* Sums up the cells of mapper @p m; @p room has space for one number per cell. */
static void sum_up_mapper(const struct changes *c, uint32_t m, double *room)
{
  struct change_mapper *x = &c->mappers[m];
  *x = (struct change_mapper){.ratio = NAN};
  for (size_t i = 0; i < c->cells; i++) {
    if (c->cell[i].mapper != m)
      continue;
    x->verdict[c->cell[i].verdict]++;
    if (!isnan(c->cell[i].ratio))
      room[x->cells++] = log(c->cell[i].ratio);
  }
  if (x->cells > 0)
    x->ratio = exp(sample_of(room, x->cells).mean);
  x->p = paired_test(room, x->cells);
}

static enum status sum_up(struct changes *c, struct err *e)
{
  const uint32_t n = c->mapper.count;
  OWNED double *room = mem_array(c->cells, sizeof *room, e);
  if (room == NULL || (c->mappers = mem_array(n, sizeof *c->mappers, e)) == NULL)
    return FAIL;
  for (uint32_t m = 0; m < n; m++)
    sum_up_mapper(c, m, room);
  return n == 0 ? OK : holm_correct(&c->mappers->p, n, sizeof *c->mappers, e);
}

enum status change_find(struct changes *c, const char *before, const char *after, double tolerance,
                        struct err *e)
{
  struct changes found = {.cells = 0};
  struct reading_state r = {.changes = &found};
  enum status s = read_side(&r, 0, before, e);
  if (s == OK)
    s = read_side(&r, 1, after, e);
  if (s == OK && r.values > 0)
    qsort(r.value, r.values, sizeof *r.value, by_cell);
  if (s == OK && (s = make_cells(&found, &r, e)) == OK &&
      (found.cells == 0 ||
       (s = holm_correct(&found.cell->p, found.cells, sizeof *found.cell, e)) == OK)) {
    judge(&found, tolerance);
    s = sum_up(&found, e);
  }
  free(r.value);
  names_clear(&r.key);
  if (s == OK)
    *c = found;
  else
    change_clear(&found);
  return s;
}

void change_clear(struct changes *c)
{
  names_clear(&c->trace);
  names_clear(&c->mapper);
  free(c->cell);
  free(c->mappers);
  *c = (struct changes){.cells = 0};
}
