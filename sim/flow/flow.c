/* The engine that computes SimGrid's fluid model itself.  Actors are state machines, events come
 * from two heaps (flows; computations and sleeps), rates from an incremental max-min solution.
 *
 * Time advances as in EngineImpl::solve (src/kernel/EngineImpl.cpp of SimGrid 3.32): to the next
 * event, and events less than the precision later happen at the same date.  Then the actors run, in
 * the order of SimGrid's actors (docs/developers/flow-engine.md).  Then the rates change. */
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/changes.h"
#include "sim/coverage.h"
#include "sim/engine.h"
#include "sim/flow/causes.h"
#include "sim/flow/cpu.h"
#include "sim/flow/dates.h"
#include "sim/flow/maxmin.h"
#include "sim/flow/net.h"

/* transfer.state */
enum { NOT_STARTED, ON_ITS_WAY, ENDED };

/* A transfer in progress. */
struct flow {
  double bytes;
  struct flow_message message;
  struct transfer *transfer; /* NULL: not in use */
  bool sharing;              /* the latency is over: it shares links */
  uint32_t next_free;        /* index + 1; 0: none */
};

/* State of a blocked actor. */
struct wait {
  uint64_t begun; /* serial number of the wait */
  bool over;      /* a transfer has ended: the actor is ready */
  bool parked;    /* the actor is ready only once it is woken or its time is over */
  bool woken;     /* woken while not parked: it skips its next STEP_PARK */
};

struct run {
  const struct engine_config *config;
  const struct driver *driver;
  struct err *err;
  double now;
  struct flow_net *net;
  struct cpu cpu;
  struct flow_dates dates;
  struct changes changes;
  struct flow *flow;
  size_t flows, flow_room;
  uint32_t free;      /* list of unused flows: index + 1; 0: none */
  struct step **step; /* by actor: its current step */
  struct wait *wait;  /* by actor */
  uint64_t waits;     /* waits begun so far */
  double *full_speed; /* by actor: full speed of its host in flop/s, without the host's factor */
  uint32_t *ready;    /* ring buffer of the actors whose step is over */
  uint32_t first, count;
  struct causes *causes; /* NULL: none */
  bool unsettled;        /* flows have started or ended since the last update of rates */
  bool failed, stopped;
};

static double now(void *engine)
{
  return ((const struct run *)engine)->now;
}

static double left(void *engine, uint32_t actor)
{
  const struct run *run = engine;
  return cpu_left(&run->cpu, actor, run->now);
}

/* --- transfers ------------------------------------------------------------------------------- */

static enum status new_flow(struct run *run, uint32_t *index)
{
  if (run->free != 0) {
    *index = run->free - 1;
    run->free = run->flow[*index].next_free;
    return OK;
  }
  if (run->flows == MAXMIN_MOST - 1)
    return err_set(run->err, "more than %zu messages on their way", run->flows);
  if (MEM_GROW(run->flow, run->flow_room, run->flows + 1, run->err) != OK)
    return FAIL;
  if (flow_dates_reserve(&run->dates, (uint32_t)run->flows + 1, run->err) != OK)
    return FAIL;
  *index = (uint32_t)run->flows++;
  return OK;
}

static enum status share(struct run *run, uint32_t i)
{
  struct flow *f = &run->flow[i];
  const double work = f->bytes * f->message.penalty / f->message.factor;
  f->sharing = true;
  run->unsettled = true;
  if (flow_net_start(run->net, i, &f->message, false, run->err) != OK)
    return FAIL;
  if (run->causes != NULL)
    causes_in(run->causes, i, run->now);
  return flow_dates_start(&run->dates, i, work, run->err);
}

