/* The equations of links' levels.  The flows on a link that have one bottleneck form a group, whose
 * weights are summed, so that an equation has one term for each bottleneck. */
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/explain/adjoint_internal.h"

/* --- groups ----------------------------------------------------------------------------------- */

static struct group *find_group(struct link_bars *l, uint32_t by)
{
  for (uint32_t i = 0; i < l->groups; i++)
    if (l->group[i].by == by)
      return &l->group[i];
  return NULL;
}

static struct group *add_group(struct sweep *w, uint32_t link, uint32_t by, struct err *e)
{
  struct link_bars *l = &w->link[link], *b = by == MAXMIN_NONE ? NULL : &w->link[by];
  if (MEM_GROW(l->group, l->group_room, (size_t)l->groups + 1, e) != OK ||
      (b != NULL && MEM_GROW(b->reached, b->reached_room, (size_t)b->reaches + 1, e) != OK))
    return NULL;
  struct group *g = &l->group[l->groups++];
  *g = (struct group){.by = by, .place = b == NULL ? 0 : b->reaches};
  if (b != NULL)
    b->reached[b->reaches++] = link;
  return g;
}

static void remove_group(struct sweep *w, struct link_bars *l, struct group *g)
{
  if (g->by != MAXMIN_NONE) {
    struct link_bars *b = &w->link[g->by];
    const uint32_t moved = b->reached[--b->reaches];
    b->reached[g->place] = moved;
    find_group(&w->link[moved], g->by)->place = g->place;
  }
  *g = l->group[--l->groups];
}

enum status adjoint_enter(struct sweep *w, uint32_t flow, struct err *e)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  struct flow_bars *bars = &w->flow[flow];
  const uint32_t by = f->bottleneck;
  const double level = by == MAXMIN_NONE ? f->cap : 1;
  if (MEM_GROW(bars->paid, bars->room, f->uses, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < f->uses; i++) {
    const uint32_t link = f->use[i].link;
    struct link_bars *l = &w->link[link];
    struct group *g = find_group(l, by);
    if (g == NULL && (g = add_group(w, link, by, e)) == NULL)
      return FAIL;
    g->flows++;
    g->weight += f->use[i].share / f->out.penalty * level;
    g->most = fmax(g->most, f->cap);
    bars->paid[i] = g->paid;
    l->crowd_marked = false;
  }
  if (by != MAXMIN_NONE)
    w->link[by].least = fmin(w->link[by].least, f->cap);
  return OK;
}

void adjoint_leave(struct sweep *w, uint32_t flow)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  struct flow_bars *bars = &w->flow[flow];
  const bool capped = f->bottleneck == MAXMIN_NONE;
  for (uint32_t i = 0; i < f->uses; i++) {
    struct link_bars *l = &w->link[f->use[i].link];
    struct group *g = find_group(l, f->bottleneck);
    const double weight = f->use[i].share / f->out.penalty,
                 load = capped ? weight * f->cap : weight;
    for (int k = 0; k < LANES; k++) {
      const double paid = g->paid.of[k] - bars->paid[i].of[k];
      bars->weight.of[k] += load * paid;
      bars->cap.of[k] -= capped ? weight * paid : 0;
    }
    g->weight -= load;
    if (--g->flows == 0)
      remove_group(w, l, g);
  }
}

/* --- ties ------------------------------------------------------------------------------------- */

static double load_of(const struct sweep *w, const struct link_bars *l)
{
  double load = 0;
  for (uint32_t i = 0; i < l->groups; i++) {
    const struct group *g = &l->group[i];
    load += g->by == MAXMIN_NONE ? g->weight : g->weight * w->rewind->link[g->by].level;
  }
  return load;
}

/* True if a link that stops no flow is full; found once for all pushes before an update. */
static bool is_full(struct sweep *w, uint32_t link)
{
  struct link_bars *l = &w->link[link];
  if (l->checked != w->pushes) {
    l->checked = w->pushes;
    l->full = load_of(w, l) >= flow_net_bandwidth(w->rewind->net, link) * (1 - EQUAL);
  }
  return l->full;
}

/* The weight of the flows that link @p twin would stop at the level of @p link, if it is full and
 * these are the flows that @p link stops.  0 if it is not full or has a higher level, -1 if it
 * stops other flows. */
static double twin_weight(struct sweep *w, uint32_t link, uint32_t twin)
{
  const struct rewind *r = w->rewind;
  const struct link_bars *l = &w->link[twin];
  const double level = r->link[link].level;
  double weight = 0;
  if (isfinite(r->link[twin].level) && !l->fat)
    return -1; /* it stops flows of its own, at this level or a higher one */
  if (!is_full(w, twin))
    return 0;
  for (uint32_t i = 0; i < l->groups; i++) {
    const struct group *g = &l->group[i];
    if (g->by == link)
      weight = g->weight;
    else if ((g->by == MAXMIN_NONE ? g->most : r->link[g->by].level) >= level * (1 - EQUAL))
      return -1;
  }
  return weight;
}

