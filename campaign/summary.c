#include "campaign/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/outfile.h"
#include "common/report.h"
#include "common/stats.h"

/* With more pairs than these, mappers are compared with the best of their trace only. */
#define MOST_PAIRS ((size_t)1 << 20)

/* A mapper on a trace. */
struct cell {
  size_t trace, mapper; /* trace = plan->traces: all of them */
  struct sample time;
  size_t pair, pairs; /* those in which it is the better one: with the cells that follow it */
};

/* Two cells of one trace. */
struct pair {
  size_t better, worse;
  double p; /* corrected */
};

struct summary {
  const struct plan *plan;
  const struct run_result *result;
  struct cell *cell; /* by trace, best first */
  size_t cells, cell_room;
  struct pair *pair;
  size_t pairs, pair_room;
  bool best_only; /* there are more than MOST_PAIRS */
  double *value;  /* scratch: runs of a cell; or by trace */
};

/* --- cells ------------------------------------------------------------------------------------ */

static enum status add_cell(struct summary *s, size_t trace, size_t mapper, size_t n, struct err *e)
{
  if (n == 0)
    return OK;
  if (MEM_GROW(s->cell, s->cell_room, s->cells + 1, e) != OK)
    return FAIL;
  s->cell[s->cells++] =
      (struct cell){.trace = trace, .mapper = mapper, .time = sample_of(s->value, n)};
  return OK;
}

/* Adds the times of the ok runs from @p first on to s->value, which has @p n, or their mean. */
static size_t take_times(const struct summary *s, size_t first, size_t runs, bool mean, size_t n)
{
  const size_t begin = n;
  for (size_t i = first; i < first + runs; i++)
    if (s->result[i].status == RUN_OK)
      s->value[n++] = s->result[i].sim.simulated_time_s;
  if (!mean || n == begin)
    return n;
  s->value[begin] = sample_of(&s->value[begin], n - begin).mean;
  return begin + 1;
}

/* Runs of one trace and mapper are in a row in the plan.  Repetitions of one seed are alike: of
 * several seeds each counts once. */
static enum status add_traces(struct summary *s, struct err *e)
{
  const struct plan *p = s->plan;
  for (size_t i = 0; i < p->runs;) {
    const struct plan_run *r = &p->run[i];
    const struct plan_mapper *m = &p->mapper[r->mapper];
    const size_t seeds = m->seeded ? m->seeds : 1;
    size_t n = 0;
    for (size_t k = 0; k < seeds; k++, i += p->repeats)
      n = take_times(s, i, p->repeats, seeds > 1, n);
    if (add_cell(s, r->trace, r->mapper, n, e) != OK)
      return FAIL;
  }
  return OK;
}

static const struct cell *find_cell(const struct summary *s, size_t cells, size_t trace,
                                    size_t mapper)
{
  for (size_t i = 0; i < cells; i++)
    if (s->cell[i].trace == trace && s->cell[i].mapper == mapper)
      return &s->cell[i];
  return NULL;
}

static double best_time(const struct summary *s, size_t cells, size_t trace)
{
  double best = INFINITY;
  for (size_t i = 0; i < cells; i++)
    if (s->cell[i].trace == trace && s->cell[i].time.mean < best)
      best = s->cell[i].time.mean;
  return best;
}

/* Logarithms of the times of a mapper relative to the best, by trace; how many. */
static size_t take_logs(const struct summary *s, size_t cells, size_t mapper, double *log_time)
{
  size_t n = 0;
  for (size_t t = 0; t < s->plan->traces; t++) {
    const struct cell *c = find_cell(s, cells, t, mapper);
    if (c != NULL && c->time.mean > 0)
      log_time[n++] = log(c->time.mean / best_time(s, cells, t));
  }
  return n;
}

/* The mean over traces of a mapper that is ok on all. */
static enum status add_means(struct summary *s, struct err *e)
{
  const size_t cells = s->cells, traces = s->plan->traces;
  for (size_t m = 0; traces > 1 && m < s->plan->mappers; m++)
    if (take_logs(s, cells, m, s->value) == traces && add_cell(s, traces, m, traces, e) != OK)
      return FAIL;
  return OK;
}