static enum status start(struct run *run, struct transfer *t)
{
  const uint32_t *host = run->driver->host;
  const double bytes = (double)(t->bytes + t->extra) + SIM_ENVELOPE_BYTES;
  uint32_t i = 0;
  if (new_flow(run, &i) != OK)
    return FAIL;
  struct flow *f = &run->flow[i];
  *f = (struct flow){.transfer = t, .bytes = bytes};
  f->message.src = host[t->first + t->src];
  f->message.dst = host[t->first + t->dst];
  if (flow_net_price(run->net, bytes, &f->message, run->err) != OK)
    return FAIL;
  t->state = ON_ITS_WAY;
  if (run->config->coverage != NULL)
    coverage_note(run->config->coverage, run->config->platform, f->message.src, f->message.dst,
                  t->bytes);
  if (run->causes != NULL)
    causes_start(run->causes, i, t);
  if (f->message.latency_s <= 0)
    return share(run, i);
  flow_dates_set(&run->dates, i, run->now + f->message.latency_s);
  return OK;
}

/* Called by the driver, within step(). */
static void post(void *engine, struct transfer *t, enum side side)
{
  struct run *run = engine;
  (void)side;
  const bool both = t->posted[SEND_SIDE] && t->posted[RECV_SIDE];
  if (t->state == NOT_STARTED && (both || t->eager || t->one_sided) && !run->failed)
    run->failed = start(run, t) != OK;
}

static bool ended(void *engine, struct transfer *t, enum side side)
{
  (void)engine;
  (void)side;
  return t->state == ENDED;
}

/* --- actors ---------------------------------------------------------------------------------- */

static void make_ready(struct run *run, uint32_t actor)
{
  const uint32_t actors = run->driver->actors;
  const uint32_t last = run->first + run->count++;
  run->ready[last < actors ? last : last - actors] = actor;
}

static void wake(void *engine, uint32_t actor)
{
  struct run *run = engine;
  struct wait *w = &run->wait[actor];
  w->woken = !w->parked;
  if (!w->parked)
    return;
  w->parked = false;
  cpu_end_sleep(&run->cpu, actor);
  if (run->causes != NULL)
    causes_wake(run->causes, actor);
  make_ready(run, actor);
}

static void park(struct run *run, uint32_t actor, const struct step *step)
{
  struct wait *w = &run->wait[actor];
  w->parked = !w->woken;
  w->woken = false;
  if (!w->parked)
    make_ready(run, actor);
  else if (step->amount > 0)
    cpu_sleep(&run->cpu, actor, fmax(step->amount, run->config->precision_s), run->now);
}

/* An actor whose transfer has ended already still passes through the queue, as in SimGrid. */
static void wait_for(struct run *run, uint32_t actor, struct step *step)
{
  uint32_t i = 0;
  while (i < step->awaits && step->await[i].transfer->state != ENDED)
    i++;
  step->completed = i;
  run->wait[actor].begun = run->waits++;
  run->wait[actor].over = i < step->awaits;
  if (i < step->awaits)
    make_ready(run, actor);
  if (i < step->awaits && run->causes != NULL)
    causes_over(run->causes, actor, (uint32_t)((uintptr_t)step->await[i].transfer->own - 1),
                run->now);
}

/* Tells the network how many ranks compute on a host. */
static void count_computing(struct run *run, uint32_t host)
{
  if (run->config->effects != NULL && flow_net_compute(run->net, host, run->cpu.host[host].running))
    run->unsettled = true;
}

static void compute(struct run *run, uint32_t actor, double flops, double traffic)
{
  const uint32_t host = run->driver->host[actor];
  cpu_compute(&run->cpu, actor, host, (struct cpu_work){flops, traffic}, run->now);
  count_computing(run, host);
}

static void take(struct run *run, uint32_t actor, struct step *step)
{
  run->step[actor] = step;
  switch (step->kind) {
  case STEP_EXEC:
    compute(run, actor, step->amount, step->traffic);
    break;
  case STEP_BUSY:
    compute(run, actor, step->amount * run->full_speed[actor], 0);
    break;
  case STEP_SLEEP: /* CpuCas01::sleep has the same minimum */
    cpu_sleep(&run->cpu, actor, fmax(step->amount, run->config->precision_s), run->now);
    break;
  case STEP_WAIT:
    wait_for(run, actor, step);
    break;
  case STEP_YIELD:
    make_ready(run, actor);
    break;
  case STEP_PARK:
    park(run, actor, step);
    break;
  case STEP_END:
    break;
  case STEP_STOP:
    run->stopped = true;
    break;
  }
}

