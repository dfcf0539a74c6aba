#include "plots/kinds/results.h"

#include <math.h>

#include "campaign/plan/kind.h"
#include "plots/gnuplot.h"

static enum status find_baseline(const struct results *r, const char *name, uint32_t *out,
                                 struct err *e)
{
  if (name != NULL)
    return results_find_mapper(r, name, out, e);
  if (results_find_mapper(r, kind_traces.default_baseline, out, e) != OK)
    *out = 0;
  return OK;
}

/* Makes the intervals relative to their means. */
static void take_intervals(const struct results *r)
{
  for (size_t i = 0; i < r->rows; i++) {
    double *value = r->row[i].value;
    value[INTERVAL_LOW] /= value[RELATIVE_TIME];
    value[INTERVAL_HIGH] /= value[RELATIVE_TIME];
  }
}

struct results_spread plot_results_speedup(const struct results *r, uint32_t trace, uint32_t mapper)
{
  struct results_spread s = results_spread(r, trace, mapper, SPEEDUP);
  const struct results_spread low = results_spread(r, trace, mapper, INTERVAL_LOW);
  const struct results_spread high = results_spread(r, trace, mapper, INTERVAL_HIGH);
  if (s.count == 1 && low.count == 1 && low.min > 0 && high.max > 0) {
    s.min = 1 / high.max;
    s.max = 1 / low.min;
  }
  return s;
}

enum status plot_results_load(struct plot_results *out, const char *path, const char *machine,
                              const char *baseline, bool metrics, struct err *e)
{
  const char *const numbers[] = {[RELATIVE_TIME] = "simulated_time_s",
                                 [INTERVAL_LOW] = "?simulated_time_ci95_low_s",
                                 [INTERVAL_HIGH] = "?simulated_time_ci95_high_s",
                                 [RELATIVE_HOP_BYTES] = metrics ? "hop_bytes" : NULL,
                                 [RELATIVE_LINK_LOAD] = "max_link_load_bytes",
                                 NULL};
  struct plot_results p = {0};
  if (results_load(&p.r, path, machine, numbers, e) != OK)
    return FAIL;
  if (find_baseline(&p.r, baseline, &p.baseline, e) != OK) {
    results_clear(&p.r);
    return err_prefix(e, "%s: ", path);
  }
  take_intervals(&p.r);
  for (size_t i = 0; numbers[i] != NULL; i++)
    if (i != INTERVAL_LOW && i != INTERVAL_HIGH)
      results_relative(&p.r, p.baseline, i);
  for (size_t i = 0; i < p.r.rows; i++) {
    double *value = p.r.row[i].value;
    value[SPEEDUP] = value[RELATIVE_TIME] > 0 ? 1 / value[RELATIVE_TIME] : NAN;
    value[INTERVAL_LOW] *= value[RELATIVE_TIME];
    value[INTERVAL_HIGH] *= value[RELATIVE_TIME];
  }
  *out = p;
  return OK;
}

void plot_results_clear(struct plot_results *p)
{
  results_clear(&p->r);
}

const struct plot_results *plot_results_of(const struct plot *p, struct plot_results *own,
                                           bool metrics, struct err *e)
{
  if (p->results != NULL)
    return p->results;
  return plot_results_load(own, p->input[0], p->machine, p->baseline, metrics, e) == OK ? own
                                                                                        : NULL;
}

/* Number of rows that are ok but whose trace lacks the baseline. */
static size_t without_baseline(const struct results *r)
{
  size_t n = 0;
  for (size_t i = 0; i < r->rows; i++)
    n += isnan(r->row[i].value[RELATIVE_TIME]);
  return n;
}

void plot_results_left_out(const char *baseline, size_t failed, size_t timeouts, size_t lost,
                           FILE *f)
{
  char text[160] = "", label[GNUPLOT_LABEL_SIZE];
  int n = 0;
  if (baseline != NULL) {
    gnuplot_label(label, baseline);
    gnuplot_text(f, "baseline", label);
  }
  if (failed > 0)
    n += snprintf(text + n, sizeof text - (size_t)n, ", %zu failed", failed);
  if (timeouts > 0)
    n += snprintf(text + n, sizeof text - (size_t)n, ", %zu timed out", timeouts);
  if (lost > 0)
    snprintf(text + n, sizeof text - (size_t)n, ", %zu without baseline", lost);
  fputs("subtitle = ", f);
  fputs(*text == '\0' ? "" : "'left out: '.", f);
  gnuplot_quote(f, *text == '\0' ? "" : text + 2);
  fputc('\n', f);
}

void plot_results_subtitle(const struct plot_results *p, FILE *f)
{
  plot_results_left_out(p->r.mapper.name[p->baseline], p->r.failed, p->r.timeouts,
                        without_baseline(&p->r), f);
}
