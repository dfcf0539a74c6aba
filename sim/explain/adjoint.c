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

double adjoint_holds_to(const struct adjoint_bar *x)
{
  return 0.25 / hypot(x->of[ADJOINT_NEAR], x->of[ADJOINT_NEAR + 1]);
}

/* Draws the part of a tie that takes the choice that the engine has not taken.  It is random, so
 * that the parts of several ties do not cancel each other. */
static bar draw_other(struct sweep *w)
{
  bar other = {{0}};
  other.of[ADJOINT_MIXED] = 0.25 + 0.75 * rng_double(&w->rng);
  return other;
}

/* A decision counts only in part if its change would change the derivative by less than 1 %. The
 * terms have random sizes: with random signs alone, two equal decisions would cancel each other in
 * half of the cases. */
void adjoint_decide(struct sweep *w, double *later, double *earlier, double slack, double influence)
{
  const double most = 100 * fabs(influence), part = most < 1 ? most : 1;
  if (!(most > 0) || !(slack > 0))
    return;
  const double scale = part / (slack * 1.5);
  _Static_assert(LANES - ADJOINT_NEAR == 2, "each lane takes 32 of the random bits");
  uint64_t bits = rng_next(&w->signs);
  for (int k = 0; k < LANES - ADJOINT_NEAR; k++) {
    const double sign = 2 * (double)(bits & 1) - 1;
    const double size = 1 + (double)(bits >> 1 & INT32_MAX) / INT32_MAX;
    const double x = sign * size * scale;
    later[k] += x;
    earlier[k] -= x;
    bits >>= 32;
  }
}

static void move_all(bar *to, bar *from)
{
  adjoint_add(to, from, 1);
  *from = (bar){{0}};
}

static void move_nears(bar *to, struct nears *from)
{
  for (int k = ADJOINT_NEAR; k < LANES; k++)
    to->of[k] += from->of[k - ADJOINT_NEAR];
  *from = (struct nears){{0}};
}

/* --- flows ------------------------------------------------------------------------------------ */

/* A flow joins its bottleneck, seen backwards. */
static void join(struct sweep *w, uint32_t flow)
{
  const uint32_t link = w->rewind->flow[flow].bottleneck;
  if (link == CAUSES_ABSENT)
    return;
  if (link == MAXMIN_NONE) {
    w->flow[flow].since = w->rewind->now;
    return;
  }
  adjoint_sum_link(w, link);
  adjoint_add(&w->link[link].mu, &w->flow[flow].mu, 1);
}

static void leave(struct sweep *w, uint32_t flow)
{
  const uint32_t link = w->rewind->flow[flow].bottleneck;
  struct flow_bars *f = &w->flow[flow];
  if (link == CAUSES_ABSENT)
    return;
  if (link == MAXMIN_NONE) {
    adjoint_add(&f->cap, &f->mu, w->rewind->now - f->since);
    return;
  }
  adjoint_sum_link(w, link);
  adjoint_add(&w->link[link].mu, &f->mu, -1);
}

/* Prefetches the changed flows, which lie far apart in memory, a batch at a time; called for each i
 * of a loop over them. */
static void fetch_ahead(const struct sweep *w, uint32_t i)
{
  enum { BATCH = 8, FEW = 3 };
  const struct rewind_event *v = &w->rewind->event;
  const uint32_t end = v->flows - i < BATCH ? v->flows : i + BATCH;
  if (i % BATCH != 0 || v->flows <= FEW)
    return;
  for (uint32_t k = i; k < end; k++) {
    const char *bars = (const char *)&w->flow[v->flow[k].flow];
    const size_t size = v->flow[k].before == CAUSES_ABSENT ? sizeof *w->flow : MEM_LINE;
    __builtin_prefetch(&w->rewind->flow[v->flow[k].flow]);
    for (size_t at = 0; at < size; at += MEM_LINE)
      __builtin_prefetch(bars + at);
  }
  for (uint32_t k = i; k < end; k++) {
    const struct rewind_flow *f = &w->rewind->flow[v->flow[k].flow];
    __builtin_prefetch(f->use);
  }
}