static int by_rank(const void *a, const void *b)
{
  const struct cell *x = a, *y = b;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  if (x->time.mean != y->time.mean)
    return x->time.mean < y->time.mean ? -1 : 1;
  return (x->mapper > y->mapper) - (x->mapper < y->mapper);
}

/* --- differences ------------------------------------------------------------------------------ */

static enum status test_logs(const struct summary *s, size_t a, size_t b, double *p, struct err *e)
{
  const size_t n = s->plan->traces;
  double *x = mem_array(2 * n, sizeof *x, e);
  if (x == NULL)
    return FAIL;
  take_logs(s, s->cells, s->cell[a].mapper, x);
  take_logs(s, s->cells, s->cell[b].mapper, x + n);
  for (size_t i = 0; i < n; i++)
    x[i] -= x[n + i];
  const struct sample d = sample_of(x, n);
  *p = paired_test(&d);
  free(x);
  return OK;
}

static enum status add_pair(struct summary *s, size_t a, size_t b, struct err *e)
{
  struct pair pair = {a, b, welch_test(&s->cell[a].time, &s->cell[b].time)};
  if (s->cell[a].trace == s->plan->traces && test_logs(s, a, b, &pair.p, e) != OK)
    return FAIL;
  if (MEM_GROW(s->pair, s->pair_room, s->pairs + 1, e) != OK)
    return FAIL;
  s->pair[s->pairs++] = pair;
  return OK;
}

