/* Flows that begin or end at one date, in one update of rates. */
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
static double draw_part(struct sweep *w)
{
  return 0.25 + 0.75 * rng_double(&w->rng);
}

/* Adds to the bar of the date of an event that has been read. */
static void add_to_date(struct sweep *w, const struct tie *t, double x)
{
  struct flow_bars *f = &w->flow[t->flow];
  const struct rewind_flow *r = &w->rewind->flow[t->flow];
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

/* The part of their load by which two flows overload a link, if both share it with the others. */
static double overload(const struct sweep *w, const struct tied *a, const struct tied *b)
{
  const struct rewind_link *l = &w->rewind->link[a->link];
  const struct tie *x = &w->tie[a->tie], *y = &w->tie[b->tie];
  double load = a->load + b->load - w->link[a->link].bandwidth * (1 + EQUAL);
  if (w->link[a->link].fat)
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
  if (x->ends == y->ends)
    return draw_part(w) * x->alone + draw_part(w) * y->alone;
  const struct link_bars *l = &w->link[a->link];
  const double level = w->rewind->link[a->link].level;
  const double others = l->mu.of[ADJOINT_MIXED] * (isfinite(level) ? level : 0);
  if (x->held == 0 && y->held == 0 && others == 0)
    return 0;
  return overload(w, a, b) * draw_part(w) * (x->held + y->held + others) * (x->ends ? 1 : -1);
}

static void mark(struct sweep *w, const struct tie *t)
{
  for (uint32_t i = t->begin; i < t->end; i++)
    w->out->kink[w->tied[i].link] = true;
}

/* Compares the event that has been read last with the last one before it on each of its links. */
static void compare(struct sweep *w, struct tie *t, bar *date)
{
  uint32_t before = CAUSES_NONE;
  for (uint32_t i = t->begin; i < t->end; i++) {
    struct link_bars *l = &w->link[w->tied[i].link];
    const uint32_t other = l->tied;
    l->tied = i;
    if (other >= t->begin || w->tied[other].link != w->tied[i].link)
      continue;
    struct tie *o = &w->tie[w->tied[other].tie];
    mark(w, o);
    mark(w, t);
    if (o->ends == t->ends && w->tied[other].tie == before)
      continue; /* its effect does not depend on the link */
    before = w->tied[other].tie;
    const double effect = exchange(w, &w->tied[other], &w->tied[i]);
    add_to_date(w, o, effect);
    date->of[ADJOINT_MIXED] -= effect;
  }
}

enum status adjoint_tie(struct sweep *w, uint32_t flow, bool ends, bar *date, struct err *e)
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
                                .level = level,
                                .alone = ends ? b->end.of[ADJOINT_MIXED] * (level / f->cap - 1)
                                              : b->rest.of[ADJOINT_MIXED],
                                .held = (ends ? b->end : b->in).of[ADJOINT_MIXED]};
  w->ties++;
  w->tieds += f->uses;
  compare(w, &w->tie[number], date);
  return OK;
}