/* Marks the links of all flows on a link whose level is at a kink: parameters of these flows have
 * different derivatives on their two sides. */
static void mark_kink(struct sweep *w, uint32_t link)
{
  const struct rewind_link *l = &w->rewind->link[link];
  if (w->link[link].crowd_marked)
    return;
  w->link[link].crowd_marked = true;
  for (uint32_t i = 0; i < l->uses; i++) {
    const uint32_t flow = l->use[i].flow;
    const struct rewind_flow *f = &w->rewind->flow[flow];
    for (uint32_t k = 0; k < f->uses && !w->flow[flow].marked; k++)
      w->out->kink[f->use[k].link] = true;
    w->flow[flow].marked = true;
  }
}

/* Other links may be full with the same flows: each one alone can slow them down, none can make
 * them faster.  True if there are some. */
static bool push_twins(struct sweep *w, uint32_t link, double level)
{
  const struct rewind *r = w->rewind;
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
    w->out->tied[twin] += level / weight;
    any = true;
  }
  return any;
}

/* True if the cap of a flow that a link stops equals the link's level. */
static bool is_at_cap(struct sweep *w, uint32_t link)
{
  const struct rewind_link *l = &w->rewind->link[link];
  struct link_bars *b = &w->link[link];
  if (b->least > l->level * (1 + EQUAL))
    return false;
  b->least = INFINITY;
  for (uint32_t i = 0; i < l->uses; i++) {
    const struct rewind_flow *f = &w->rewind->flow[l->use[i].flow];
    if (f->bottleneck == link)
      b->least = fmin(b->least, f->cap);
  }
  return b->least <= l->level * (1 + EQUAL);
}

/* The highest level of the flows that their caps stop: g->most may be too high. */
static double highest_cap(const struct sweep *w, uint32_t link, struct group *g)
{
  const struct rewind_link *l = &w->rewind->link[link];
  g->most = 0;
  for (uint32_t i = 0; i < l->uses; i++) {
    const struct rewind_flow *f = &w->rewind->flow[l->use[i].flow];
    if (f->bottleneck == MAXMIN_NONE)
      g->most = fmax(g->most, f->cap);
  }
  return g->most;
}

/* True if a flow on a link that another link or its cap stops has the level of the link. */
static bool has_equal(struct sweep *w, uint32_t link)
{
  const struct rewind *r = w->rewind;
  const struct link_bars *l = &w->link[link];
  const double level = r->link[link].level * (1 - EQUAL);
  for (uint32_t i = 0; i < l->groups; i++) {
    struct group *g = &l->group[i];
    if (g->by == MAXMIN_NONE ? g->most >= level && highest_cap(w, link, g) >= level
                             : g->by != link && r->link[g->by].level >= level)
      return true;
  }
  return is_at_cap(w, link);
}

/* --- levels ----------------------------------------------------------------------------------- */

/* The capacity of a fat link limits each flow alone. */
static void push_fat(struct sweep *w, uint32_t link, const bar *x)
{
  const struct rewind_link *l = &w->rewind->link[link];
  const double part = l->level / flow_net_bandwidth(w->rewind->net, link);
  uint32_t last = CAUSES_NONE;
  for (uint32_t i = 0; i < l->uses; i++) {
    const struct rewind_flow *f = &w->rewind->flow[l->use[i].flow];
    if (f->bottleneck == link &&
        (last == CAUSES_NONE || f->out.penalty < w->rewind->flow[last].out.penalty))
      last = l->use[i].flow;
  }
  if (last == CAUSES_NONE)
    return;
  w->out->bandwidth[link] += x->of[ADJOINT_EQUAL] * part;
  for (int k = 0; k < LANES; k++) {
    w->out->one[link].of[k] += x->of[k] * part;
    w->out->all_bandwidths.of[k] += x->of[k] * l->level;
    w->flow[last].penalty.of[k] += x->of[k] * l->level / w->rewind->flow[last].out.penalty;
  }
}

/* Passes x, by group, on to the levels and penalties of the flows on a link. */
static void push_groups(struct sweep *w, uint32_t link, const bar *x)
{
  struct link_bars *l = &w->link[link];
  for (uint32_t i = 0; i < l->groups; i++) {
    struct group *g = &l->group[i];
    const double level = g->by == MAXMIN_NONE ? 1 : w->rewind->link[g->by].level;
    const double weight = g->by == link || g->by == MAXMIN_NONE ? 0 : g->weight;
    bar *to = &w->link[g->by == MAXMIN_NONE ? link : g->by].level;
    for (int k = 0; k < LANES; k++) {
      g->paid.of[k] += x->of[k] * level;
      to->of[k] -= weight * x->of[k];
    }
  }
}

/* Passes the bar of a link's level on, by the equation of its load: to its capacity, to the
 * penalties of its flows, and to the levels of the flows that other links stop. */
