/* A driver without MPI, which implements only the functions that driver.h requires, on both
 * engines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/driver.h"
#include "sim/engine.h"
#include "tests/unit/opened.h"

enum { ACTORS = 4, TRANSFERS = 3, MOST = 9 };

enum act { END, COMPUTE, SLEEP, SEND, RECEIVE, WAIT, WAIT_ANY, PARK, WAKE };

/* Acts of an actor in order.  @p transfer is the number of a transfer, or for WAKE of an actor;
 * WAIT_ANY waits for transfer..transfer+amount-1.  Actor 3 parks for 9 s and is woken; parks for
 * 0.125 s and is not woken; and does not park because it was woken while it computed. */
struct deed {
  enum act act;
  double amount;
  uint32_t transfer;
};

static const struct deed SCRIPT[ACTORS][MOST] = {
    {{COMPUTE, 1e9, 0},
     {SEND, 1e6, 0},
     {WAIT, 1, 0},
     {WAKE, 0, 3},
     {SLEEP, 2, 0},
     {WAKE, 0, 3},
     {END, 0, 0}},
    {{SLEEP, 0.5, 0}, {RECEIVE, 0, 0}, {WAIT, 1, 0}, {SEND, 5e5, 1}, {WAIT, 1, 1}, {END, 0, 0}},
    {{RECEIVE, 0, 1},
     {RECEIVE, 0, 2},
     {WAIT_ANY, 2, 1},
     {COMPUTE, 5e8, 0},
     {WAIT, 1, 1},
     {END, 0, 0}},
    {{SLEEP, 0.25, 0},
     {SEND, 2e6, 2},
     {WAIT, 1, 2},
     {PARK, 9, 0},
     {PARK, 0.125, 0},
     {COMPUTE, 3e9, 0},
     {PARK, 0, 0},
     {END, 0, 0}},
};

static const uint32_t FROM[TRANSFERS] = {0, 1, 3}, TO[TRANSFERS] = {1, 2, 2};

struct toy {
  const struct services *services;
  struct transfer transfer[TRANSFERS];
  struct actor {
    uint32_t next;
    struct step step;
    struct await await[TRANSFERS];
    double end;
    uint32_t first; /* the transfer that ended WAIT_ANY */
  } actor[ACTORS];
};

static void attach(void *state, const struct services *s)
{
  ((struct toy *)state)->services = s;
}

static void post(struct toy *toy, const struct deed *d)
{
  struct transfer *t = &toy->transfer[d->transfer];
  const enum side side = d->act == SEND ? SEND_SIDE : RECV_SIDE;
  t->src = FROM[d->transfer];
  t->dst = TO[d->transfer];
  if (side == SEND_SIDE)
    t->bytes = (uint64_t)d->amount;
  t->posted[side] = true;
  toy->services->post(toy->services->engine, t, side);
}

static struct step *timed(struct actor *a, enum step_kind kind, double amount)
{
  a->step = (struct step){.kind = kind, .amount = amount};
  return &a->step;
}

static struct step *wait_for(struct toy *toy, uint32_t self, const struct deed *d)
{
  struct actor *a = &toy->actor[self];
  const uint32_t n = (uint32_t)d->amount;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t t = d->transfer + i;
    const enum side side = FROM[t] == self ? SEND_SIDE : RECV_SIDE;
    a->await[i] = (struct await){&toy->transfer[t], side, t};
    toy->transfer[t].awaited[side] = true;
  }
  a->step = (struct step){.kind = STEP_WAIT, .await = a->await, .awaits = n};
  return &a->step;
}

static void end_wait(struct actor *a)
{
  for (uint32_t i = 0; i < a->step.awaits; i++)
    a->await[i].transfer->awaited[a->await[i].side] = false;
  if (a->step.awaits > 1)
    a->first = a->await[a->step.completed].mark;
}

static struct step *step(void *state, uint32_t self)
{
  struct toy *toy = state;
  struct actor *a = &toy->actor[self];
  if (a->next > 0 && a->step.kind == STEP_WAIT)
    end_wait(a);
  for (;;) {
    const struct deed *d = &SCRIPT[self][a->next++];
    switch (d->act) {
    case SEND:
    case RECEIVE:
      post(toy, d);
      break;
    case COMPUTE:
      return timed(a, STEP_EXEC, d->amount);
    case SLEEP:
      return timed(a, STEP_SLEEP, d->amount);
    case PARK:
      return timed(a, STEP_PARK, d->amount);
    case WAKE:
      toy->services->wake(toy->services->engine, d->transfer);
      break;
    case END:
      a->end = toy->services->now(toy->services->engine);
      return timed(a, STEP_END, 0);
    default:
      return wait_for(toy, self, d);
    }
  }
}

static void run(const char *engine, struct toy *toy)
{
  static const struct platform_params PARAMS;
  static const uint32_t HOST[ACTORS] = {0, 1, 2, 2};
  char path[] = "/tmp/driver-XXXXXX.xml";
  struct err e;
  const struct engine *row = registry_get(&engines, engine, &e);
  const int fd = mkstemps(path, 4);
  assert_true(fd >= 0);
  close(fd);
  struct platform *p = opened_platform_with("torus:3", &PARAMS);
  assert_int_equal(platform_save(p, path, &e), OK);
  assert_non_null(row);
  static const struct profiles NONE;
  const struct engine_config c = {.platform = p,
                                  .profiles = &NONE,
                                  .platform_file = path,
                                  .platform_name = path,
                                  .model = registry_at(&sim_models, 0),
                                  .precision_s = 1e-12,
                                  .maxmin_precision = 1e-9};
  const struct driver d = {.state = toy,
                           .actor = "actor",
                           .host = HOST,
                           .actors = ACTORS,
                           .attach = attach,
                           .step = step};
  *toy = (struct toy){.services = NULL};
  assert_int_equal(row->run(&c, &d, &e), OK);
  platform_free(p);
  unlink(path);
}

static void both_engines_agree(void **state)
{
  (void)state;
  struct toy flow, simgrid;
  run("flow", &flow);
  run("simgrid", &simgrid);
  for (int i = 0; i < ACTORS; i++) {
    assert_true(flow.actor[i].end > 0);
    assert_float_equal(flow.actor[i].end, simgrid.actor[i].end, 1e-9);
  }
  assert_int_equal(flow.actor[2].first, 2);
  assert_int_equal(simgrid.actor[2].first, 2);
  assert_true(flow.actor[0].end > 3); /* after 1 s of computation and 2 s of sleep */
  assert_float_equal(flow.actor[3].end, flow.actor[0].end - 2 + 3.125, 1e-9);
  for (int t = 0; t < TRANSFERS; t++)
    assert_true(flow.transfer[t].posted[SEND_SIDE] && flow.transfer[t].posted[RECV_SIDE]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_engines_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
