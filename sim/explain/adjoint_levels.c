#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "sim/explain/adjoint_internal.h"

/* --- levels ----------------------------------------------------------------------------------- */

void adjoint_sum_link(struct sweep *w, uint32_t link)
{
  struct link_bars *l = &w->link[link];
  l->level -= l->mu * (l->since - w->rewind.now);
  l->since = w->rewind.now;
}

/* Adds to the bar of the level of a flow. */
static void add_level(struct sweep *w, uint32_t flow, double bar)
{
  const uint32_t link = w->rewind.flow[flow].bottleneck;
  if (link == MAXMIN_NONE)
    w->flow[flow].cap += bar;
  else if (link != CAUSES_ABSENT)
    w->link[link].level += bar;
}

static void push_fat(struct sweep *w, uint32_t link, double bar)
{
  const struct rewind_link *l = &w->rewind.link[link];
  const double capacity = flow_net_bandwidth(w->rewind.net, link);
  uint32_t last = CAUSES_NONE;
  for (uint32_t i = 0; i < l->uses; i++) {
    const struct rewind_flow *f = &w->rewind.flow[l->use[i].flow];
    if (f->bottleneck == link &&
        (last == CAUSES_NONE || f->out.penalty < w->rewind.flow[last].out.penalty))
      last = l->use[i].flow;
  }
  if (last == CAUSES_NONE)
    return;
  w->out->bandwidth[link] += bar * l->level / capacity;
  w->out->one[link] += bar * l->level / capacity;
  w->out->all_bandwidths += bar * l->level;
  w->flow[last].penalty += bar * l->level / w->rewind.flow[last].out.penalty;
}

/* The weight of the flows that link @p twin would stop at the level of @p link, if it is full and
 * these are the flows that @p link stops.  0 if it is not full, -1 if it stops other flows. */
static double twin_weight(const struct sweep *w, uint32_t link, uint32_t twin)
{
  const struct rewind *r = &w->rewind;
  const struct rewind_link *l = &r->link[twin];
  const double capacity = flow_net_bandwidth(r->net, twin), level = r->link[link].level;
  double load = 0, weight = 0;
  bool others = false;
  for (uint32_t i = 0; i < l->uses; i++) {
    const struct rewind_flow *f = &r->flow[l->use[i].flow];
    const double of = rewind_level(r, l->use[i].flow);
    const double own = l->use[i].weight;
    load += own * of;
    others = others || (of >= level * (1 - EQUAL) && f->bottleneck != link);
    weight += f->bottleneck == link ? own : 0;
  }
  if (load < capacity * (1 - EQUAL))
    return 0;
  return others ? -1 : weight;
}

/* Marks the links of all flows on a link whose level is at a kink: parameters of these flows have
 * different derivatives on their two sides. */
static void mark_kink(struct sweep *w, uint32_t link)
{
  const struct rewind_link *l = &w->rewind.link[link];
  for (uint32_t i = 0; i < l->uses; i++) {
    const struct rewind_flow *f = &w->rewind.flow[l->use[i].flow];
    for (uint32_t k = 0; k < f->uses; k++)
      w->out->kink[f->use[k].link] = true;
  }
}

/* Other links may be full with the same flows: each one alone can slow them down, none can make
 * them faster.  True if there are some. */
static bool push_twins(struct sweep *w, uint32_t link, double bar)
{
  const struct rewind *r = &w->rewind;
  const struct rewind_link *l = &r->link[link];
  const struct rewind_flow *f = NULL;
  bool any = false;
  for (uint32_t i = 0; i < l->uses && f == NULL; i++)
    f = r->flow[l->use[i].flow].bottleneck == link ? &r->flow[l->use[i].flow] : NULL;
  for (uint32_t i = 0; f != NULL && i < f->uses; i++) {
    const uint32_t twin = f->use[i].link;
    const double weight = twin == link || !adjoint_is_first(f, i) ? 0 : twin_weight(w, link, twin);
    if (weight < 0)
      mark_kink(w, link);
    if (!(weight > 0))
      continue;
    w->out->tied[twin] += bar / weight;
    any = true;
  }
  return any;
}

