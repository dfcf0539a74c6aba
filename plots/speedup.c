/* Mean speedup over a baseline: a group of bars a trace, a bar a mapper, and a group of geometric
 * means.  The baseline itself has bars only if it has several rows on a trace. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"
#include "plots/results.h"

struct bars {
  const struct results *r;
  uint32_t baseline;
  uint32_t *mapper; /* that have bars */
  size_t mappers;
  uint32_t *trace; /* traces that have the baseline */
  size_t traces;
  bool means; /* a group of geometric means follows */
};

/* Where that group stands, a little apart: the traces are at 0, 1, ... */
static double means_at(const struct bars *b)
{
  return (double)b->traces + 0.25;
}

static bool has_bars(const struct bars *b, uint32_t mapper)
{
  size_t most = 0;
  for (size_t i = 0; i < b->traces; i++) {
    const size_t n = results_spread(b->r, b->trace[i], mapper, SPEEDUP).count;
    most = n > most ? n : most;
  }
  return most > (mapper == b->baseline);
}

static enum status choose(struct bars *b, struct err *e)
{
  const struct results *r = b->r;
  if ((b->mapper = mem_array(r->mapper.count, sizeof *b->mapper, e)) == NULL ||
      (b->trace = mem_array(r->trace.count, sizeof *b->trace, e)) == NULL)
    return FAIL;
  for (uint32_t t = 0; t < r->trace.count; t++)
    if (results_spread(r, t, b->baseline, SPEEDUP).count > 0)
      b->trace[b->traces++] = t;
  for (uint32_t m = 0; m < r->mapper.count; m++)
    if (has_bars(b, m))
      b->mapper[b->mappers++] = m;
  b->means = b->traces > 1;
  return OK;
}

static void write_labels(const struct bars *b, FILE *f)
{
  char label[GNUPLOT_LABEL_SIZE];
  struct gnuplot_key key = {.f = f};
  size_t longest = 0;
  for (size_t i = 0; i < b->mappers; i++) {
    gnuplot_label(label, b->r->mapper.name[b->mapper[i]]);
    gnuplot_key_add(&key, label, b->mapper[i] + 1);
  }
  gnuplot_key_end(&key);
  fputs("set xtics (", f);
  for (size_t i = 0; i < b->traces; i++) {
    gnuplot_file_label(label, b->r->trace.name[b->trace[i]]);
    longest = strlen(label) > longest ? strlen(label) : longest;
    gnuplot_quote(f, label);
    fprintf(f, " %zu%s", i, i + 1 < b->traces ? ", " : "");
  }
  fprintf(f, "%s)\n", b->means ? ", 'geo. mean' means_at" : "");
  if (b->means && longest < strlen("geo. mean"))
    longest = strlen("geo. mean");
  fprintf(f, "longest_label = %zu\n", longest);
}

/* Writes the geometric mean of a mapper that has a value on every trace. */
static void write_mean(const struct bars *b, size_t i, double *mean, FILE *f)
{
  for (size_t t = 0; t < b->traces; t++) {
    const struct results_spread s = results_spread(b->r, b->trace[t], b->mapper[i], SPEEDUP);
    if (s.count == 0)
      return;
    mean[t] = s.mean;
  }
  const double g = results_geometric_mean(mean, b->traces);
  fprintf(f, "%g %zu %.9g %.9g %.9g %u\n", means_at(b), i + 1, g, g, g, b->mapper[i] + 1);
}

/* Writes the settings and lines "group bar mean min max series". */
static enum status write_bars(const struct bars *b, FILE *f, struct err *e)
{
  double *mean = mem_array(b->traces, sizeof *mean, e);
  if (mean == NULL)
    return FAIL;
  fprintf(f, "mappers = %zu\nmost_series = %zu\ntraces = %zu\nmeans_at = %g\nmeans = %d\n",
          b->mappers, b->r->mapper.count, b->traces, means_at(b), b->means);
  write_labels(b, f);
  fputs("$bars << EOD\n", f);
  for (size_t t = 0; t < b->traces; t++)
    for (size_t i = 0; i < b->mappers; i++) {
      const struct results_spread s = plot_results_speedup(b->r, b->trace[t], b->mapper[i]);
      if (s.count > 0)
        fprintf(f, "%zu %zu %.9g %.9g %.9g %u\n", t, i + 1, s.mean, s.min, s.max, b->mapper[i] + 1);
    }
  for (size_t i = 0; b->means && i < b->mappers; i++)
    write_mean(b, i, mean, f);
  fputs("EOD\n", f);
  free(mean);
  return OK;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct plot_results own = {0};
  const struct plot_results *results = plot_results_of(p, &own, false, e);
  if (results == NULL)
    return FAIL;
  struct bars b = {.r = &results->r, .baseline = results->baseline};
  enum status s = choose(&b, e);
  if (s == OK && b.mappers == 0) {
    err_set(e, "%s: no mapper to compare with '%s'", p->input[0], b.r->mapper.name[b.baseline]);
    s = plot_nothing(p);
  }
  if (s == OK)
    s = write_bars(&b, f, e);
  if (s == OK)
    plot_results_subtitle(results, f);
  free(b.mapper);
  free(b.trace);
  plot_results_clear(&own);
  return s;
}

const struct plot_kind plot_speedup = {
    .name = "speedup",
    .inputs = "RESULTS.tsv",
    .help = "mean speedup over --baseline of each mapper on each trace, and its spread over "
            "seeds",
    .most = 1,
    .write = write,
};
