/* Mean speedup over a baseline: a group of bars per trace, a bar per mapper, and a group of
 * geometric means.  The baseline itself has bars only if it has several rows on a trace.  With
 * several machines, a group of bars per machine: the geometric mean over its traces, with their
 * minimum and maximum as the range. */
#include <math.h>

#include "plots/kinds/bars.h"
#include "plots/kinds/results.h"
#include "plots/plot.h"

static struct results_spread value(const void *of, uint32_t trace, uint32_t mapper)
{
  return plot_results_speedup(of, trace, mapper);
}

/* Speedups of a mapper over the traces of a machine; no value unless all traces with a baseline
 * have one. */
static struct results_spread machine_value(const void *of, uint32_t machine, uint32_t mapper)
{
  const struct plot_results *p = of;
  struct results_spread all = {.min = INFINITY}, x = {.count = 0};
  double logs = 0;
  for (uint32_t t = 0; t < p->r.trace.count; t++) {
    if (p->r.machine_of[t] != machine || plot_results_speedup(&p->r, t, p->baseline).count == 0)
      continue;
    x = plot_results_speedup(&p->r, t, mapper);
    if (x.count == 0)
      return x;
    all.min = fmin(all.min, x.mean);
    all.max = fmax(all.max, x.mean);
    logs += log(x.mean);
    all.count++;
  }
  if (all.count <= 1)
    return x; /* the spread over seeds */
  all.mean = exp(logs / (double)all.count);
  all.count = mapper == p->baseline ? 1 : all.count;
  return all;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct plot_results own = {0};
  const struct plot_results *results = plot_results_of(p, &own, false, e);
  if (results == NULL)
    return FAIL;
  const struct results *r = &results->r;
  const bool machines = r->machine.count > 1;
  const struct bars b = {.group = machines ? r->machine.name : r->trace.name,
                         .groups = machines ? r->machine.count : r->trace.count,
                         .series = r->mapper.name,
                         .all_series = r->mapper.count,
                         .compared = "mapper",
                         .baseline = results->baseline,
                         .measure = "speedup over ",
                         .value = machines ? machine_value : value,
                         .of = machines ? (const void *)results : r};
  const enum status s = bars_write(&b, p, f, e);
  if (s == OK)
    plot_results_subtitle(results, f);
  plot_results_clear(&own);
  return s;
}

const struct plot_kind plot_speedup = {
    .name = "speedup",
    .inputs = "RESULTS.tsv",
    .help = "mean speedup over --baseline of each mapper on each trace, and its spread over "
            "seeds; with several platforms, on each platform",
    .most = 1,
    .takes_baseline = true,
    .by_machine = true,
    .write = write,
};