/* Passes on the bars of a link whose level the update changes. */
static void take_rise(struct sweep *w, const struct causes_link *l, bar *jump)
{
  const double rise = w->rewind->link[l->link].level - l->before;
  struct link_bars *b = &w->link[l->link];
  adjoint_sum_link(w, l->link);
  move_nears(jump, &b->change);
  if (isfinite(rise)) {
    adjoint_add(jump, &b->mu, rise);
    adjoint_decide(w, adjoint_nears(jump), b->change.of, l->slack, b->mu.of[ADJOINT_EQUAL] * rise);
  } else {
    b->mu = (bar){{0}}; /* the link stops no flow before or after the update: a rounding error */
  }
}

/* Before an update of rates is undone: its flows leave their bottlenecks. */
static enum status before_settle(struct sweep *w, struct err *e)
{
  const struct rewind *r = w->rewind;
  const struct rewind_event *v = &r->event;
  bar jump = {{0}};
  adjoint_push_levels(w);
  for (uint32_t i = 0; i < v->links; i++)
    if (adjoint_set_stops(w, v->link[i].link, isfinite(v->link[i].before), e) != OK)
      return FAIL;
  for (uint32_t i = 0; i < v->flows; i++) {
    const uint32_t flow = v->flow[i].flow;
    struct flow_bars *f = &w->flow[flow];
    fetch_ahead(w, i);
    const double level = rewind_level(r, flow);
    if (v->flow[i].before != CAUSES_ABSENT) {
      adjoint_add(&jump, &f->mu, level);
    } else {
      f->level = level;
      f->in = adjoint_times(&f->mu, level);
      f->rest = adjoint_times(&f->mu, r->flow[flow].out.cap - level);
    }
    leave(w, flow);
    if (adjoint_add_move(w, flow, r->flow[flow].bottleneck, v->flow[i].before, e) != OK)
      return FAIL;
  }
  if (adjoint_move_all(w, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < v->links; i++)
    take_rise(w, &v->link[i], &jump);
  w->events = v->as.settle.events;
  w->event = 0;
  adjoint_forget_ties(w);
  w->update.jump = jump;
  if (w->events > 1) {
    w->update.shift = (bar){{0}};
    w->update.other = draw_other(w);
  }
  return OK;
}

/* After an update of rates is undone: its flows join the bottlenecks that they had before the
 * update. */
static enum status after_settle(struct sweep *w, struct err *e)
{
  (void)e;
  const struct rewind_event *v = &w->rewind->event;
  for (uint32_t i = 0; i < v->flows; i++) {
    const uint32_t flow = v->flow[i].flow;
    const double level = rewind_level(w->rewind, flow);
    if (v->flow[i].before != CAUSES_ABSENT)
      adjoint_add(&w->update.jump, &w->flow[flow].mu, -level);
    join(w, flow);
  }
  return OK;
}

/* Passes the bar of a flow's begin on to its start.  From here on, seen backwards, the number of
 * the flow may belong to an earlier transfer. */
static void reset_flow(struct sweep *w, uint32_t flow, const bar *start)
{
  struct flow_bars *f = &w->flow[flow];
  *f = (struct flow_bars){.start = *start};
  w->marked[flow] = false;
}

/* A flow begins or ends at a date with bar @p date: adds the decisions whether a later event on its
 * links comes before this one, and whether this one comes before the previous event on them. */
static void decide_use(struct sweep *w, uint32_t flow, const struct causes_near *near, bar *date)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  for (uint32_t i = 0; i < f->uses; i++)
    move_nears(date, &w->link[f->use[i].link].use);
  if (near->link != MAXMIN_NONE)
    adjoint_decide(w, adjoint_nears(date), w->link[near->link].use.of, near->slack,
                   date->of[ADJOINT_EQUAL]);
}

/* Adds the part of the update's bars that belongs to its next event. */
static void take_jump(struct sweep *w, bar *to, const bar *own)
{
  if (w->event >= w->events)
    return;
  if (w->events == 1)
    adjoint_add(to, &w->update.jump, 1);
  else
    adjoint_take_jump(w, to, own);
}

/* A link may keep its level although a flow leaves it, if another flow takes its place: the
 * equation of its level changes nevertheless. */
static enum status before_out(struct sweep *w, struct err *e)
{
  (void)e;
  const struct rewind_event *v = &w->rewind->event;
  if (v->as.out.shared && w->events > 1)
    adjoint_push_hops(w, v->use, v->uses);
  return OK;
}

/* A flow changes its bottleneck, at once. */
static enum status move_now(struct sweep *w, uint32_t flow, uint32_t from, uint32_t to,
                            struct err *e)
{
  if (adjoint_add_move(w, flow, from, to, e) != OK)
    return FAIL;
  return adjoint_move_all(w, e);
}

