#include "sim/logical.h"

#include <stdlib.h>

#include "common/arena.h"
#include "common/containers/heap.h"
#include "common/mem.h"

/* transfer.state */
enum { NOT_STARTED, STARTED };

/* Target of transfer.own. */
struct mark {
  uint64_t number;
  uint64_t clock; /* the latest clock of the posts; once the transfer has started, the clock of its
                     end */
  struct mark *next; /* in the list of unused marks */
};

struct run {
  struct arena mem; /* owns the marks */
  const struct driver *driver;
  const struct logical_log *log;
  struct err *err;
  uint64_t *clock;    /* by actor */
  struct step **wait; /* by actor: the step that it is blocked on, or NULL */
  struct heap ready;  /* actors by clock */
  struct mark *unused;
  uint64_t transfers; /* so far */
  uint32_t actor;     /* the actor that takes a step now */
  bool failed, stopped;
};

static double now(void *engine)
{
  const struct run *run = engine;
  return (double)run->clock[run->actor];
}

static const struct mark *mark_of(const struct transfer *t)
{
  return t->own;
}

/* The mark of a transfer that is posted.  NULL: no memory. */
static struct mark *post_mark(struct run *run, struct transfer *t)
{
  struct mark *m = t->own;
  if (m != NULL)
    return m;
  if ((m = run->unused) != NULL)
    run->unused = m->next;
  else if ((m = arena_array(&run->mem, 1, sizeof *m)) == NULL)
    return NULL;
  *m = (struct mark){.number = run->transfers++};
  t->own = m;
  return m;
}

static void forget(void *engine, struct transfer *t)
{
  struct run *run = engine;
  struct mark *m = t->own;
  t->own = NULL;
  if (m == NULL)
    return;
  m->next = run->unused;
  run->unused = m;
}

static void make_ready(struct run *run, uint32_t actor)
{
  heap_set(&run->ready, actor, run->clock[actor]);
}

/* An actor has waited for a transfer. */
static void end(struct run *run, uint32_t actor, const struct transfer *t)
{
  const struct mark *m = mark_of(t);
  if (m->clock > run->clock[actor])
    run->clock[actor] = m->clock;
  if (run->log->waited(run->log->state, actor, m->number) != OK)
    run->failed = true;
}

/* Ends the wait of an actor for number @p i of its transfers. */
static void end_wait(struct run *run, uint32_t actor, struct step *step, uint32_t i)
{
  step->completed = i;
  run->wait[actor] = NULL;
  end(run, actor, step->await[i].transfer);
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

static enum status start(struct run *run, struct transfer *t, struct mark *m)
{
  t->state = STARTED;
  if (run->log->transfer(run->log->state, t, m->number, m->clock) != OK)
    return FAIL;
  m->clock++;
  tell(run, t, SEND_SIDE);
  tell(run, t, RECV_SIDE);
  return run->failed ? FAIL : OK;
}

static enum status post_side(struct run *run, struct transfer *t)
{
  const uint64_t clock = run->clock[run->actor];
  struct mark *m = post_mark(run, t);
  if (m == NULL || run->log->posted(run->log->state, run->actor, m->number) != OK)
    return FAIL;
  m->clock = clock > m->clock ? clock : m->clock;
  return t->eager || (t->posted[SEND_SIDE] && t->posted[RECV_SIDE]) ? start(run, t, m) : OK;
}

/* Called by the driver, within step(). */
static void post(void *engine, struct transfer *t, enum side side)
{
  struct run *run = engine;
  (void)side;
  if (t->state != STARTED && !run->failed)
    run->failed = post_side(run, t) != OK;
}

static bool ended(void *engine, struct transfer *t, enum side side)
{
  struct run *run = engine;
  (void)side;
  if (t->state == STARTED && !run->failed)
    end(run, run->actor, t);
  return t->state == STARTED;
}

/* The actor continues after the ready actor with the lowest clock. */
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
  struct run run = {.mem = {.e = e}, .driver = d, .log = log, .err = e};
  const struct services services = {
      .engine = &run, .now = now, .post = post, .ended = ended, .forget = forget};
  run.clock = mem_array(d->actors, sizeof *run.clock, e);
  run.wait = mem_array(d->actors, sizeof *run.wait, e);
  const bool ok =
      run.clock != NULL && run.wait != NULL && heap_reserve(&run.ready, d->actors, e) == OK;
  if (ok) {
    d->attach(d->state, &services);
    run_actors(&run);
  }
  heap_clear(&run.ready);
  arena_clear(&run.mem);
  free(run.clock);
  free(run.wait);
  return ok && !run.failed ? OK : FAIL;
}