/* Lets the actors in the queue take steps until it is empty. */
static void run_actors(struct run *run)
{
  const struct driver *d = run->driver;
  while (run->count > 0 && !run->failed && !run->stopped) {
    const uint32_t actor = run->ready[run->first];
    run->first = run->first + 1 < d->actors ? run->first + 1 : 0;
    run->count--;
    if (run->causes != NULL)
      causes_resume(run->causes, actor, run->now);
    struct step *step = d->step(d->state, actor);
    if (run->causes != NULL)
      causes_take(run->causes, actor, step, run->now);
    take(run, actor, step);
  }
}

/* Queues the actor that is blocked on side @p side of transfer @p t, which has ended with flow
 * @p flow. */
static void tell(struct run *run, const struct transfer *t, enum side side, uint32_t flow)
{
  const uint32_t actor = t->first + (side == SEND_SIDE ? t->src : t->dst);
  struct wait *w = &run->wait[actor];
  if (!t->awaited[side] || w->over)
    return;
  struct step *step = run->step[actor];
  uint32_t i = 0;
  while (i < step->awaits && (step->await[i].transfer != t || step->await[i].side != side))
    i++;
  if (i == step->awaits)
    return; /* the actor waits for other transfers first */
  step->completed = i;
  w->over = true;
  if (run->causes != NULL)
    causes_awaited(run->causes, actor, flow);
  make_ready(run, actor);
}

/* Queues first the actor that was blocked first (CommImpl::finish). */
static void tell_both(struct run *run, const struct transfer *t, uint32_t flow)
{
  const bool send = run->wait[t->first + t->src].begun < run->wait[t->first + t->dst].begun;
  tell(run, t, send ? SEND_SIDE : RECV_SIDE, flow);
  tell(run, t, send ? RECV_SIDE : SEND_SIDE, flow);
}

/* --- time ------------------------------------------------------------------------------------ */

static void release(struct run *run, uint32_t i)
{
  run->flow[i].transfer = NULL;
  run->flow[i].next_free = run->free;
  run->free = i + 1;
}

/* Takes a flow out of the maxmin. */
static void stop_sharing(struct run *run, uint32_t i)
{
  flow_net_end(run->net, i);
  flow_dates_end(&run->dates, i, run->now);
  run->unsettled = true;
}

/* Records the end of a flow, or that it leaves its links. */
static void note_out(struct run *run, uint32_t i, bool ended)
{
  const struct flow *f = &run->flow[i];
  const struct transfer *t = f->transfer;
  struct causes_out out = {.bytes = f->bytes,
                           .penalty = f->message.penalty,
                           .factor = f->message.factor,
                           .latency_s = f->message.latency_s,
                           .flow = i,
                           .src = t->first + t->src,
                           .dst = t->first + t->dst,
                           .ended = ended,
                           .shared = f->sharing};
  causes_out(run->causes, &out, run->now);
}

static void arrive(struct run *run, uint32_t i, struct transfer *t)
{
  if (run->causes != NULL)
    causes_arrive(run->causes, i);
  run->driver->arrived(run->driver->state, t);
  if (run->causes != NULL)
    causes_arrive(run->causes, CAUSES_NONE);
}

static void end_flow(struct run *run, uint32_t i)
{
  struct transfer *t = run->flow[i].transfer;
  if (run->causes != NULL) {
    note_out(run, i, true);
    t->own = (void *)((uintptr_t)i + 1); /* the flow that has ended, for causes_over() */
  }
  if (run->flow[i].sharing)
    stop_sharing(run, i);
  else
    flow_dates_end(&run->dates, i, run->now);
  release(run, i);
  t->state = ENDED;
  if (t->one_sided)
    arrive(run, i, t);
  else
    tell_both(run, t, i);
}

