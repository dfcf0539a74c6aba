/* Flows that begin or end at one date, in one update of rates.  Their order matters if they share a
 * link, or if another flow that the update affects uses links of both. */
#include <math.h>

#include "common/mem.h"
#include "sim/explain/adjoint_internal.h"

/* Adds the bar that the next event of an update gets because the others have another rate. */
static void take_shift(struct update *u, bool last, bar *to, const bar *own)
{
  for (int k = 0; k < LANES; k++) {
    const double moved = last ? u->shift.of[k] : own->of[k] * u->other.of[k];
    u->shift.of[k] -= moved;
    to->of[k] += moved;
  }
}

void adjoint_take_jump(struct sweep *w, bar *to, const bar *own)
{
  struct update *u = &w->update;
  const bool last = w->event + 1 == w->events; /* the last to be read */
  take_shift(u, last, to, own);
  for (int k = 0; k < LANES; k++)
    to->of[k] += u->jump.of[k] * ((1 - u->other.of[k]) / w->events + last * u->other.of[k]);
}

/* A random part, so that the effects of several ties do not cancel each other. */
static double draw_part(struct rng *r)
{
  return 0.25 + 0.75 * rng_double(r);
}

/* Adds to the bar of the date of an event. */
static void add_to_date(struct sweep *w, const struct tie *t, double x)
{
  struct flow_bars *f = &w->flow[t->flow];
  const struct rewind_flow *r = &w->rewind->flow[t->flow];
  if (t->date != NULL) {
    t->date->of[ADJOINT_MIXED] += x;
    return;
  }
  if (!t->ends) {
    f->start.of[ADJOINT_MIXED] += x;
    return;
  }
  const double mu = x / t->level;
  f->mu.of[ADJOINT_MIXED] += mu;
  f->penalty.of[ADJOINT_MIXED] += mu * r->out.bytes / r->out.factor;
  if (r->bottleneck == MAXMIN_NONE || r->bottleneck == CAUSES_ABSENT)
    return;
  adjoint_sum_link(w, r->bottleneck);
  w->link[r->bottleneck].mu.of[ADJOINT_MIXED] += mu;
}

/* The part of their load by which two flows overload a link, if both share it with its other
 * flows. */
static double overload(const struct sweep *w, const struct tied *a, const struct tied *b)
{
  const struct rewind_link *l = &w->rewind->link[a->link];
  const struct tie *x = &w->tie[a->tie], *y = &w->tie[b->tie];
  double load = a->load + b->load - w->link[a->link].bandwidth * (1 + EQUAL);
  if (w->fat[a->link])
    return 0;
  for (uint32_t i = 0; i < l->uses; i++)
    if (l->use[i].flow != x->flow && l->use[i].flow != y->flow)
      load += l->use[i].weight * rewind_level(w->rewind, l->use[i].flow);
  return load > 0 ? fmin(1, load / (a->load + b->load)) : 0;
}

/* The effect of the other order of two events on a link, per s between them: @p a comes first. */
static double exchange(struct sweep *w, const struct tied *a, const struct tied *b)
{
  const struct tie *x = &w->tie[a->tie], *y = &w->tie[b->tie];
  if (x->ends == y->ends) {
    const double effect = draw_part(&w->rng) * x->alone;
    return effect + draw_part(&w->rng) * y->alone;
  }
  const struct link_bars *l = &w->link[a->link];
  const double level = w->rewind->link[a->link].level;
  const double others = l->mu.of[ADJOINT_MIXED] * (isfinite(level) ? level : 0);
  if (x->held == 0 && y->held == 0 && others == 0)
    return 0;
  return overload(w, a, b) * draw_part(&w->rng) * (x->held + y->held + others) * (x->ends ? 1 : -1);
}

static void mark(struct sweep *w, struct tie *t)
{
  for (uint32_t i = t->begin; i < t->end && !t->marked; i++)
    w->out->kink[w->tied[i].link] = true;
  t->marked = true;
}

/* One bit for each of 64 events. */
static uint64_t bit_of(uint32_t tie)
{
  return (uint64_t)1 << tie % 64;
}

/* Compares the event that has been read last with the event read before it on each of its links. */
static void compare(struct sweep *w, struct tie *t)
{
  uint32_t before = CAUSES_NONE;
  for (uint32_t i = t->begin; i < t->end; i++) {
    uint32_t *last = &w->last_tied[w->tied[i].link];
    const uint32_t other = *last;
    *last = i;
    w->tie_bits[w->tied[i].link] |= bit_of(w->tied[i].tie);
    if (other == CAUSES_NONE || other >= t->begin)
      continue;
    struct tie *o = &w->tie[w->tied[other].tie];
    mark(w, o);
    mark(w, t);
    if (o->ends == t->ends && w->tied[other].tie == before)
      continue; /* its effect does not depend on the link */
    before = t->other = w->tied[other].tie;
    const double effect = exchange(w, &w->tied[other], &w->tied[i]);
    add_to_date(w, o, effect);
    add_to_date(w, t, -effect);
  }
}