static enum status after_out(struct sweep *w, struct err *e)
{
  const struct causes_out *out = &w->rewind->event.as.out;
  struct flow_bars *f = &w->flow[out->flow];
  const double level = out->shared ? rewind_level(w->rewind, out->flow) : 0;
  bar end = f->end, own = {{0}};
  if (out->shared) {
    adjoint_add(&own, &f->end, out->cap > 0 ? level / out->cap - 1 : 0);
    take_jump(w, &end, &own);
    decide_use(w, out->flow, &out->near, &end);
    w->event++;
    if (w->events > 1 && adjoint_tie(w, out->flow, true, &end, e) != OK)
      return FAIL;
  }
  f->end = (bar){{0}};
  if (!out->shared) {
    f->start = out->ended ? end : f->start;
    return OK;
  }
  if (out->ended && level > 0) {
    adjoint_add(&f->mu, &end, 1 / level);
    adjoint_add(&f->penalty, &f->mu, out->bytes / out->factor);
  }
  join(w, out->flow);
  return move_now(w, out->flow, CAUSES_ABSENT, out->bottleneck, e);
}

/* A flow begins to share links: passes its bars on to the parameters and to its start. */
static enum status before_in(struct sweep *w, struct err *e)
{
  const struct causes_in *in = &w->rewind->event.as.in;
  const uint32_t flow = in->flow;
  struct flow_bars *b = &w->flow[flow];
  bar start = b->in;
  take_jump(w, &start, &b->rest);
  decide_use(w, flow, &in->near, &start);
  w->event++;
  if (w->events > 1 && adjoint_tie(w, flow, false, &start, e) != OK)
    return FAIL;
  leave(w, flow);
  if (move_now(w, flow, w->rewind->flow[flow].bottleneck, CAUSES_ABSENT, e) != OK)
    return FAIL;
  adjoint_push_flow(w, flow, &start);
  reset_flow(w, flow, &start);
  return OK;
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
  const struct host_bars *h = &w->host[host];
  return n <= h->cores ? h->speed : h->speed * h->cores / n;
}

/* A computation ends: before this event it runs. */
static void on_end(struct sweep *w, const struct causes_step *s)
{
  const uint32_t host = causes_actor(w->causes, s->actor).host;
  struct host_bars *h = &w->host[host];
  struct actor_bars *a = &w->actor[s->actor];
  const double after = speed_of(w, host, h->running), before = speed_of(w, host, ++h->running);
  a->mu = (bar){{0}};
  adjoint_add(&a->mu, &a->now, 1 / before);
  adjoint_add(&a->mu, &h->mu, (after - before) / before);
  a->now = (bar){{0}};
  adjoint_add(&h->mu, &a->mu, 1);
  adjoint_add(&w->out->speed[host], &a->mu, -s->amount / h->speed);
  if (s->kind == STEP_EXEC) /* STEP_BUSY takes the same time if all hosts are faster */
    adjoint_add(&w->out->all_speeds, &a->mu, -s->amount);
}

static enum status on_begin(struct sweep *w, struct err *e)
{
  (void)e;
  const uint32_t actor = w->rewind->event.as.begin.actor;
  const uint32_t host = causes_actor(w->causes, actor).host;
  struct host_bars *h = &w->host[host];
  struct actor_bars *a = &w->actor[actor];
  const double after = speed_of(w, host, h->running), before = speed_of(w, host, --h->running);
  adjoint_add(&h->mu, &a->mu, -1);
  adjoint_add(&a->now, &a->mu, after);
  adjoint_add(&a->now, &h->mu, h->running > 0 ? after - before : 0);
  a->mu = (bar){{0}};
  return OK;
}

/* A rank has ended: it may be the last one. */
static void on_last(struct sweep *w, uint32_t actor)
{
  uint32_t first = causes_first(w->causes);
  if (w->found || !is_foreground(w, actor))
    return;
  if (first == CAUSES_NONE || !is_foreground(w, first))
    first = actor;
  const bar other = draw_other(w);
  for (int k = 0; k < ADJOINT_NEAR; k++) {
    w->actor[actor].now.of[k] = 1 - other.of[k];
    w->actor[first].now.of[k] += other.of[k];
  }
  for (uint32_t a = 0; a < causes_actors(w->causes); a++)
    if (a != actor && is_foreground(w, a))
      adjoint_decide(w, adjoint_nears(&w->actor[actor].now), adjoint_nears(&w->actor[a].end),
                     w->rewind->now - causes_last(w->causes, a), 1);
  w->found = true;
}

