/* Makespans relative to a baseline: a group of bars per network, a bar per scheduler, and a group
 * of geometric means.  A bar is the geometric mean over the loads, its whiskers the least and the
 * greatest value. */
#include "plots/kinds/bars.h"
#include "plots/kinds/results.h"
#include "plots/kinds/schedules.h"
#include "plots/plot.h"

static struct results_spread value(const void *of, uint32_t network, uint32_t scheduler)
{
  return schedules_relative(of, network, scheduler);
}

static enum status write_bars(const struct plot *p, const struct schedules *s, FILE *f,
                              struct err *e)
{
  const struct bars b = {.group = s->network.name,
                         .groups = s->network.count,
                         .series = s->scheduler.name,
                         .all_series = s->scheduler.count,
                         .baseline = s->baseline,
                         .measure = "makespan relative to ",
                         .value = value,
                         .of = s};
  size_t shown;
  if (bars_write(&b, &shown, f, e) != OK)
    return FAIL;
  if (shown == 0) {
    err_set(e, "%s: no scheduler to compare with '%s'", p->input[0], b.series[b.baseline]);
    return plot_nothing(p);
  }
  char label[GNUPLOT_LABEL_SIZE];
  gnuplot_label(label, b.series[b.baseline]);
  gnuplot_text(f, "baseline", label);
  plot_results_left_out(s->failed, s->timeouts, schedules_without_baseline(s), f);
  return OK;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct schedules s;
  if (schedules_load(&s, p->input[0], p->baseline, e) != OK)
    return FAIL;
  const enum status status = write_bars(p, &s, f, e);
  schedules_clear(&s);
  return status;
}

static const char *bars(const struct plot *p)
{
  (void)p;
  return "speedup";
}

const struct plot_kind plot_makespan = {
    .name = "makespan",
    .inputs = "RESULTS.tsv",
    .help =
        "makespan relative to --baseline of each scheduler on each network, and its spread over "
        "loads",
    .most = 1,
    .write = write,
    .template = bars,
};
