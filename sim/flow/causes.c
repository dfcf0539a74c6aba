#include "sim/flow/causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "sim/flow/maxmin.h"
#include "sim/flow/maxmin_set.h"

/* The step in progress of an actor. */
struct actor {
  struct causes_step step;
  double resumed;
  bool taken;
  struct causes_actor who;
};

/* A link of the maxmin. */
struct link {
  double level;
  double changed,
      used;      /* dates when the level changed, and when a flow began or ended; < 0: never */
  uint32_t user; /* that flow */
};

/* A wait is recorded only if it begins at most this long after the end of its transfer, relative to
 * the date. */
#define EARLY 0.05

struct causes {
  struct tape tape;
  struct err *err;
  const struct driver *driver;
  struct flow_net *net;
  const struct maxmin *maxmin;
  struct actor *actor;
  uint32_t actors;
  struct link *link;       /* as of the last update of rates */
  uint32_t *bottleneck;    /* by flow */
  struct maxmin_set spare; /* links, as of the last update of rates */
  size_t link_room, bottleneck_room;
  uint32_t links, flows;
  const char *action[CAUSES_ACTIONS]; /* names; 0: unknown */
  uint8_t found[64];                  /* numbers of actions, by address */
  uint32_t known;
  uint32_t at, arrived; /* the actor whose step runs; the flow that arrives */
  uint32_t events;      /* since the last update of rates */
  double *ended;        /* by flow: date of its last end; < 0: it is in use */
  size_t ended_room;
  uint32_t first; /* first actor that ended at `last` */
  double now, last, end;
  bool failed, finished;
};

enum status causes_new(struct causes **out, struct err *e)
{
  struct causes *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->err = e;
  r->action[0] = "";
  r->known = 1;
  r->at = r->arrived = r->first = CAUSES_NONE;
  *out = r;
  return OK;
}

void causes_free(struct causes *r)
{
  if (r == NULL)
    return;
  if (r->finished)
    flow_net_free(r->net);
  tape_clear(&r->tape);
  free(r->actor);
  free(r->link);
  free(r->bottleneck);
  free(r->ended);
  maxmin_set_clear(&r->spare);
  free(r);
}

enum status causes_attach(struct causes *r, const struct engine_config *c, const struct driver *d,
                          struct flow_net *net, struct err *e)
{
  r->driver = d;
  r->net = net;
  r->maxmin = flow_net_maxmin(net);
  r->actors = d->actors;
  if ((r->actor = mem_array(d->actors, sizeof *r->actor, e)) == NULL)
    return FAIL;
  for (uint32_t a = 0; a < d->actors; a++)
    r->actor[a].who = (struct causes_actor){.job = CAUSES_NONE,
                                            .rank = CAUSES_NONE,
                                            .host = d->host[a],
                                            .flops = platform_full_speed(c->platform, d->host[a])};
  return OK;
}

bool causes_finish(struct causes *r)
{
  r->finished = r->net != NULL;
  return r->finished;
}

static inline void push(struct causes *r, enum causes_kind kind, const void *record, size_t size)
{
  r->failed = r->failed || tape_push(&r->tape, (uint8_t)kind, record, size, r->err) != OK;
}

#define PUSH(r, kind, ...) push((r), (kind), &(__VA_ARGS__), sizeof(__VA_ARGS__))

bool causes_failed(const struct causes *r)
{
  return r->failed;
}

void causes_advance(struct causes *r, double before)
{
  PUSH(r, CAUSES_DATE, (struct causes_date){before});
}

/* --- actors ----------------------------------------------------------------------------------- */

/* Waits and parks of no length are left out, like yields: the date of the actor does not depend on
 * them. */