/* Moves a part of a bar. */
static void move(bar *to, bar *from, const bar *part)
{
  for (int k = 0; k < LANES; k++) {
    const double moved = from->of[k] * part->of[k];
    to->of[k] += moved;
    from->of[k] -= moved;
  }
}

/* A wait for a transfer has ended at the later of two dates: the begin of the wait, and the end of
 * the transfer. */
static void on_wait(struct sweep *w, const struct causes_step *s)
{
  bar *now = &w->actor[s->actor].now, *end = &w->flow[s->by].end;
  const bool over = s->cause == CAUSES_EARLY;
  const double slack = w->rewind->now - s->begin, influence = now->of[ADJOINT_EQUAL];
  if (slack > 0) {
    if (!over)
      move_all(end, now);
    adjoint_decide(w, adjoint_nears(over ? now : end), adjoint_nears(over ? end : now), slack,
                   influence);
    return;
  }
  bar part = draw_other(w);
  for (int k = 0; k < LANES && !over; k++)
    part.of[k] = 1 - part.of[k];
  move(end, now, &part);
}

static enum status on_step(struct sweep *w, struct err *e)
{
  (void)e;
  const struct causes_step *s = &w->rewind->event.as.step;
  struct actor_bars *a = &w->actor[s->actor];
  if (s->cause == CAUSES_END) {
    move_all(&a->now, &a->end);
    on_last(w, s->actor);
  } else if (s->cause == CAUSES_TRANSFER || s->cause == CAUSES_EARLY)
    on_wait(w, s);
  else if (s->cause == CAUSES_WOKEN)
    move_all(&a->wake, &a->now);
  if (s->cause == CAUSES_TIME && (s->kind == STEP_EXEC || s->kind == STEP_BUSY))
    on_end(w, s);
  return OK;
}

static enum status on_wake(struct sweep *w, struct err *e)
{
  (void)e;
  const struct causes_wake *k = &w->rewind->event.as.wake;
  struct actor_bars *a = &w->actor[k->actor];
  adjoint_add(k->by_flow ? &w->flow[k->by].end : &w->actor[k->by].now, &a->wake, 1);
  a->wake = (bar){{0}};
  return OK;
}

static enum status on_start(struct sweep *w, struct err *e)
{
  (void)e;
  const struct causes_start *s = &w->rewind->event.as.start;
  bar *start = &w->flow[s->flow].start;
  if (s->other != CAUSES_NONE && s->slack > 0) {
    adjoint_decide(w, adjoint_nears(start), adjoint_nears(&w->actor[s->other].now), s->slack,
                   start->of[ADJOINT_EQUAL]);
  } else if (s->other != CAUSES_NONE) {
    const bar other = draw_other(w);
    move(&w->actor[s->other].now, start, &other);
  }
  move_all(&w->actor[s->actor].now, start);
  return OK;
}

static enum status refuse(struct sweep *w, struct err *e)
{
  (void)w;
  return err_set(
      e, "a profile or the effect speeds changes the platform during the run, and the derivatives "
         "need a constant platform");
}

/* --- the sweep -------------------------------------------------------------------------------- */

/* Functions by kind of event.  Each has a call of its own, as most events are short. */
static enum status (*const BEFORE[CAUSES_CHANGE + 1])(struct sweep *w, struct err *e) = {
    [CAUSES_STEP] = on_step,  [CAUSES_BEGIN] = on_begin,      [CAUSES_START] = on_start,
    [CAUSES_IN] = before_in,  [CAUSES_OUT] = before_out,      [CAUSES_WAKE] = on_wake,
    [CAUSES_CHANGE] = refuse, [CAUSES_SETTLE] = before_settle};
static enum status (*const AFTER[CAUSES_CHANGE + 1])(struct sweep *w, struct err *e) = {
    [CAUSES_OUT] = after_out, [CAUSES_SETTLE] = after_settle};

enum status adjoint_before(struct sweep *w, struct err *e)
{
  return BEFORE[w->rewind->event.kind](w, e);
}

