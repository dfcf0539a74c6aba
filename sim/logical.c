#include "sim/logical.h"

#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/mem.h"

/* transfer.state */
enum { NOT_STARTED, STARTED };

struct run {
  const struct driver *driver;
  const struct logical_log *log;
  struct err *err;
  uint64_t *clock;    /* by actor */
  struct step **wait; /* by actor: the step that it is blocked on, or NULL */
  struct heap ready;  /* actors by clock */
  uint32_t actor;     /* takes its step */
  bool failed, stopped;
};

static double now(void *engine)
{
  const struct run *run = engine;
  return (double)run->clock[run->actor];
}

/* The latest clock of the posts of a transfer; once it has started, the clock of its end.  It is
 * stored in transfer.own itself. */
static uint64_t clock_of(const struct transfer *t)
{
  return (uint64_t)(uintptr_t)t->own;
}

static void set_clock(struct transfer *t, uint64_t clock)
{
  t->own = (void *)(uintptr_t)clock;
}

static void make_ready(struct run *run, uint32_t actor)
{
  heap_set(&run->ready, actor, run->clock[actor]);
}

/* Ends the wait of an actor for number @p i of its transfers. */
static void end_wait(struct run *run, uint32_t actor, struct step *step, uint32_t i)
{
  const uint64_t end = clock_of(step->await[i].transfer);
  step->completed = i;
  run->wait[actor] = NULL;
  run->clock[actor] = end > run->clock[actor] ? end : run->clock[actor];
  make_ready(run, actor);
}

/* Ends the wait of the actor on this side of a transfer that has started. */
static void tell(struct run *run, const struct transfer *t, enum side side)
{
  const uint32_t actor = t->first + (side == SEND_SIDE ? t->src : t->dst);
  struct step *step = t->awaited[side] ? run->wait[actor] : NULL;
  for (uint32_t i = 0; step != NULL && i < step->awaits; i++)
    if (step->await[i].transfer == t && step->await[i].side == side) {
      end_wait(run, actor, step, i);
      return;
    }
}

/* Called by the driver, within step(). */
static void post(void *engine, struct transfer *t, enum side side)
{
  struct run *run = engine;
  const bool both = t->posted[SEND_SIDE] && t->posted[RECV_SIDE];
  const uint64_t clock = run->clock[run->actor], depth = clock > clock_of(t) ? clock : clock_of(t);
  (void)side;
  if (t->state == STARTED || run->failed)
    return;
  set_clock(t, depth);
  if (!both && !t->eager)
    return;
  run->failed = run->log->transfer(run->log->state, t, depth) != OK;
  t->state = STARTED;
  set_clock(t, depth + 1);
  tell(run, t, SEND_SIDE);
  tell(run, t, RECV_SIDE);
}

static bool ended(void *engine, struct transfer *t, enum side side)
{
  struct run *run = engine;
  uint64_t *clock = &run->clock[run->actor];
  (void)side;
  if (t->state == STARTED && clock_of(t) > *clock)
    *clock = clock_of(t);
  return t->state == STARTED;
}

/* The actor continues after the next actor that is ready. */
static void yield(struct run *run, uint32_t actor)
{
  if (heap_count(&run->ready) > 0) {
    const uint64_t next = run->clock[heap_first(&run->ready)] + 1;
    run->clock[actor] = next > run->clock[actor] ? next : run->clock[actor];
  }
  make_ready(run, actor);
}

static void wait_for(struct run *run, uint32_t actor, struct step *step)
{
  run->wait[actor] = step;
  for (uint32_t i = 0; i < step->awaits; i++)
    if (step->await[i].transfer->state == STARTED) {
      end_wait(run, actor, step, i);
      return;
    }
}

static void take(struct run *run, uint32_t actor, struct step *step)
{
  switch (step->kind) {
  case STEP_EXEC:
    run->log->computed(run->log->state, actor, step->amount);
    make_ready(run, actor);
    break;
  case STEP_BUSY:
  case STEP_SLEEP:
  case STEP_YIELD:
    yield(run, actor);
    break;
  case STEP_WAIT:
    wait_for(run, actor, step);
    break;
  case STEP_PARK:
    run->failed = err_set(run->err, "logical time has no timers") != OK;
    break;
  case STEP_END:
    break;
  case STEP_STOP:
    run->stopped = true;
    break;
  }
}

static void run_actors(struct run *run)
{
  const struct driver *d = run->driver;
  for (uint32_t a = 0; a < d->actors; a++)
    make_ready(run, a);
  while (heap_count(&run->ready) > 0 && !run->failed && !run->stopped) {
    run->actor = heap_first(&run->ready);
    heap_remove(&run->ready, run->actor);
    take(run, run->actor, d->step(d->state, run->actor));
  }
}

enum status logical_run(const struct driver *d, const struct logical_log *log, struct err *e)
{
  struct run run = {.driver = d, .log = log, .err = e};
  const struct services services = {.engine = &run, .now = now, .post = post, .ended = ended};
  run.clock = mem_array(d->actors, sizeof *run.clock, e);
  run.wait = mem_array(d->actors, sizeof *run.wait, e);
  const bool ok =
      run.clock != NULL && run.wait != NULL && heap_reserve(&run.ready, d->actors, e) == OK;
  if (ok) {
    d->attach(d->state, &services);
    run_actors(&run);
  }
  heap_clear(&run.ready);
  free(run.clock);
  free(run.wait);
  return ok && !run.failed ? OK : FAIL;
}
