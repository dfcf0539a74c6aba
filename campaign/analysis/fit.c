#include "campaign/analysis/fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/buckets.h"
#include "common/mem.h"

/* Columns of results.tsv; "?": may be missing. */
static const char *const METRIC[FIT_METRICS] = {
    "hop_bytes",      "max_link_load_bytes", "max_link_load_s",  "dilation_mean_hops",
    "mean_latency_s", "cardinality",         "?estimated_time_s"};

/* Columns of a row: the time, then the metrics. */
enum { TIME, FIRST_METRIC, NUMBERS = FIRST_METRIC + FIT_METRICS };

_Static_assert(NUMBERS <= RESULTS_NUMBERS, "a row holds fewer numbers");

const char *fit_metric(size_t i)
{
  return METRIC[i] + strspn(METRIC[i], "?");
}

struct fit_predictor fit_predictor(size_t i)
{
  if (i < FIT_METRICS)
    return (struct fit_predictor){{i, 0}, 1};
  i -= FIT_METRICS;
  size_t first = 0;
  for (; i >= FIT_METRICS - 1 - first; first++)
    i -= FIT_METRICS - 1 - first;
  return (struct fit_predictor){{first, first + 1 + i}, 2};
}

/* --- groups ----------------------------------------------------------------------------------- */

static enum status new_group(struct fit_group *g, size_t room, struct err *e)
{
  if ((g->time = mem_array(room, sizeof *g->time, e)) == NULL)
    return FAIL;
  for (size_t m = 0; m < FIT_METRICS; m++)
    if ((g->metric[m] = mem_array(room, sizeof *g->metric[m], e)) == NULL)
      return FAIL;
  return OK;
}

static void clear_group(struct fit_group *g)
{
  free(g->time);
  for (size_t m = 0; m < FIT_METRICS; m++)
    free(g->metric[m]);
  *g = (struct fit_group){.rows = 0};
}

static bool is_whole(const struct results_row *row)
{
  for (size_t i = 0; i < NUMBERS; i++)
    if (isnan(row->value[i]) && (i == TIME || METRIC[i - FIRST_METRIC][0] != '?'))
      return false;
  return true;
}

