/* Simulated time against each metric, with the least-squares line: one panel per metric, one point
 * per row, both relative to the mean of the row's trace and file. */
#include <math.h>
#include <string.h>

#include "campaign/analysis/fit.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

static const char *const TITLE[FIT_METRICS] = {
    "hop-bytes",    "fullest link, B", "fullest link, s", "mean dilation",
    "mean latency", "cardinality",     "estimated time"};

/* The first group with the same trace as a group. */
static size_t first_of(const struct fit *f, size_t group)
{
  size_t i = 0;
  while (strcmp(f->group[i].trace, f->group[group].trace) != 0)
    i++;
  return i;
}

/* The number of a group's trace among the different traces, from 1. */
static size_t series_of(const struct fit *f, size_t group)
{
  const size_t first = first_of(f, group);
  size_t series = 1;
  for (size_t i = 0; i < first; i++)
    series += first_of(f, i) == i;
  return series;
}

static void write_legend(const struct fit *f, FILE *out)
{
  char label[GNUPLOT_LABEL_SIZE];
  struct gnuplot_key key = {.f = out};
  for (size_t i = 0; i < f->groups; i++)
    if (series_of(f, i) == key.count + 1) {
      gnuplot_file_label(label, f->group[i].trace);
      gnuplot_key_add(&key, label, key.count + 1);
    }
  gnuplot_key_end(&key);
}

/* Writes lines "series time metric...". */
static void write_points(const struct fit *f, FILE *out)
{
  const struct fit_group *all = &f->group[f->groups];
  size_t row = 0;
  fputs("$points << EOD\n", out);
  for (size_t i = 0; i < f->groups; i++) {
    const size_t series = series_of(f, i);
    for (const size_t end = row + f->group[i].rows; row < end; row++) {
      fprintf(out, "%zu %.9g", series, all->time[row]);
      for (size_t m = 0; m < FIT_METRICS; m++)
        fprintf(out, " %.9g", all->metric[m][row]);
      fputc('\n', out);
    }
  }
  fputs("EOD\n", out);
}

/* Writes the fitted lines.  A panel without a fit gets a flat line at the mean, 1; the panel of a
 * metric that a row of @p all lacks is empty. */
static void write_lines(const struct fit_group *all, const struct fit_quality *q, FILE *out)
{
  static const char *const ARRAYS[] = {"title", "zero", "slope", "r2", "given"};
  for (size_t i = 0; i < sizeof ARRAYS / sizeof *ARRAYS; i++)
    fprintf(out, "array %s[%d]\n", ARRAYS[i], FIT_METRICS);
  for (size_t m = 0; m < FIT_METRICS; m++) {
    const bool line = !isnan(q[m].line.at_zero);
    fprintf(out, "title[%zu] = '%s'\ngiven[%zu] = %d\n", m + 1, TITLE[m], m + 1,
            fit_has_all(all, m));
    fprintf(out, "zero[%zu] = %.9g\nslope[%zu] = %.9g\nr2[%zu] = %.9g\n", m + 1,
            line ? q[m].line.at_zero : 1, m + 1, line ? q[m].line.slope[0] : 0, m + 1,
            line ? q[m].line.r2 : 0);
  }
}

static enum status write(const struct plot *p, FILE *out, struct err *e)
{
  struct fit f;
  struct fit_quality quality[FIT_PREDICTORS];
  if (fit_load(&f, p->input, p->inputs, "simulated_time_s", e) != OK)
    return FAIL;
  const enum status s = fit_compute(&f.group[f.groups], quality, e);
  if (s == OK) {
    write_legend(&f, out);
    write_points(&f, out);
    write_lines(&f.group[f.groups], quality, out);
  }
  fit_clear(&f);
  return s;
}

const struct plot_kind plot_fit = {
    .name = "fit",
    .inputs = "RESULTS.tsv...",
    .help = "simulated time against each metric, with the least-squares line",
    .most = 64,
    .write = write,
};