static enum status correct(struct summary *s, struct err *e)
{
  double *p = mem_array(s->pairs, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  for (size_t i = 0; i < s->pairs; i++)
    p[i] = s->pair[i].p;
  const enum status status = holm_correct(p, s->pairs, e);
  for (size_t i = 0; i < s->pairs; i++)
    s->pair[i].p = p[i];
  free(p);
  return status;
}

static bool is_best(const struct summary *s, size_t cell)
{
  return cell == 0 || s->cell[cell - 1].trace != s->cell[cell].trace;
}

static size_t count_pairs(const struct summary *s)
{
  size_t pairs = 0;
  for (size_t i = 0, first = 0; i < s->cells; i++) {
    first = is_best(s, i) ? i : first;
    pairs += i - first;
  }
  return pairs;
}

static enum status compare(struct summary *s, struct err *e)
{
  s->best_only = count_pairs(s) > MOST_PAIRS;
  for (size_t a = 0; a < s->cells; a++) {
    struct cell *c = &s->cell[a];
    c->pair = s->pairs;
    if (s->best_only && !is_best(s, a))
      continue;
    for (size_t b = a + 1; b < s->cells && s->cell[b].trace == c->trace; b++)
      if (add_pair(s, a, b, e) != OK)
        return FAIL;
    c->pairs = s->pairs - c->pair;
  }
  return correct(s, e);
}

/* --- tables ----------------------------------------------------------------------------------- */

static const char *trace_of(const struct summary *s, size_t cell)
{
  const size_t trace = s->cell[cell].trace;
  return trace == s->plan->traces ? "*" : s->plan->trace[trace].file.name;
}

static const char *mapper_of(const struct summary *s, size_t cell)
{
  return s->plan->mapper[s->cell[cell].mapper].label;
}

static void print_number(double value, FILE *f)
{
  fputc('\t', f);
  if (isnan(value))
    fputc('-', f);
  else
    report_number(f, value);
}

static void print_head(const struct summary *s, FILE *f)
{
  size_t tests = 0;
  for (size_t i = 0; i < s->pairs; i++)
    tests += !isnan(s->pair[i].p);
  fprintf(f,
          "# %zu comparisons: two-sided t-tests, Welch's of the runs on one trace, paired over "
          "traces for trace *; Holm's correction for their number; significant below %g%s\n",
          tests, STATS_LEVEL, s->best_only ? "; too many for all pairs: with the best only" : "");
}

/* Were two cells of a trace compared, and not found different? */
static bool seem_equal(const struct summary *s, size_t better, size_t worse)
{
  const struct cell *c = &s->cell[better];
  return worse - better <= c->pairs && s->pair[c->pair + worse - better - 1].p >= STATS_LEVEL;
}

/* The mappers of the trace, whose best is @p best, from which this one does not differ
 * significantly. */
static void print_equals(const struct summary *s, size_t cell, size_t best, FILE *f)
{
  size_t n = 0;
  for (size_t i = best; i < cell && (i == best || !s->best_only); i++)
    if (seem_equal(s, i, cell))
      fprintf(f, "%s%s", n++ == 0 ? "\t" : " ", mapper_of(s, i));
  for (size_t i = cell + 1; i <= cell + s->cell[cell].pairs; i++)
    if (seem_equal(s, cell, i))
      fprintf(f, "%s%s", n++ == 0 ? "\t" : " ", mapper_of(s, i));
  fputs(n == 0 ? "\t-\n" : "\n", f);
}

/* Of trace *, values are of times relative to the best on each trace. */
static void print_summary(const struct summary *s, FILE *f)
{
  print_head(s, f);
  fputs("trace\trank\tmapper\tvalues\tsimulated_time_s\tsd_s\tci95_low_s\tci95_high_s\t"
        "relative_to_best\tno_significant_difference_to\n",
        f);
  for (size_t i = 0, first = 0; i < s->cells; i++) {
    const struct cell *c = &s->cell[i];
    const bool all = c->trace == s->plan->traces;
    const double half = sample_half_interval(&c->time);
    first = is_best(s, i) ? i : first;
    fprintf(f, "%s\t%zu\t%s\t%zu", trace_of(s, i), i - first + 1, mapper_of(s, i), c->time.n);
    print_number(all ? NAN : c->time.mean, f);
    print_number(all || c->time.n < 2 ? NAN : c->time.sd, f);
    print_number(all ? NAN : c->time.mean - half, f);
    print_number(all ? NAN : c->time.mean + half, f);
    print_number(all ? exp(c->time.mean) : c->time.mean / s->cell[first].time.mean, f);
    print_equals(s, i, first, f);
  }
}

static void print_differences(const struct summary *s, FILE *f)
{
  print_head(s, f);
  fputs("trace\tbetter\tworse\trelative_difference\tp_corrected\tsignificant\n", f);
  for (size_t i = 0; i < s->pairs; i++) {
    const struct pair *p = &s->pair[i];
    const double a = s->cell[p->better].time.mean, b = s->cell[p->worse].time.mean;
    const bool all = s->cell[p->better].trace == s->plan->traces;
    fprintf(f, "%s\t%s\t%s", trace_of(s, p->better), mapper_of(s, p->better),
            mapper_of(s, p->worse));
    print_number(all ? expm1(b - a) : a > 0 ? b / a - 1 : NAN, f);
    print_number(p->p, f);
    fprintf(f, "\t%s\n", isnan(p->p) ? "-" : p->p < STATS_LEVEL ? "yes" : "no");
  }
}

static enum status save(const struct summary *s, const char *folder, const char *name,
                        void (*print)(const struct summary *s, FILE *f), struct err *e)
{
  struct outfile o;
  char *path = mem_printf(e, "%s/%s", folder, name);
  if (path == NULL)
    return FAIL;
  enum status status = outfile_check_plain(path, e);
  if (status == OK)
    status = outfile_open(&o, path, e);
  if (status == OK) {
    print(s, o.f);
    status = outfile_commit(&o, e);
  }
  free(path);
  return status;
}

enum status summary_write(const struct plan *p, const struct run_result *result, const char *folder,
                          struct err *e)
{
  struct summary s = {.plan = p, .result = result};
  const size_t most = p->runs > p->traces ? p->runs : p->traces;
  enum status status = (s.value = mem_array(most, sizeof *s.value, e)) == NULL ? FAIL : OK;
  if (status == OK && (status = add_traces(&s, e)) == OK && (status = add_means(&s, e)) == OK) {
    if (s.cells > 0)
      qsort(s.cell, s.cells, sizeof *s.cell, by_rank);
    status = compare(&s, e);
  }
  if (status == OK && (status = save(&s, folder, "summary.tsv", print_summary, e)) == OK)
    status = save(&s, folder, "differences.tsv", print_differences, e);
  free(s.cell);
  free(s.pair);
  free(s.value);
  return status;
}