/* --- through a third flow --------------------------------------------------------------------- */

/* The last event of the update on a link; CAUSES_NONE: none. */
static uint32_t tie_on(const struct sweep *w, uint32_t link)
{
  const uint32_t i = w->last_tied[link];
  return i == CAUSES_NONE ? CAUSES_NONE : w->tied[i].tie;
}

/* Two events affect the rate of a third flow.  @p third: the change of the time per relative change
 * of this rate for one s.  The rates between the events are not known: random parts, of a stream of
 * their own. */
static void meet(struct sweep *w, uint32_t a, uint32_t b, double third)
{
  struct tie *x = &w->tie[a], *y = &w->tie[b];
  if (a == b || x->other == b || y->other == a)
    return;
  double effect = draw_part(&w->thirds) * x->held;
  effect += draw_part(&w->thirds) * y->held;
  effect += draw_part(&w->thirds) * third;
  x->other = b;
  y->other = a;
  add_to_date(w, x, effect);
  add_to_date(w, y, -effect);
}

/* The change of the time per relative change of a link's level for one s. */
static double weight_of(const struct sweep *w, uint32_t link)
{
  const double level = w->rewind->link[link].level;
  return isfinite(level) ? w->link[link].mu.of[ADJOINT_MIXED] * level : 0;
}

/* Link @p link of an event stops flows that use a link of another event. */
static void meet_reached(struct sweep *w, uint32_t link, uint32_t own)
{
  const struct link_bars *l = &w->link[link];
  for (uint32_t i = 0; i < l->reaches; i++) {
    const uint32_t other = tie_on(w, l->reached[i]);
    if (other != CAUSES_NONE && other != own)
      meet(w, own, other, weight_of(w, link) + weight_of(w, l->reached[i]));
  }
}

/* A flow that changes its bottleneck uses links of several events. */
static void meet_changed(struct sweep *w, uint32_t flow)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  uint32_t first = CAUSES_NONE;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < f->uses; i++)
    bits |= w->tie_bits[f->use[i].link];
  if (w->ties <= 64 && (bits & (bits - 1)) == 0)
    return;
  for (uint32_t i = 0; i < f->uses; i++) {
    const uint32_t other = tie_on(w, f->use[i].link);
    if (other == CAUSES_NONE)
      continue;
    if (first == CAUSES_NONE)
      first = other;
    meet(w, first, other, w->flow[flow].mu.of[ADJOINT_MIXED] * rewind_level(w->rewind, flow));
  }
}

/* All events of the update are read. */
static void meet_all(struct sweep *w)
{
  const struct rewind_event *v = &w->rewind->event;
  for (uint32_t i = 0; i < w->tieds; i++)
    if (w->stops[w->tied[i].link] && w->last_tied[w->tied[i].link] == i)
      meet_reached(w, w->tied[i].link, w->tied[i].tie);
  for (uint32_t i = 0; i < v->flows; i++)
    if (v->flow[i].before != CAUSES_ABSENT)
      meet_changed(w, v->flow[i].flow);
}

static enum status add_tie(struct sweep *w, uint32_t flow, bool ends, bar *date, struct err *e)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  const struct flow_bars *b = &w->flow[flow];
  const double level = ends ? rewind_level(w->rewind, flow) : b->level;
  const uint32_t begin = w->tieds, number = w->ties;
  if (!(level > 0))
    return OK;
  if (MEM_GROW(w->tied, w->tied_room, (size_t)begin + f->uses, e) != OK ||
      MEM_GROW(w->tie, w->tie_room, (size_t)number + 1, e) != OK)
    return FAIL;
  const double rate = level / f->out.penalty;
  for (uint32_t i = 0; i < f->uses; i++)
    w->tied[begin + i] = (struct tied){f->use[i].link, number, f->use[i].share * rate};
  w->tie[number] = (struct tie){.flow = flow,
                                .ends = ends,
                                .begin = begin,
                                .end = begin + f->uses,
                                .other = CAUSES_NONE,
                                .date = date,
                                .level = level,
                                .alone = ends ? b->end.of[ADJOINT_MIXED] * (level / f->cap - 1)
                                              : b->rest.of[ADJOINT_MIXED],
                                .held = (ends ? b->end : b->in).of[ADJOINT_MIXED]};
  w->ties++;
  w->tieds += f->uses;
  compare(w, &w->tie[number]);
  return OK;
}

enum status adjoint_tie(struct sweep *w, uint32_t flow, bool ends, bar *date, struct err *e)
{
  const uint32_t before = w->ties;
  if (add_tie(w, flow, ends, date, e) != OK)
    return FAIL;
  if (w->event == w->events && w->ties > 1)
    meet_all(w);
  if (w->ties > before)
    w->tie[before].date = NULL;
  return OK;
}

void adjoint_forget_ties(struct sweep *w)
{
  for (uint32_t i = 0; i < w->tieds; i++) {
    w->last_tied[w->tied[i].link] = CAUSES_NONE;
    w->tie_bits[w->tied[i].link] = 0;
  }
  w->tieds = w->ties = 0;
}