void causes_resume(struct causes *r, uint32_t actor, double now)
{
  struct actor *a = &r->actor[actor];
  const struct causes_step *s = &a->step;
  const bool computes = s->kind == STEP_EXEC || s->kind == STEP_BUSY;
  const bool waits = s->kind == STEP_SLEEP || (s->kind == STEP_PARK && now > s->begin);
  r->at = actor;
  a->resumed = r->now = now;
  if (a->taken && computes)
    push(r, CAUSES_STEP, s, sizeof *s);
  else if (a->taken && (waits || s->cause != CAUSES_TIME))
    push(r, CAUSES_STEP, s, CAUSES_STEP_SIZE);
  a->taken = false;
}

static uint8_t add_action(struct causes *r, const char *action)
{
  uint32_t i = 0;
  while (i < r->known && r->action[i] != action)
    i++;
  if (i == r->known) /* the same text at another address */
    for (i = 0; i < r->known && strcmp(r->action[i], action) != 0;)
      i++;
  if (i == CAUSES_ACTIONS)
    return 0;
  if (i == r->known)
    r->action[r->known++] = action;
  return (uint8_t)i;
}

static uint8_t number_of(struct causes *r, const char *action)
{
  uint8_t *found = &r->found[(uintptr_t)action / 8 % sizeof r->found];
  if (r->action[*found] != action)
    *found = add_action(r, action);
  return *found;
}

static void locate(struct causes *r, uint32_t actor, struct actor *a)
{
  struct driver_where w = {.job = CAUSES_NONE, .rank = CAUSES_NONE};
  a->step.line = a->step.iteration = 0;
  a->step.action = a->step.poll = 0;
  if (r->driver->where == NULL)
    return;
  r->driver->where(r->driver->state, actor, &w);
  a->who.job = w.job;
  a->who.rank = w.rank;
  a->who.file = w.file;
  a->step.line = (uint32_t)w.line;
  a->step.iteration = (uint32_t)w.iteration;
  a->step.poll = w.poll;
  a->step.action = w.action == NULL ? 0 : number_of(r, w.action);
}

void causes_take(struct causes *r, uint32_t actor, const struct step *step, double now)
{
  struct actor *a = &r->actor[actor];
  const bool ends = step->kind == STEP_END || step->kind == STEP_STOP;
  r->end = now;
  a->taken = step->kind != STEP_YIELD;
  a->step.begin = now;
  a->step.actor = actor;
  a->step.kind = (uint8_t)step->kind;
  a->step.cause = ends ? CAUSES_END : CAUSES_TIME;
  a->step.by = CAUSES_NONE;
  a->step.amount = step->kind == STEP_BUSY ? step->amount * a->who.flops : step->amount;
  if (a->taken)
    locate(r, actor, a);
  if (step->kind == STEP_EXEC || step->kind == STEP_BUSY)
    PUSH(r, CAUSES_BEGIN, (struct causes_begin){actor});
  if (!ends)
    return;
  if (now != r->last || r->first == CAUSES_NONE)
    r->first = actor;
  r->last = now;
  causes_resume(r, actor, now);
}

void causes_awaited(struct causes *r, uint32_t actor, uint32_t flow)
{
  r->actor[actor].step.cause = CAUSES_TRANSFER;
  r->actor[actor].step.by = flow;
}

void causes_arrive(struct causes *r, uint32_t flow)
{
  r->arrived = flow;
}

void causes_wake(struct causes *r, uint32_t actor)
{
  const bool by_flow = r->arrived != CAUSES_NONE;
  r->actor[actor].step.cause = CAUSES_WOKEN;
  PUSH(r, CAUSES_WAKE, (struct causes_wake){actor, by_flow ? r->arrived : r->at, by_flow});
}

/* --- transfers -------------------------------------------------------------------------------- */

void causes_start(struct causes *r, uint32_t flow, const struct transfer *t)
{
  const uint32_t src = t->first + t->src, dst = t->first + t->dst;
  uint32_t other = r->at == src ? dst : r->at == dst ? src : CAUSES_NONE;
  float slack = 0;
  if (t->eager || t->one_sided || other == r->at)
    other = CAUSES_NONE;
  if (other != CAUSES_NONE)
    slack = (float)(r->now - fmax(r->actor[other].step.begin, r->actor[other].resumed));
  PUSH(r, CAUSES_START, (struct causes_start){flow, r->at, other, slack});
  if (flow < r->flows)
    r->ended[flow] = -1;
}

