/* Makespans relative to a baseline: a group of bars per network, a bar per scheduler, and a group
 * of geometric means.  A bar is the geometric mean over the loads, its whiskers the least and the
 * greatest value.  In a table of several machines, a group of bars per machine. */
#include "plots/kinds/bars.h"
#include "plots/kinds/results.h"
#include "plots/kinds/schedules.h"
#include "plots/plot.h"

static struct results_spread value(const void *of, uint32_t network, uint32_t scheduler)
{
  return schedules_relative(of, network, scheduler);
}

static struct results_spread machine_value(const void *of, uint32_t machine, uint32_t scheduler)
{
  return schedules_relative_on(of, machine, scheduler);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct schedules s;
  if (schedules_load(&s, p->input[0], p->machine, p->baseline, e) != OK)
    return FAIL;
  const bool machines = s.machine.count > 1;
  const struct bars b = {.group = machines ? s.machine.name : s.network.name,
                         .groups = machines ? s.machine.count : s.network.count,
                         .series = s.scheduler.name,
                         .all_series = s.scheduler.count,
                         .compared = "scheduler",
                         .baseline = s.baseline,
                         .measure = "makespan relative to ",
                         .value = machines ? machine_value : value,
                         .of = &s};
  const enum status status = bars_write(&b, p, f, e);
  if (status == OK)
    plot_results_left_out(b.series[b.baseline], s.failed, s.timeouts,
                          schedules_without_baseline(&s), f);
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
        "loads; with several platforms, on each platform",
    .most = 1,
    .takes_baseline = true,
    .by_machine = true,
    .write = write,
    .template = bars,
};
