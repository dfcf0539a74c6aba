#include "campaign/analysis/summary.h"

#include <math.h>
#include <stdlib.h>

#include "common/files/outfile.h"
#include "common/files/table.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/stats.h"

/* With more pairs than this, methods are compared only with the best method of their subject. */
#define MOST_PAIRS ((size_t)1 << 20)

/* A method on a subject. */
struct cell {
  size_t subject, method; /* subject == plan->subjects + g: mean over group g (plan.h) */
  struct sample time;
  size_t first;       /* index of its first run */
  bool whole;         /* all its runs are ok */
  size_t pair, pairs; /* its pairs with worse cells: index of the first, number */
};

/* Two cells of one subject. */
struct pair {
  size_t better, worse;
  double p; /* corrected */
};

struct summary {
  const struct plan *plan;
  const struct run_result *result;
  struct cell *cell; /* by subject, best first */
  size_t cells, cell_room;
  struct pair *pair;
  size_t pairs, pair_room;
  bool best_only;   /* there are more than MOST_PAIRS pairs */
  double *log_time; /* see set_logs() */
  double *value;    /* scratch: times of a cell, or logarithms by subject */
};

/* --- cells ------------------------------------------------------------------------------------ */

static enum status add_cell(struct summary *s, size_t subject, size_t method, size_t n,
                            struct err *e)
{
  if (n == 0)
    return OK;
  if (MEM_GROW(s->cell, s->cell_room, s->cells + 1, e) != OK)
    return FAIL;
  s->cell[s->cells++] =
      (struct cell){.subject = subject, .method = method, .time = sample_of(s->value, n)};
  return OK;
}

/* Appends the times of @p runs runs from @p first on, or only their mean if @p mean is set, to the
 * @p n numbers in s->value; returns the new count.  Appends nothing if a run failed: the
 * repetitions that are left would be a biased sample. */
static size_t take_times(const struct summary *s, size_t first, size_t runs, bool mean, size_t n)
{
  const size_t begin = n;
  for (size_t i = first; i < first + runs; i++) {
    if (s->result[i].status != RUN_OK)
      return begin;
    s->value[n++] = run_result_time(&s->result[i]);
  }
  if (!mean)
    return n;
  s->value[begin] = sample_of(&s->value[begin], n - begin).mean;
  return begin + 1;
}

/* Adds the cells of single subjects.  Runs of one subject and method are consecutive in the plan.
 * With several seeds, the values of a cell are the means over the repetitions of each seed. */
static enum status add_subjects(struct summary *s, struct err *e)
{
  const struct plan *p = s->plan;
  for (size_t i = 0; i < p->runs;) {
    const struct plan_run *r = &p->run[i];
    const struct plan_method *m = &p->method[r->method];
    const size_t seeds = m->seeded ? m->seeds : 1;
    const size_t first = i;
    size_t n = 0;
    bool whole = true;
    for (size_t k = 0; k < seeds; k++, i += p->repeats) {
      const size_t before = n;
      n = take_times(s, i, p->repeats, seeds > 1, n);
      whole = whole && n > before;
    }
    if (add_cell(s, r->subject, r->method, n, e) != OK)
      return FAIL;
    if (n > 0) {
      s->cell[s->cells - 1].first = first;
      s->cell[s->cells - 1].whole = whole;
    }
  }
  return OK;
}

/* Sets s->log_time, by subject and method: logarithm of time / best time of the subject, 0 if all
 * times are 0; NAN: not all runs are ok, or only the best time is 0.  The cells of a subject are
 * consecutive. */
