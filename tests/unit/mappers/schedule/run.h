/** @file run.h
 *  Runs a scheduler on a small machine.
 */
#pragma once

#include "mappers/schedule/scheduler.h"
#include "tests/unit/tasks/machine.h"

/** Schedules and dates the network; fails the test on error. */
static inline struct schedule test_schedule(const char *spec, const struct tasknet *n,
                                            const struct test_machine *t)
{
  const struct scheduler_input in = {.net = n, .farm = &t->m, .hosts = &t->hosts};
  struct schedule s;
  struct err e = {""};
  if (scheduler_run(spec, &in, &s, &e) != OK)
    fail_msg("%s: %s", spec, e.text);
  return s;
}

static inline double test_makespan(const char *spec, const struct tasknet *n,
                                   const struct test_machine *t)
{
  struct schedule s = test_schedule(spec, n, t);
  const double makespan = schedule_makespan(&s);
  schedule_clear(&s);
  return makespan;
}