enum status adjoint_after(struct sweep *w, struct err *e)
{
  const enum causes_kind kind = w->rewind->event.kind;
  return AFTER[kind] == NULL ? OK : AFTER[kind](w, e);
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

static enum status describe_links(struct sweep *w, struct err *e)
{
  OWNED uint32_t *number = mem_array(w->rewind->links, sizeof *number, e);
  if (number == NULL)
    return FAIL;
  flow_net_number(w->rewind->net, number);
  for (uint32_t i = 0; i < w->rewind->links; i++) {
    const struct platform_link l = platform_link(w->options->platform, number[i]);
    w->stops[i] = isfinite(w->rewind->link[i].level);
    w->link[i].least = INFINITY;
    w->first_hop[i] = UINT32_MAX;
    w->last_tied[i] = CAUSES_NONE;
    w->link[i].bandwidth = flow_net_bandwidth(w->rewind->net, i);
    w->link[i].latency_s = l.latency_s;
    w->fat[i] = l.fat;
  }
  return OK;
}

static enum status prepare(struct sweep *w, struct err *e)
{
  const uint32_t hosts = platform_hosts(w->options->platform);
  const uint32_t actors = causes_actors(w->causes), links = w->rewind->links;
  w->flows = w->rewind->flows;
  if (make_output(w->out, links, hosts, e) != OK ||
      (w->flow = mem_lines(w->flows, sizeof *w->flow, e)) == NULL ||
      (w->link = mem_array(links, sizeof *w->link, e)) == NULL ||
      (w->order = mem_array(links, sizeof *w->order, e)) == NULL ||
      (w->dirty = mem_array((size_t)links + 1, sizeof *w->dirty, e)) == NULL ||
      (w->level_bar = mem_array(links, sizeof *w->level_bar, e)) == NULL ||
      (w->stops = mem_array(links, sizeof *w->stops, e)) == NULL ||
      (w->fat = mem_array(links, sizeof *w->fat, e)) == NULL ||
      (w->is_dirty = mem_array(links, sizeof *w->is_dirty, e)) == NULL ||
      (w->moved = mem_array((size_t)links + 1, sizeof *w->moved, e)) == NULL ||
      (w->first_hop = mem_array(links, sizeof *w->first_hop, e)) == NULL ||
      (w->last_tied = mem_array(links, sizeof *w->last_tied, e)) == NULL ||
      (w->tie_bits = mem_array(links, sizeof *w->tie_bits, e)) == NULL ||
      (w->marked = mem_array(w->flows, sizeof *w->marked, e)) == NULL ||
      (w->host = mem_array(hosts, sizeof *w->host, e)) == NULL ||
      (w->actor = mem_array(actors, sizeof *w->actor, e)) == NULL)
    return FAIL;
  return describe_links(w, e);
}

static void describe_hosts(struct sweep *w)
{
  const uint32_t actors = causes_actors(w->causes);
  for (uint32_t i = 0; i < w->out->hosts; i++) {
    w->host[i].speed = platform_host_speed(w->options->platform, i);
    w->host[i].cores = platform_host_cores(w->options->platform, i);
  }
  for (uint32_t a = 0; a < actors; a++)
    w->host[causes_actor(w->causes, a).host].running += causes_computes(w->causes, a);
}

enum status adjoint_begin(struct sweep **out, struct adjoint *result, const struct rewind *r,
                          const struct adjoint_options *o, struct err *e)
{
  struct sweep *w = mem_array(1, sizeof *w, e);
  *out = w;
  *result = (struct adjoint){0};
  if (w == NULL)
    return FAIL;
  *w = (struct sweep){.out = result,
                      .options = o,
                      .causes = r->causes,
                      .rewind = r,
                      .rng = rng_new(1, 0),
                      .signs = rng_new(1, 1),
                      .thirds = rng_new(1, 2)};
  if (prepare(w, e) != OK)
    return FAIL;
  describe_hosts(w);
  return OK;
}

void adjoint_free(struct sweep *w)
{
  if (w == NULL)
    return;
  for (uint32_t i = 0; w->link != NULL && i < w->out->links; i++) {
    free(w->link[i].group);
    free(w->link[i].by);
    free(w->link[i].weight);
    free(w->link[i].paid);
    free(w->link[i].reached);
  }
  free(w->flow);
  free(w->link);
  free(w->order);
  free(w->dirty);
  free(w->level_bar);
  free(w->stops);
  free(w->fat);
  free(w->is_dirty);
  free(w->level);
  free(w->marked);
  free(w->move);
  free(w->hop);
  free(w->first_hop);
  free(w->moved);
  free(w->tied);
  free(w->last_tied);
  free(w->tie_bits);
  free(w->tie);
  free(w->host);
  free(w->actor);
  free(w);
}