static void flow_event(struct run *run, uint32_t i)
{
  const struct flow *f = &run->flow[i];
  if (f->sharing || f->message.linkless) {
    end_flow(run, i);
    return;
  }
  flow_dates_end(&run->dates, i, run->now);
  run->failed |= share(run, i) != OK;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* A message that a link change affects. */
struct changed {
  uint32_t flow;
  double left; /* bytes left on the links, if its latency is over */
};

/* Lists the messages on their way that use a link, and takes them out of the maxmin. */
static enum status take_users(struct run *run, uint32_t link, struct changed **list, size_t *count)
{
  size_t room = 0;
  for (uint32_t i = 0; i < run->flows; i++) {
    const struct flow *f = &run->flow[i];
    bool uses;
    if (f->transfer == NULL || f->message.linkless)
      continue;
    if (flow_net_uses(run->net, &f->message, link, &uses, run->err) != OK ||
        MEM_GROW(*list, room, *count + 1, run->err) != OK)
      return FAIL;
    if (!uses)
      continue;
    struct changed *c = &(*list)[(*count)++];
    *c = (struct changed){.flow = i};
    if (f->sharing) {
      c->left = flow_dates_left(&run->dates, i, run->now) / f->message.penalty;
      if (run->causes != NULL)
        note_out(run, i, false);
      stop_sharing(run, i);
    }
  }
  return OK;
}

static enum status put_back(struct run *run, const struct changed *c,
                            const struct flow_change *change)
{
  struct flow *f = &run->flow[c->flow];
  flow_net_apply(run->net, &f->message, change);
  if (!f->sharing)
    return OK;
  if (flow_net_start(run->net, c->flow, &f->message, true, run->err) != OK)
    return FAIL;
  if (run->causes != NULL)
    causes_in(run->causes, c->flow, run->now);
  return flow_dates_start(&run->dates, c->flow, c->left * f->message.penalty, run->err);
}

/* Sets *used if a flow shared the link: only then is the change an event. */
static enum status change_link(struct run *run, const struct change *c, bool *used)
{
  OWNED struct changed *list = NULL;
  struct flow_change change;
  size_t count = 0;
  enum status s = take_users(run, c->target, &list, &count);
  if (s == OK)
    s = flow_net_change(run->net, c, &change, run->err);
  for (size_t i = 0; s == OK && i < count; i++) {
    const struct flow *f = &run->flow[list[i].flow];
    *used = *used || f->sharing;
    s = put_back(run, &list[i], &change);
  }
  return s;
}

static void set_now(struct run *run, double now)
{
  if (run->causes != NULL && now != run->now)
    causes_advance(run->causes, run->now);
  run->now = now;
}

/* Applies the next change, at date @p date.  True if it affects a busy host or link. */
static bool apply_change(struct run *run, double date)
{
  const struct change c = changes_take(&run->changes);
  const double before = run->now;
  bool used = false;
  set_now(run, fmax(run->now, date));
  if (run->causes != NULL)
    causes_change(run->causes, c.target, (uint32_t)c.kind);
  if (c.kind == PROFILE_SPEED) {
    used = run->cpu.host[c.target].running > 0;
    cpu_set_speed(&run->cpu, c.target,
                  platform_full_speed(run->config->platform, c.target) * c.value, run->now);
  } else {
    run->failed |= change_link(run, &c, &used) != OK;
  }
  set_now(run, before);
  return used;
}

static double next_actor(const struct run *run)
{
  return heap_count(&run->cpu.end) == 0 ? INFINITY : heap_first_key(&run->cpu.end);
}

/* Advances to the time of the next event; false if there is none. */
static bool advance(struct run *run)
{
  const double precision = run->config->precision_s;
  double date;
  if (run->unsettled) {
    run->failed |= flow_net_settle(run->net, run->err) != OK;
    flow_dates_update(&run->dates, run->now);
    if (run->causes != NULL)
      causes_settle(run->causes, run->now);
    run->unsettled = false;
  }
  uint32_t flow = flow_dates_first(&run->dates, &date);
  double next = fmin(date, next_actor(run));
  if (next == INFINITY)
    return false;
  for (double change; (change = changes_date(&run->changes)) <= next && !run->failed;)
    if (apply_change(run, change))
      next = change;
  flow = flow_dates_first(&run->dates, &date);
  set_now(run, fmax(run->now, next));
  const uint32_t n = cpu_end(&run->cpu, run->now, precision);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t actor = run->cpu.ended[i].rank;
    run->wait[actor].parked = false;
    count_computing(run, run->driver->host[actor]);
    make_ready(run, actor);
  }
  while (date - run->now < precision && !run->failed) {
    flow_event(run, flow);
    flow = flow_dates_first(&run->dates, &date);
  }
  return true;
}