void causes_over(struct causes *r, uint32_t actor, uint32_t flow, double now)
{
  if (flow >= r->flows || r->ended[flow] < (1 - EARLY) * now)
    return;
  push(r, CAUSES_STEP,
       &(struct causes_step){
           .begin = r->ended[flow], .actor = actor, .by = flow, .cause = CAUSES_EARLY},
       CAUSES_STEP_SIZE);
}

static bool reserve_flow(struct causes *r, uint32_t flow)
{
  if (MEM_GROW(r->bottleneck, r->bottleneck_room, (size_t)flow + 1, r->err) != OK ||
      MEM_GROW(r->ended, r->ended_room, (size_t)flow + 1, r->err) != OK)
    r->failed = true;
  for (; !r->failed && r->flows <= flow; r->flows++) {
    r->bottleneck[r->flows] = CAUSES_ABSENT;
    r->ended[r->flows] = -1;
  }
  return !r->failed;
}

static bool reserve_links(struct causes *r)
{
  const uint32_t links = maxmin_links(r->maxmin);
  if (links == r->links)
    return !r->failed;
  if (MEM_GROW(r->link, r->link_room, links, r->err) != OK ||
      maxmin_set_reserve(&r->spare, links, r->err) != OK)
    r->failed = true;
  for (; !r->failed && r->links < links; r->links++)
    r->link[r->links] = (struct link){INFINITY, -1, -1, 0};
  return !r->failed;
}

/* A flow begins or ends on its links: notes it there, and returns the last event of another
 * flow. */
static struct causes_near use_links(struct causes *r, uint32_t flow, double now)
{
  uint32_t hops, last = MAXMIN_NONE;
  const uint32_t *hop = maxmin_hops(r->maxmin, flow, &hops);
  double date = -1;
  for (uint32_t i = 0; i < hops; i++) {
    const uint32_t link = maxmin_hop_link(hop[i]);
    struct link *l = &r->link[link];
    const bool later = l->used > date && l->user != flow;
    last = later ? link : last;
    date = later ? l->used : date;
    l->used = now;
    l->user = flow;
  }
  return (struct causes_near){last, (float)(now - date)};
}

void causes_in(struct causes *r, uint32_t flow, double now)
{
  if (!reserve_flow(r, flow) || !reserve_links(r))
    return;
  PUSH(r, CAUSES_IN, (struct causes_in){flow, use_links(r, flow, now)});
  r->bottleneck[flow] = CAUSES_ABSENT;
  r->events++;
}

void causes_out(struct causes *r, struct causes_out *out, double now)
{
  if (!reserve_flow(r, out->flow))
    return;
  if (out->ended)
    r->ended[out->flow] = now;
  out->bottleneck = CAUSES_ABSENT;
  if (out->shared) {
    out->bottleneck = r->bottleneck[out->flow];
    out->cap = maxmin_cap(r->maxmin, out->flow);
    out->near = use_links(r, out->flow, now);
    r->bottleneck[out->flow] = CAUSES_ABSENT;
    r->events++;
  }
  push(r, CAUSES_OUT, out, sizeof *out);
}

/* Links that have ceased to be spare. */
static void drop_spare(struct causes *r)
{
  struct maxmin_set *s = &r->spare;
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t link = s->at[i];
    s->has[link] = maxmin_is_spare(r->maxmin, link);
    s->at[n] = link;
    n += s->has[link];
    if (!s->has[link])
      PUSH(r, CAUSES_SPARE, (struct causes_spare){link});
  }
  s->count = n;
}

