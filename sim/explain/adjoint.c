#include "sim/explain/adjoint.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/explain/adjoint_internal.h"

void adjoint_clear(struct adjoint *a)
{
  free(a->bandwidth);
  free(a->tied);
  free(a->one);
  free(a->latency);
  free(a->kink);
  free(a->speed);
  *a = (struct adjoint){0};
}

/* True if a tie is to be broken by the other choice than the engine's. */
static bool takes_other(struct sweep *w)
{
  const enum adjoint_ties t = w->options->ties;
  return t == ADJOINT_FIRST || (t == ADJOINT_MIXED && rng_below(&w->rng, 2) == 0);
}

/* --- flows ------------------------------------------------------------------------------------ */

static void sum_flow(struct sweep *w, uint32_t flow)
{
  struct flow_bars *f = &w->flow[flow];
  f->cap -= f->mu * (f->since - w->rewind.now);
  f->since = w->rewind.now;
}

/* A flow joins its bottleneck, seen backwards, or leaves it. */
static void join(struct sweep *w, uint32_t flow, double sign)
{
  const uint32_t link = w->rewind.flow[flow].bottleneck;
  if (link == CAUSES_ABSENT)
    return;
  if (link == MAXMIN_NONE) {
    if (sign < 0)
      sum_flow(w, flow);
    w->flow[flow].since = w->rewind.now;
    return;
  }
  adjoint_sum_link(w, link);
  w->link[link].mu += sign * w->flow[flow].mu;
}

/* Undoes an update of rates, and finds the bar of its date. */
static enum status on_settle(struct sweep *w, struct err *e)
{
  struct rewind *r = &w->rewind;
  const struct rewind_event *v = &r->event;
  double jump = 0;
  adjoint_push_levels(w);
  for (uint32_t i = 0; i < v->flows; i++) {
    struct flow_bars *f = &w->flow[v->flow[i].flow];
    f->in = f->mu * rewind_level(r, v->flow[i].flow);
    f->rest = f->mu * r->flow[v->flow[i].flow].out.cap - f->in;
    jump += v->flow[i].before == CAUSES_ABSENT ? 0 : f->in;
    join(w, v->flow[i].flow, -1);
  }
  for (uint32_t i = 0; i < v->links; i++) {
    const struct causes_link *l = &v->link[i];
    const double rise = r->link[l->link].level - l->before;
    adjoint_sum_link(w, l->link);
    if (isfinite(rise))
      jump += w->link[l->link].mu * rise;
    else
      w->link[l->link].mu = 0; /* rounding: it stops no flow on one side */
  }
  if (rewind_undo(r, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < v->flows; i++) {
    const uint32_t flow = v->flow[i].flow;
    if (v->flow[i].before != CAUSES_ABSENT)
      jump -= w->flow[flow].mu * rewind_level(r, flow);
    join(w, flow, 1);
  }
  w->jump = jump;
  w->events = v->as.settle.events;
  w->event = 0;
  w->shift = 0;
  w->other = w->events > 1 && takes_other(w);
  return OK;
}

/* The part of the bar of an update's date that belongs to the next of its events. */
static double take_jump(struct sweep *w)
{
  const uint32_t i = w->event++;
  if (i >= w->events)
    return 0;
  if (w->other) /* the last to be read */
    return i + 1 == w->events ? w->jump : 0;
  return w->jump / w->events;
}

/* Several events at one date: another treatment takes the one that was recorded first as the
 * latest.  Until then the others have another rate, which moves @p bar from their dates to its
 * date.  Returns the bar that the next event gets in addition; called before take_jump(). */
static double take_shift(struct sweep *w, double bar)
{
  if (!w->other || w->event >= w->events)
    return 0;
  if (w->event + 1 == w->events)
    return w->shift;
  w->shift -= bar;
  return bar;
}

static enum status on_out(struct sweep *w, struct err *e)
{
  const struct causes_out out = w->rewind.event.as.out;
  struct flow_bars *f = &w->flow[out.flow];
  double end = f->end;
  if (rewind_undo(&w->rewind, e) != OK)
    return FAIL;
  const double level = out.shared ? rewind_level(&w->rewind, out.flow) : 0;
  if (out.shared) {
    end += take_shift(w, out.cap > 0 ? end * (level / out.cap - 1) : 0);
    end += take_jump(w);
  }