/* Adds the group of @p trace, which has the rows @p item. */
static enum status add_group(struct fit *f, const char *path, const struct results *r,
                             uint32_t trace, const uint32_t *item, uint32_t rows, struct err *e)
{
  struct fit_group *g = &f->group[f->groups];
  if (rows < FIT_FEWEST)
    return OK;
  *g = (struct fit_group){.path = path, .trace = r->trace.name[trace], .rows = rows};
  if (new_group(g, rows, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < rows; i++) {
    const struct results_row *row = &r->row[item[i]];
    g->time[i] = row->value[TIME];
    for (size_t m = 0; m < FIT_METRICS; m++)
      g->metric[m][i] = row->value[FIRST_METRIC + m];
  }
  f->groups++;
  return OK;
}

/* Adds the groups of a file.  The last bucket has the rows without time or metrics. */
static enum status add_groups(struct fit *f, const char *path, const struct results *r,
                              struct err *e)
{
  const uint32_t traces = (uint32_t)r->trace.count, rows = (uint32_t)r->rows;
  OWNED uint32_t *of = mem_array(r->rows, sizeof *of, e);
  OWNED uint32_t *item = mem_array(r->rows, sizeof *item, e);
  OWNED uint32_t *first = mem_array(r->trace.count + 3, sizeof *first, e);
  if (of == NULL || item == NULL || first == NULL)
    return FAIL;
  for (uint32_t i = 0; i < rows; i++)
    of[i] = is_whole(&r->row[i]) ? r->row[i].trace : traces;
  buckets_sort(of, rows, traces + 1, first, item);
  for (uint32_t t = 0; t < traces; t++)
    if (add_group(f, path, r, t, item + first[t], first[t + 1] - first[t], e) != OK)
      return FAIL;
  return OK;
}

/* NAN for all if a number is NAN. */
static void append_shares(double *to, const double *from, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += from[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    to[i] = isnan(sum) ? NAN : sum > 0 ? from[i] / sum : 1;
}

/* Makes the group of all rows; each number is divided by the mean of its group. */
static enum status add_all(struct fit *f, struct err *e)
{
  struct fit_group *all = &f->group[f->groups];
  size_t rows = 0;
  for (size_t i = 0; i < f->groups; i++)
    rows += f->group[i].rows;
  *all = (struct fit_group){.path = "*", .trace = "*"};
  if (new_group(all, rows, e) != OK)
    return FAIL;
  for (size_t i = 0; i < f->groups; i++) {
    const struct fit_group *g = &f->group[i];
    append_shares(all->time + all->rows, g->time, g->rows);
    for (size_t m = 0; m < FIT_METRICS; m++)
      append_shares(all->metric[m] + all->rows, g->metric[m], g->rows);
    all->rows += g->rows;
  }
  return OK;
}

static enum status load_files(struct fit *f, const char *const *path, size_t n, const char *time,
                              struct err *e)
{
  const char *numbers[NUMBERS + 1] = {[TIME] = time};
  for (size_t m = 0; m < FIT_METRICS; m++)
    numbers[FIRST_METRIC + m] = METRIC[m];
  if ((f->file = mem_array(n, sizeof *f->file, e)) == NULL)
    return FAIL;
  for (; f->files < n; f->files++)
    if (results_load(&f->file[f->files], path[f->files], NULL, numbers, e) != OK)
      return FAIL;
  return OK;
}

static enum status make_groups(struct fit *f, const char *const *path, struct err *e)
{
  size_t most = 1;
  for (size_t i = 0; i < f->files; i++)
    most += f->file[i].trace.count;
  if ((f->group = mem_array(most, sizeof *f->group, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < f->files; i++)
    if (add_groups(f, path[i], &f->file[i], e) != OK)
      return FAIL;
  if (f->groups == 0)
    return err_set(e, "%s: no trace has %d rows with metrics", path[0], FIT_FEWEST);
  return add_all(f, e);
}

enum status fit_load(struct fit *f, const char *const *path, size_t n, const char *time,
                     struct err *e)
{
  struct fit read = {.files = 0};
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(path[i], path[k]) == 0)
        return err_set(e, "'%.200s' is given twice", path[i]);
  enum status s = load_files(&read, path, n, time, e);
  if (s == OK)
    s = make_groups(&read, path, e);
  if (s == OK)
    *f = read;
  else
    fit_clear(&read);
  return s;
}

void fit_clear(struct fit *f)
{
  for (size_t i = 0; f->group != NULL && i <= f->groups; i++)
    clear_group(&f->group[i]);
  for (size_t i = 0; i < f->files; i++)
    results_clear(&f->file[i]);
  free(f->group);
  free(f->file);
  *f = (struct fit){.files = 0};
}

/* --- predictors ------------------------------------------------------------------------------- */

bool fit_has_all(const struct fit_group *g, size_t metric)
{
  for (size_t i = 0; i < g->rows; i++)
    if (isnan(g->metric[metric][i]))
      return false;
  return true;
}

/* Computes the quality of one predictor.  @p room has space for one number per row. */
static enum status judge(const struct fit_group *g, const struct fit_predictor *p, double *room,
                         struct fit_quality *out, struct err *e)
{
  const double *x[LEAST_SQUARES_MOST], *predicted = g->metric[p->metric[0]];
  double mean = 0;
  *out = (struct fit_quality){NAN, NAN, {NAN, {NAN, NAN}, NAN, NAN}, NAN};
  for (size_t j = 0; j < p->metrics; j++) {
    x[j] = g->metric[p->metric[j]];
    if (!fit_has_all(g, p->metric[j]))
      return OK;
  }
  if (least_squares_fit(&out->line, x, p->metrics, g->time, g->rows, e) != OK)
    return FAIL;
  for (size_t i = 0; i < g->rows; i++) {
    room[i] = least_squares_at(&out->line, x, p->metrics, i);
    mean += g->time[i] / (double)g->rows;
  }
  out->error = out->line.left / mean;
  if (isnan(out->line.at_zero))
    return OK;
  if (p->metrics > 1)
    predicted = room;
  return rank_spearman(predicted, g->time, g->rows, &out->spearman, e) == OK
             ? rank_kendall(predicted, g->time, g->rows, &out->kendall, e)
             : FAIL;
}

enum status fit_compute(const struct fit_group *g, struct fit_quality *quality, struct err *e)
{
  double *room = mem_array(g->rows, sizeof *room, e);
  enum status s = room == NULL ? FAIL : OK;
  for (size_t i = 0; s == OK && i < FIT_PREDICTORS; i++) {
    const struct fit_predictor p = fit_predictor(i);
    s = judge(g, &p, room, &quality[i], e);
  }
  free(room);
  return s;
}