/* Links of a flow that have become spare. */
static void add_spare(struct causes *r, uint32_t flow)
{
  uint32_t link, hop = 0;
  while ((link = maxmin_next_spare(r->maxmin, flow, &hop)) != MAXMIN_NONE) {
    if (r->spare.has[link])
      continue;
    maxmin_set_add(&r->spare, link);
    PUSH(r, CAUSES_SPARE, (struct causes_spare){link});
  }
}

/* Spare links matter to the links that stop the same flows: it is enough to look at one of these
 * flows. */
static void note_spare(struct causes *r)
{
  uint32_t links, flows;
  const uint32_t *link = maxmin_changed_links(r->maxmin, &links);
  const uint32_t *flow = maxmin_changed(r->maxmin, &flows);
  drop_spare(r);
  /* After many changes, a look at all links takes less time, and often finds no new one. */
  if (r->links / 8 < links + flows && !maxmin_has_spare(r->maxmin, r->spare.has))
    return;
  for (uint32_t i = 0; i < links; i++) {
    uint32_t n;
    const uint32_t *list = maxmin_list(r->maxmin, link[i], &n);
    if (n > 0)
      add_spare(r, list[0]);
  }
  for (uint32_t i = 0; i < flows; i++)
    add_spare(r, flow[i]);
}

void causes_settle(struct causes *r, double now)
{
  uint32_t links, flows;
  const uint32_t *link = maxmin_changed_links(r->maxmin, &links);
  const uint32_t *flow = maxmin_changed(r->maxmin, &flows);
  if (!reserve_links(r))
    return;
  for (uint32_t i = 0; i < links; i++) {
    const double level = maxmin_link_level(r->maxmin, link[i]);
    struct link *l = &r->link[link[i]];
    if (level == l->level)
      continue;
    PUSH(r, CAUSES_LINK, (struct causes_link){l->level, link[i], (float)(now - l->changed)});
    l->level = level;
    l->changed = now;
  }
  for (uint32_t i = 0; i < flows; i++) {
    const uint32_t b = maxmin_bottleneck(r->maxmin, flow[i]);
    if (b == r->bottleneck[flow[i]])
      continue;
    PUSH(r, CAUSES_FLOW, (struct causes_flow){flow[i], r->bottleneck[flow[i]]});
    r->bottleneck[flow[i]] = b;
  }
  note_spare(r);
  PUSH(r, CAUSES_SETTLE, (struct causes_settle){r->events});
  r->events = 0;
}

void causes_change(struct causes *r, uint32_t target, uint32_t kind)
{
  PUSH(r, CAUSES_CHANGE, (struct causes_change){target, kind});
}

/* --- reading ---------------------------------------------------------------------------------- */

const struct tape *causes_tape(const struct causes *r)
{
  return &r->tape;
}

uint32_t causes_actors(const struct causes *r)
{
  return r->actors;
}

struct causes_actor causes_actor(const struct causes *r, uint32_t actor)
{
  return r->actor[actor].who;
}

bool causes_computes(const struct causes *r, uint32_t actor)
{
  const struct actor *a = &r->actor[actor];
  return a->taken && (a->step.kind == STEP_EXEC || a->step.kind == STEP_BUSY);
}

const char *causes_action(const struct causes *r, uint8_t number)
{
  return r->action[number];
}

struct flow_net *causes_net(const struct causes *r)
{
  return r->net;
}

uint32_t causes_flows(const struct causes *r)
{
  return r->flows;
}

double causes_level(const struct causes *r, uint32_t link)
{
  return link < r->links ? r->link[link].level : INFINITY;
}

bool causes_is_spare(const struct causes *r, uint32_t link)
{
  return link < r->links && r->spare.has[link];
}

uint32_t causes_first(const struct causes *r)
{
  return r->first;
}

double causes_last(const struct causes *r, uint32_t actor)
{
  return r->actor[actor].step.begin;
}

double causes_end(const struct causes *r)
{
  return r->end;
}