  *f = (struct flow_bars){0};
  if (!out.ended)
    return OK;
  if (!out.shared) {
    f->start = end;
    return OK;
  }
  f->mu = level > 0 ? end / level : 0;
  f->penalty = f->mu * out.bytes / out.factor;
  join(w, out.flow, 1);
  return OK;
}

/* --- parameters of a flow --------------------------------------------------------------------- */

static double latency_of(const struct sweep *w, uint32_t link)
{
  return platform_link(w->options->platform, w->number[link]).latency_s;
}

/* The rate at which a link alone would carry the flow. */
static double rate_on(const struct sweep *w, const struct rewind_flow *f, uint32_t hop)
{
  double share = 0;
  for (uint32_t i = 0; i < f->uses; i++)
    if (f->use[i].link == f->use[hop].link)
      share += f->use[i].share;
  if (platform_link(w->options->platform, w->number[f->use[hop].link]).fat)
    share = 1;
  return flow_net_bandwidth(w->rewind.net, f->use[hop].link) / share;
}

/* Passes the bar of the highest rate on to the links that limit it.  Returns false if no link
 * does. */
static bool push_rate(struct sweep *w, const struct rewind_flow *f, double rate, double bar)
{
  uint32_t equal = 0;
  for (uint32_t i = 0; i < f->uses; i++)
    equal += adjoint_is_first(f, i) && rate_on(w, f, i) <= rate * (1 + EQUAL);
  for (uint32_t i = 0; i < f->uses && equal > 0; i++) {
    const double own = rate_on(w, f, i);
    const uint32_t link = f->use[i].link;
    if (!adjoint_is_first(f, i) || own > rate * (1 + EQUAL))
      continue;
    const double x = bar * own / flow_net_bandwidth(w->rewind.net, link);
    *(equal == 1 ? &w->out->bandwidth[link] : &w->out->tied[link]) += x;
    w->out->one[link] += x;
  }
  w->out->all_bandwidths += equal > 0 ? bar * rate : 0;
  return equal > 0;
}

/* Adds to the bar of the latency of each link on the way there. */
static void push_latency(struct sweep *w, const struct rewind_flow *f, double bar)
{
  for (uint32_t i = 0; i < f->uses; i++)
    if (f->use[i].share == 1) {
      w->out->latency[f->use[i].link] += bar;
      w->out->all_latencies += bar * latency_of(w, f->use[i].link);
    }
}

static double nominal_latency(const struct sweep *w, const struct rewind_flow *f)
{
  double sum = 0;
  for (uint32_t i = 0; i < f->uses; i++)
    sum += f->use[i].share == 1 ? latency_of(w, f->use[i].link) : 0;
  return sum;
}

/* Passes the bar of a flow's penalty on: the latency of its route plus weight over bandwidth. */
static void push_penalty(struct sweep *w, const struct rewind_flow *f, double bar)
{
  const double weight = w->options->weight_s;
  push_latency(w, f, bar);
  for (uint32_t i = 0; i < f->uses; i++) {
    const double bandwidth = flow_net_bandwidth(w->rewind.net, f->use[i].link);
    if (f->use[i].share != 1)
      continue;
    w->out->bandwidth[f->use[i].link] -= bar * weight / (bandwidth * bandwidth);
    w->out->one[f->use[i].link] -= bar * weight / (bandwidth * bandwidth);
    w->out->all_bandwidths -= bar * weight / bandwidth;
  }
}

/* A flow begins to share links: passes its bars on to the parameters and to its start. */
static enum status on_in(struct sweep *w, struct err *e)
{
  const uint32_t flow = w->rewind.event.as.in.flow;
  const struct rewind_flow *f = &w->rewind.flow[flow];
  struct flow_bars *b = &w->flow[flow];
  const double shift = take_shift(w, b->rest);
  const double start = b->in + shift + take_jump(w);
  b->penalty += b->weight / f->out.penalty;
  const double latency = nominal_latency(w, f), rate = f->out.cap / f->out.penalty;
  if (b->cap != 0) {
    const double bar = b->cap * f->out.penalty;
    b->penalty += b->cap * rate;
    if (!push_rate(w, f, rate, bar))
      push_latency(w, f, -bar * rate / latency);
  }
  if (f->out.latency_s > 0) {
    push_penalty(w, f, b->penalty);
    push_latency(w, f, start * f->out.latency_s / latency);
  }
  *b = (struct flow_bars){.start = start};
  return rewind_undo(&w->rewind, e);
}

static bool is_foreground(const struct sweep *w, uint32_t actor)
{
  const struct causes_actor a = causes_actor(w->causes, actor);
  return a.job != CAUSES_NONE && !w->options->background[a.job];
}

/* --- hosts ------------------------------------------------------------------------------------ */

/* Speed of each of @p n computations on a host. */
static double speed_of(const struct sweep *w, uint32_t host, uint32_t n)
{
  const double cores = platform_host_cores(w->options->platform, host);
  const double speed = platform_host_speed(w->options->platform, host);
  return n <= cores ? speed : speed * cores / n;
}

/* A computation ends: it runs before. */
static void on_end(struct sweep *w, const struct causes_step *s)
{
  const uint32_t host = causes_actor(w->causes, s->actor).host;
  struct host_bars *h = &w->host[host];
  struct actor_bars *a = &w->actor[s->actor];
  const double after = speed_of(w, host, h->running), before = speed_of(w, host, ++h->running);
  a->mu = (a->now + h->mu * (after - before)) / before;
  a->now = 0;
  h->mu += a->mu;
  if (s->kind != STEP_EXEC)
    return;
  w->out->speed[host] -= a->mu * s->amount / platform_host_speed(w->options->platform, host);
  w->out->all_speeds -= a->mu * s->amount;
}

static void on_begin(struct sweep *w, uint32_t actor)
{
  const uint32_t host = causes_actor(w->causes, actor).host;
  struct host_bars *h = &w->host[host];
  struct actor_bars *a = &w->actor[actor];
  const double after = speed_of(w, host, h->running), before = speed_of(w, host, --h->running);
  h->mu -= a->mu;
  a->now += a->mu * after + h->mu * (after - (h->running > 0 ? before : after));
  a->mu = 0;
}

/* A rank has ended: it may be the last one. */
static void on_last(struct sweep *w, uint32_t actor)
{
  uint32_t last = takes_other(w) ? causes_first(w->causes) : actor;
  if (last == CAUSES_NONE || !is_foreground(w, last))
    last = actor;
  if (w->found || !is_foreground(w, last))
    return;
  w->actor[last].now = 1;
  w->found = true;
}

static void on_step(struct sweep *w, const struct causes_step *s)
{
  struct actor_bars *a = &w->actor[s->actor];
  const bool other = takes_other(w);
  if (s->cause == CAUSES_END) {
    on_last(w, s->actor);
  } else if ((s->cause == CAUSES_TRANSFER && !(other && s->begin >= w->rewind.now)) ||
             (s->cause == CAUSES_TIE && other)) {
    w->flow[s->by].end += a->now;
    a->now = 0;
  } else if (s->cause == CAUSES_WOKEN) {
    a->wake += a->now;
    a->now = 0;
  } else if (s->cause == CAUSES_TIME && (s->kind == STEP_EXEC || s->kind == STEP_BUSY)) {
    on_end(w, s);
  }
}

static void on_wake(struct sweep *w, const struct causes_wake *k)
{
  struct actor_bars *a = &w->actor[k->actor];
  *(k->by_flow ? &w->flow[k->by].end : &w->actor[k->by].now) += a->wake;
  a->wake = 0;
}

static void on_start(struct sweep *w, const struct causes_start *s)
{
  const bool other = s->tied != CAUSES_NONE && takes_other(w);
  w->actor[other ? s->tied : s->actor].now += w->flow[s->flow].start;
  w->flow[s->flow].start = 0;
}

/* --- the sweep -------------------------------------------------------------------------------- */

static enum status on_event(struct sweep *w, struct err *e)
{
  const struct rewind_event *v = &w->rewind.event;
  switch (v->kind) {
  case CAUSES_SETTLE:
    return on_settle(w, e);
  case CAUSES_OUT:
    return on_out(w, e);
  case CAUSES_IN:
    return on_in(w, e);
  case CAUSES_CHANGE:
    return err_set(e, "a profile changes the platform during the run, and the derivatives need a "
                      "constant platform");
  case CAUSES_STEP:
    on_step(w, &v->as.step);
    return OK;
  case CAUSES_BEGIN:
    on_begin(w, v->as.begin.actor);
    return OK;
  case CAUSES_WAKE:
    on_wake(w, &v->as.wake);
    return OK;
  case CAUSES_START:
    on_start(w, &v->as.start);
    return OK;
  default:
    return rewind_undo(&w->rewind, e);
  }
}

static enum status make_output(struct adjoint *out, uint32_t links, uint32_t hosts, struct err *e)
{
  out->links = links;
  out->hosts = hosts;
  if ((out->bandwidth = mem_array(links, sizeof *out->bandwidth, e)) == NULL ||
      (out->tied = mem_array(links, sizeof *out->tied, e)) == NULL ||
      (out->one = mem_array(links, sizeof *out->one, e)) == NULL ||
      (out->latency = mem_array(links, sizeof *out->latency, e)) == NULL ||
      (out->kink = mem_array(links, sizeof *out->kink, e)) == NULL ||
      (out->speed = mem_array(hosts, sizeof *out->speed, e)) == NULL)
    return FAIL;
  return OK;
}

static enum status prepare(struct sweep *w, struct err *e)
{
  const uint32_t hosts = platform_hosts(w->options->platform);
  const uint32_t actors = causes_actors(w->causes);
  if (rewind_start(&w->rewind, w->causes, e) != OK ||
      make_output(w->out, w->rewind.links, hosts, e) != OK ||
      (w->flow = mem_array(w->rewind.flows, sizeof *w->flow, e)) == NULL ||
      (w->link = mem_array(w->rewind.links, sizeof *w->link, e)) == NULL ||
      (w->number = mem_array(w->rewind.links, sizeof *w->number, e)) == NULL ||
      (w->dirty = mem_array(w->rewind.links, sizeof *w->dirty, e)) == NULL ||
      (w->host = mem_array(hosts, sizeof *w->host, e)) == NULL ||
      (w->actor = mem_array(actors, sizeof *w->actor, e)) == NULL)
    return FAIL;
  flow_net_number(w->rewind.net, w->number);
  for (uint32_t a = 0; a < actors; a++)
    w->host[causes_actor(w->causes, a).host].running += causes_computes(w->causes, a);
  return OK;
}

static void clear(struct sweep *w)
{
  rewind_clear(&w->rewind);
  free(w->flow);
  free(w->link);
  free(w->number);
  free(w->dirty);
  free(w->host);
  free(w->actor);
}

enum status adjoint_find(struct adjoint *out, const struct causes *c,
                         const struct adjoint_options *o, struct err *e)
{
  struct sweep w = {.out = out, .options = o, .causes = c, .rng = rng_new(1, 0)};
  bool more = true;
  *out = (struct adjoint){0};
  enum status s = prepare(&w, e);
  while (s == OK && more) {
    s = rewind_next(&w.rewind, &more, e);
    if (s == OK && more)
      s = on_event(&w, e);
  }
  clear(&w);
  return s;
}
