/* Metrics of a mapping against its simulated time, both relative to the baseline on the same
 * trace: a point a row. */
#include <math.h>

#include "cli/gnuplot.h"
#include "cli/plot.h"
#include "cli/plot_results.h"

enum { TIME, HOP_BYTES, LINK_LOAD };

/* The mappers' colours, and a line of the traces' shapes if there are several. */
static void write_labels(const struct results *r, FILE *f)
{
  char label[GNUPLOT_LABEL_SIZE];
  struct gnuplot_key key = {.f = f};
  fprintf(f, "mappers = %zu\ntraces = %zu\n", r->mapper.count, r->trace.count);
  for (size_t i = 0; i < r->mapper.count; i++) {
    gnuplot_label(label, r->mapper.name[i]);
    gnuplot_key_add(&key, label);
  }
  gnuplot_key_break(&key);
  for (size_t i = 0; i < r->trace.count && r->trace.count > 1; i++) {
    gnuplot_file_label(label, r->trace.name[i]);
    gnuplot_key_add(&key, label);
  }
  gnuplot_key_end(&key);
}

/* Lines "mapper trace time hop-bytes load"; returns the number of points. */
static size_t write_points(const struct results *r, FILE *f)
{
  size_t points = 0;
  fputs("$points << EOD\n", f);
  for (size_t i = 0; i < r->rows; i++) {
    const struct results_row *row = &r->row[i];
    if (isnan(row->value[TIME]) || isnan(row->value[HOP_BYTES]) || isnan(row->value[LINK_LOAD]))
      continue;
    fprintf(f, "%u %u %.9g %.9g %.9g\n", row->mapper + 1, row->trace + 1, row->value[TIME],
            row->value[HOP_BYTES], row->value[LINK_LOAD]);
    points++;
  }
  fputs("EOD\n", f);
  return points;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  static const char *const NUMBERS[] = {
      [TIME] = "simulated_time_s",
      [HOP_BYTES] = "hop_bytes",
      [LINK_LOAD] = "max_link_load_bytes",
      NULL,
  };
  struct results r;
  uint32_t baseline;
  if (plot_results_open(&r, p, NUMBERS, &baseline, e) != OK)
    return FAIL;
  write_labels(&r, f);
  plot_results_subtitle(&r, baseline, f);
  const size_t points = write_points(&r, f);
  results_clear(&r);
  if (points > 0)
    return OK;
  err_set(e, "%s: no row has metrics beside a baseline's that are not 0", p->input[0]);
  return plot_nothing(p);
}

const struct plot_kind plot_metrics = {
    .name = "metrics",
    .inputs = "RESULTS.tsv",
    .most = 1,
    .write = write,
};