static void push_link(struct sweep *w, uint32_t link)
{
  const struct rewind_link *r = &w->rewind->link[link];
  struct link_bars *l = &w->link[link];
  adjoint_sum_link(w, link);
  const bar level = l->level;
  l->level = (bar){{0}};
  if (adjoint_is_zero(&level) || !isfinite(r->level))
    return;
  if (l->fat) {
    push_fat(w, link, &level);
    return;
  }
  const struct group *own = find_group(l, link);
  if (own == NULL || !(own->weight > 0))
    return;
  const double capacity = flow_net_bandwidth(w->rewind->net, link);
  const double first = level.of[ADJOINT_EQUAL];
  bar x;
  for (int k = 0; k < LANES; k++) {
    x.of[k] = level.of[k] / own->weight;
    w->out->one[link].of[k] += x.of[k];
    w->out->all_bandwidths.of[k] += x.of[k] * capacity;
  }
  const bool twins = first != 0 && push_twins(w, link, first);
  *(twins ? &w->out->tied[link] : &w->out->bandwidth[link]) += x.of[ADJOINT_EQUAL];
  push_groups(w, link, &x);
  if (first != 0 && !l->crowd_marked && has_equal(w, link))
    mark_kink(w, link);
}

/* --- order ------------------------------------------------------------------------------------ */

static void mark_link(struct sweep *w, uint32_t link)
{
  if (w->link[link].dirty || !isfinite(w->rewind->link[link].level))
    return;
  w->link[link].dirty = true;
  w->dirty[w->dirties++] = link;
}

static void mark_hops(struct sweep *w, uint32_t flow)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  for (uint32_t i = 0; i < f->uses; i++)
    mark_link(w, f->use[i].link);
}

static bool is_before(const struct level *a, const struct level *b)
{
  return a->level != b->level ? a->level > b->level : a->link < b->link;
}

static int by_level(const void *a, const void *b)
{
  return is_before(a, b) ? -1 : is_before(b, a);
}

/* Most levels keep their order from update to update. */
static void insert_all(struct level *order, uint32_t n)
{
  for (uint32_t i = 1; i < n; i++) {
    const struct level x = order[i];
    uint32_t k = i;
    for (; k > 0 && is_before(&x, &order[k - 1]); k--)
      order[k] = order[k - 1];
    order[k] = x;
  }
}

/* Sorts the dirty links, beginning with the order of the last update. */
static void sort_dirty(struct sweep *w)
{
  enum { FEW = 8 };
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->ordered; i++) {
    const uint32_t link = w->order[i].link;
    w->link[link].ordered = w->link[link].dirty;
    if (w->link[link].dirty)
      w->order[n++] = (struct level){w->rewind->link[link].level, link};
  }
  const uint32_t known = n;
  for (uint32_t i = 0; i < w->dirties; i++) {
    const uint32_t link = w->dirty[i];
    if (!w->link[link].ordered)
      w->order[n++] = (struct level){w->rewind->link[link].level, link};
    w->link[link].ordered = true;
  }
  w->ordered = n;
  if (n - known > FEW)
    qsort(w->order, n, sizeof *w->order, by_level);
  else
    insert_all(w->order, n);
}

/* Passes on the bars of the dirty links.  Links of one level may stop flows of each other: several
 * passes then solve their equations. */
static void push_dirty(struct sweep *w)
{
  enum { PASSES = 64 };
  bool again = true;
  w->pushes++;
  sort_dirty(w);
  for (int pass = 0; pass < PASSES && again; pass++) {
    again = false;
    for (uint32_t i = 0; i < w->ordered; i++)
      push_link(w, w->order[i].link);
    for (uint32_t i = 0; i < w->ordered && !again; i++)
      again = !adjoint_is_zero(&w->link[w->order[i].link].level);
  }
  for (uint32_t i = 0; i < w->ordered; i++)
    w->link[w->order[i].link].dirty = false;
  w->dirties = 0;
}

void adjoint_push_levels(struct sweep *w)
{
  const struct rewind_event *v = &w->rewind->event;
  for (uint32_t i = 0; i < v->flows; i++)
    mark_hops(w, v->flow[i].flow);
  for (uint32_t i = 0; i < v->links; i++) {
    const struct link_bars *l = &w->link[v->link[i].link];
    mark_link(w, v->link[i].link);
    for (uint32_t k = 0; k < l->reaches; k++)
      mark_link(w, l->reached[k]);
  }
  push_dirty(w);
}

void adjoint_push_hops(struct sweep *w, const struct maxmin_use *use, uint32_t uses)
{
  for (uint32_t i = 0; i < uses; i++) {
    const struct link_bars *l = &w->link[use[i].link];
    if (l->since > w->rewind->now || !adjoint_is_zero(&l->level))
      mark_link(w, use[i].link);
  }
  if (w->dirties > 0)
    push_dirty(w);
}