static enum status set_logs(struct summary *s, struct err *e)
{
  const size_t methods = s->plan->methods, n = s->plan->subjects * methods;
  if ((s->log_time = mem_array(n, sizeof *s->log_time, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    s->log_time[i] = NAN;
  for (size_t i = 0, end; i < s->cells; i = end) {
    double best = INFINITY, worst = 0;
    for (end = i; end < s->cells && s->cell[end].subject == s->cell[i].subject; end++) {
      best = fmin(best, s->cell[end].time.mean);
      worst = fmax(worst, s->cell[end].time.mean);
    }
    for (size_t k = i; k < end; k++) {
      const struct cell *c = &s->cell[k];
      if (c->whole && (best > 0 || worst <= 0))
        s->log_time[c->subject * methods + c->method] = best > 0 ? log(c->time.mean / best) : 0;
    }
  }
  return OK;
}

/* Copies the logarithms of a method on the subjects of a group; returns how many logarithms are
 * not NAN. */
static size_t take_logs(const struct summary *s, const struct plan_group *g, size_t method,
                        double *log_time)
{
  size_t n = 0;
  for (size_t t = g->first; t < g->first + g->count; t++) {
    const double value = s->log_time[t * s->plan->methods + method];
    if (!isnan(value))
      log_time[n++] = value;
  }
  return n;
}

/* Adds a cell for each method that is ok on all subjects of a group: the mean over the subjects. */
static enum status add_group(struct summary *s, size_t group, struct err *e)
{
  const struct plan_group g = plan_group_at(s->plan, group);
  for (size_t m = 0; g.count > 1 && m < s->plan->methods; m++)
    if (take_logs(s, &g, m, s->value) == g.count &&
        add_cell(s, s->plan->subjects + group, m, g.count, e) != OK)
      return FAIL;
  return OK;
}

static enum status add_means(struct summary *s, struct err *e)
{
  for (size_t g = 0; g < plan_groups(s->plan); g++)
    if (add_group(s, g, e) != OK)
      return FAIL;
  return OK;
}

static bool is_mean(const struct summary *s, const struct cell *c)
{
  return c->subject >= s->plan->subjects;
}

static int by_rank(const void *a, const void *b)
{
  const struct cell *x = a, *y = b;
  return RISING(x->subject, y->subject) ?: RISING(x->time.mean, y->time.mean)
      ?: RISING(x->method, y->method);
}

/* --- differences ------------------------------------------------------------------------------ */

/* Paired test over the subjects of a group. */
static enum status test_logs(const struct summary *s, size_t a, size_t b, double *p, struct err *e)
{
  const struct plan_group g = plan_group_at(s->plan, s->cell[a].subject - s->plan->subjects);
  double *x = mem_array(2 * g.count, sizeof *x, e);
  if (x == NULL)
    return FAIL;
  take_logs(s, &g, s->cell[a].method, x);
  take_logs(s, &g, s->cell[b].method, x + g.count);
  for (size_t i = 0; i < g.count; i++)
    x[i] -= x[g.count + i];
  *p = paired_test(x, g.count);
  free(x);
  return OK;
}

static bool is_constant(const struct sample *s)
{
  return s->sd <= STATS_ALIKE * s->mean;
}

/* Paired test over the repetitions in which both methods are ok. */
static double test_repeats(const struct summary *s, const struct cell *a, const struct cell *b)
{
  size_t n = 0;
  for (size_t i = 0; i < s->plan->repeats; i++) {
    const struct run_result *x = &s->result[a->first + i], *y = &s->result[b->first + i];
    if (x->status == RUN_OK && y->status == RUN_OK)
      s->value[n++] = log(run_result_time(x) / run_result_time(y));
  }
  return paired_test(s->value, n);
}

/* NAN if no run of a method differs from its others: they count as one run. */
static double test_runs(const struct summary *s, const struct cell *a, const struct cell *b)
{
  if (is_constant(&a->time) && is_constant(&b->time))
    return NAN;
  return s->plan->kind->paired ? test_repeats(s, a, b) : welch_test(&a->time, &b->time);
}

static enum status add_pair(struct summary *s, size_t a, size_t b, struct err *e)
{
  struct pair pair = {a, b, test_runs(s, &s->cell[a], &s->cell[b])};
  if (is_mean(s, &s->cell[a]) && test_logs(s, a, b, &pair.p, e) != OK)
    return FAIL;
  if (MEM_GROW(s->pair, s->pair_room, s->pairs + 1, e) != OK)
    return FAIL;
  s->pair[s->pairs++] = pair;
  return OK;
}

static bool is_best(const struct summary *s, size_t cell)
{
  return cell == 0 || s->cell[cell - 1].subject != s->cell[cell].subject;
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
    for (size_t b = a + 1; b < s->cells && s->cell[b].subject == c->subject; b++)
      if (add_pair(s, a, b, e) != OK)
        return FAIL;
    c->pairs = s->pairs - c->pair;
  }
  return s->pairs == 0 ? OK : holm_correct(&s->pair->p, s->pairs, sizeof *s->pair, e);
}

/* --- tables ----------------------------------------------------------------------------------- */

static const char *method_of(const struct summary *s, size_t cell)
{
  return s->plan->method[s->cell[cell].method].label;
}

static void print_head(const struct summary *s, FILE *f)
{
  size_t tests = 0;
  for (size_t i = 0; i < s->pairs; i++)
    tests += !isnan(s->pair[i].p);
  fprintf(f,
          "# %zu comparisons: two-sided t-tests, %s; Holm's correction for their number; "
          "significant below %g%s\n",
          tests, s->plan->kind->test, STATS_LEVEL,
          s->best_only ? "; too many pairs: compared with the best only" : "");
}

/* True if two cells of a subject were compared and do not differ significantly. */
static bool seem_equal(const struct summary *s, size_t better, size_t worse)
{
  const struct cell *c = &s->cell[better];
  return worse - better <= c->pairs && s->pair[c->pair + worse - better - 1].p >= STATS_LEVEL;
}

/* Prints the methods of the subject from which @p cell does not differ significantly; @p best is
 * the best cell of the subject. */
static void print_equals(const struct summary *s, size_t cell, size_t best, FILE *f)
{
  size_t n = 0;
  for (size_t i = best; i < cell && (i == best || !s->best_only); i++)
    if (seem_equal(s, i, cell))
      fprintf(f, "%s%s", n++ == 0 ? "\t" : " ", method_of(s, i));
  for (size_t i = cell + 1; i <= cell + s->cell[cell].pairs; i++)
    if (seem_equal(s, cell, i))
      fprintf(f, "%s%s", n++ == 0 ? "\t" : " ", method_of(s, i));
  fputs(n == 0 ? "\t-\n" : "\n", f);
}

/* Cells of means hold logarithms of time / best time, so only the relative time is printed.
 * Equal means share a rank. */
static void print_summary(const struct summary *s, FILE *f)
{
  print_head(s, f);
  plan_print_columns(s->plan, f);
  fprintf(f,
          "rank\t%s\tvalues\t%s\tsd_s\tci95_low_s\tci95_high_s\t"
          "relative_to_best\tno_significant_difference_to\n",
          s->plan->kind->method, s->plan->kind->time);
  for (size_t i = 0, first = 0, tied = 0; i < s->cells; i++) {
    const struct cell *c = &s->cell[i];
    const bool all = is_mean(s, c);
    const double half = sample_half_interval(&c->time);
    first = is_best(s, i) ? i : first;
    tied = i == first || !stats_alike(c->time.mean, s->cell[i - 1].time.mean) ? i : tied;
    plan_print_subject(s->plan, c->subject, f);
    fprintf(f, "%zu\t%s\t%zu", tied - first + 1, method_of(s, i), c->time.n);
    table_print_number(all ? NAN : c->time.mean, f);
    table_print_number(all || c->time.n < 2 ? NAN : c->time.sd, f);
    table_print_number(all ? NAN : c->time.mean - half, f);
    table_print_number(all ? NAN : c->time.mean + half, f);
    table_print_number(all ? exp(c->time.mean) : c->time.mean / s->cell[first].time.mean, f);
    print_equals(s, i, first, f);
  }
}

static void print_differences(const struct summary *s, FILE *f)
{
  print_head(s, f);
  plan_print_columns(s->plan, f);
  fputs("better\tworse\trelative_difference\tp_corrected\tsignificant\n", f);
  for (size_t i = 0; i < s->pairs; i++) {
    const struct pair *p = &s->pair[i];
    const double a = s->cell[p->better].time.mean, b = s->cell[p->worse].time.mean;
    const bool all = is_mean(s, &s->cell[p->better]);
    plan_print_subject(s->plan, s->cell[p->better].subject, f);
    fprintf(f, "%s\t%s", method_of(s, p->better), method_of(s, p->worse));
    table_print_number(all ? expm1(b - a) : a > 0 ? b / a - 1 : NAN, f);
    table_print_number(p->p, f);
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
  const size_t most = p->runs > p->subjects ? p->runs : p->subjects;
  enum status status = (s.value = mem_array(most, sizeof *s.value, e)) == NULL ? FAIL : OK;
  if (status == OK && (status = add_subjects(&s, e)) == OK && (status = set_logs(&s, e)) == OK &&
      (status = add_means(&s, e)) == OK) {
    if (s.cells > 0)
      qsort(s.cell, s.cells, sizeof *s.cell, by_rank);
    status = compare(&s, e);
  }
  if (status == OK && (status = save(&s, folder, "summary.tsv", print_summary, e)) == OK)
    status = save(&s, folder, "differences.tsv", print_differences, e);
  free(s.cell);
  free(s.pair);
  free(s.log_time);
  free(s.value);
  return status;
}
