/* Mean speedup over a baseline: a group of bars per trace, a bar per mapper, and a group of
 * geometric means.  The baseline itself has bars only if it has several rows on a trace. */
#include "plots/kinds/bars.h"
#include "plots/kinds/results.h"
#include "plots/plot.h"

static struct results_spread value(const void *of, uint32_t trace, uint32_t mapper)
{
  return plot_results_speedup(of, trace, mapper);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct plot_results own = {0};
  const struct plot_results *results = plot_results_of(p, &own, false, e);
  if (results == NULL)
    return FAIL;
  const struct results *r = &results->r;
  const struct bars b = {.group = r->trace.name,
                         .groups = r->trace.count,
                         .series = r->mapper.name,
                         .all_series = r->mapper.count,
                         .compared = "mapper",
                         .baseline = results->baseline,
                         .measure = "speedup over ",
                         .value = value,
                         .of = r};
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
            "seeds",
    .most = 1,
    .write = write,
};