/* --- a run ----------------------------------------------------------------------------------- */

static enum status set_hosts(struct run *run, const struct engine_config *c, struct err *e)
{
  const struct driver *d = run->driver;
  if (cpu_new(&run->cpu, platform_hosts(c->platform), d->actors, e) != OK)
    return FAIL;
  run->cpu.effects = c->effects;
  for (uint32_t a = 0; a < d->actors; a++) {
    const uint32_t h = d->host[a];
    run->full_speed[a] = platform_full_speed(c->platform, h);
    run->cpu.host[h].speed = platform_host_speed(c->platform, h);
    run->cpu.host[h].cores = platform_host_cores(c->platform, h);
  }
  return OK;
}

static enum status list_changes(struct run *run, const struct engine_config *c, struct err *e)
{
  for (uint32_t i = 0; i < platform_profiles(c->platform); i++)
    if (changes_add(&run->changes, platform_profile(c->platform, i), e) != OK)
      return FAIL;
  for (uint32_t i = 0; i < c->profiles->count; i++)
    if (changes_add(&run->changes, &c->profiles->profile[i], e) != OK)
      return FAIL;
  return OK;
}

static enum status prepare(struct run *run, const struct engine_config *c, struct err *e)
{
  const uint32_t actors = run->driver->actors;
  run->step = mem_array(actors, sizeof *run->step, e);
  run->wait = mem_array(actors, sizeof *run->wait, e);
  run->full_speed = mem_array(actors, sizeof *run->full_speed, e);
  run->ready = mem_array(actors, sizeof *run->ready, e);
  if (run->step == NULL || run->wait == NULL || run->full_speed == NULL || run->ready == NULL ||
      flow_net_new(&run->net, c, e) != OK || list_changes(run, c, e) != OK)
    return FAIL;
  run->dates.maxmin = flow_net_maxmin(run->net);
  run->dates.precision_s = c->precision_s;
  if (run->causes != NULL && causes_attach(run->causes, c, run->driver, run->net, e) != OK)
    return FAIL;
  return set_hosts(run, c, e);
}

/* Records the flows that are in progress at the end of the run. */
static void note_rest(struct run *run)
{
  for (uint32_t i = 0; run->causes != NULL && i < run->flows; i++)
    if (run->flow[i].transfer != NULL)
      note_out(run, i, false);
}

static void clear(struct run *run)
{
  changes_clear(&run->changes);
  if (run->causes == NULL || !causes_finish(run->causes))
    flow_net_free(run->net);
  cpu_clear(&run->cpu);
  flow_dates_clear(&run->dates);
  free(run->flow);
  free(run->step);
  free(run->wait);
  free(run->full_speed);
  free(run->ready);
}

static enum status run_flow(const struct engine_config *c, const struct driver *d, struct err *e)
{
  struct run run = {.config = c, .driver = d, .causes = c->causes, .err = e};
  const struct services services = {.engine = &run,
                                    .others = &run.count,
                                    .now = now,
                                    .post = post,
                                    .ended = ended,
                                    .wake = wake,
                                    .left = left};
  if (platform_need_lasting(c->platform, e) != OK ||
      platform_need_static(c->platform, "engine flow; --engine simgrid simulates it", e) != OK)
    return FAIL;
  const enum status s = prepare(&run, c, e);
  d->attach(d->state, &services);
  for (uint32_t a = 0; s == OK && a < d->actors; a++)
    make_ready(&run, a);
  while (s == OK && !run.failed && changes_date(&run.changes) <= 0)
    apply_change(&run, 0);
  if (s == OK)
    do
      run_actors(&run);
    while (!run.failed && !run.stopped && advance(&run));
  note_rest(&run);
  run.failed = run.failed || (run.causes != NULL && causes_failed(run.causes));
  clear(&run);
  return s == OK && !run.failed ? OK : FAIL;
}

const struct engine engine_flow = {
    .name = "flow",
    .help = "SimGrid 3.32's fluid model, computed incrementally",
    .knows_effects = true,
    .records = true,
    .runs_again = true,
    .run = run_flow,
};