/* Passes the bar of a link's level on, by the equation of its load: to its capacity, to the
 * penalties of its flows, and to the levels of the flows that other links stop. */
static void push_link(struct sweep *w, uint32_t link)
{
  const struct rewind *r = &w->rewind;
  const struct rewind_link *l = &r->link[link];
  double weight = 0;
  bool equal = false;
  adjoint_sum_link(w, link);
  const double bar = w->link[link].level;
  w->link[link].level = 0;
  if (bar == 0 || !isfinite(l->level))
    return;
  if (platform_link(w->options->platform, w->number[link]).fat) {
    push_fat(w, link, bar);
    return;
  }
  for (uint32_t i = 0; i < l->uses; i++) {
    const struct rewind_flow *f = &r->flow[l->use[i].flow];
    if (f->bottleneck == link)
      weight += l->use[i].weight;
  }
  if (!(weight > 0))
    return;
  const double x = bar / weight;
  const bool twins = w->options->ties == ADJOINT_EQUAL && push_twins(w, link, bar);
  *(twins ? &w->out->tied[link] : &w->out->bandwidth[link]) += x;
  w->out->one[link] += x;
  w->out->all_bandwidths += x * flow_net_bandwidth(r->net, link);
  for (uint32_t i = 0; i < l->uses; i++) {
    const uint32_t flow = l->use[i].flow;
    const struct rewind_flow *f = &r->flow[flow];
    const double load = l->use[i].weight, level = rewind_level(r, flow);
    w->flow[flow].weight += x * load * level;
    equal = equal || (f->bottleneck != link ? level >= l->level * (1 - EQUAL)
                                            : f->cap <= level * (1 + EQUAL));
    if (f->bottleneck != link)
      add_level(w, flow, -load * x);
  }
  if (equal)
    mark_kink(w, link);
}

static void mark_link(struct sweep *w, uint32_t link)
{
  if (w->link[link].dirty)
    return;
  w->link[link].dirty = true;
  w->dirty[w->dirties++] = link;
}

static void mark_links(struct sweep *w, uint32_t flow)
{
  const struct rewind_flow *f = &w->rewind.flow[flow];
  for (uint32_t i = 0; i < f->uses; i++)
    if (isfinite(w->rewind.link[f->use[i].link].level))
      mark_link(w, f->use[i].link);
}

/* Marks a link and the links of the flows that it stops, whose equations contain its level. */
static void mark_list(struct sweep *w, uint32_t link)
{
  const struct rewind_link *l = &w->rewind.link[link];
  mark_link(w, link);
  for (uint32_t i = 0; i < l->uses; i++)
    if (w->rewind.flow[l->use[i].flow].bottleneck == link)
      mark_links(w, l->use[i].flow);
}

static int by_level(const void *a, const void *b, void *rewind)
{
  const struct rewind *r = rewind;
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  if (r->link[x].level != r->link[y].level)
    return r->link[x].level > r->link[y].level ? -1 : 1;
  return (x > y) - (x < y);
}

void adjoint_push_levels(struct sweep *w)
{
  const struct rewind_event *v = &w->rewind.event;
  for (uint32_t i = 0; i < v->flows; i++)
    mark_links(w, v->flow[i].flow);
  for (uint32_t i = 0; i < v->links; i++)
    mark_list(w, v->link[i].link);
  if (w->dirties > 1)
    qsort_r(w->dirty, w->dirties, sizeof *w->dirty, by_level, &w->rewind);
  for (uint32_t i = 0; i < w->dirties; i++) {
    push_link(w, w->dirty[i]);
    w->link[w->dirty[i]].dirty = false;
  }
  w->dirties = 0;
}
