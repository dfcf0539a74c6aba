/* The equations of links' levels.  The flows on a link that have one bottleneck form a group, whose
 * weights are summed, so that an equation has one term for each bottleneck.
 *
 * Conditions that are true about as often as false are computed without branches: mispredicted
 * branches took a fifth of the time of the sweep. */
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/explain/adjoint_internal.h"

/* --- groups ----------------------------------------------------------------------------------- */

/* No group: 0 - 1. */
#define ABSENT UINT32_MAX

/* Elements that find_group() compares at once. */
enum { STRIDE = 4 };
typedef uint32_t stride
    __attribute__((vector_size(STRIDE * sizeof(uint32_t)), aligned(4), may_alias));

/* At most one group matches.  by[] has room for whole strides; elements after the last group do not
 * count. */
static uint32_t find_group(const struct link_bars *l, uint32_t by)
{
  stride next = {0}, number = {1, 2, 3, 4}; /* index + 1 */
  for (uint32_t i = 0; i < l->groups; i += STRIDE) {
    const stride *at = (const stride *)&l->by[i];
    next |= (stride)(*at == by) & (stride)(number <= l->groups) & number;
    number += STRIDE;
  }
  return (next[0] | next[1] | next[2] | next[3]) - 1;
}

/* Adds a group to the list of the links that its bottleneck reaches. */
static enum status reach(struct sweep *w, uint32_t link, uint32_t slot, struct err *e)
{
  const struct link_bars *l = &w->link[link];
  if (l->by[slot] == MAXMIN_NONE)
    return OK;
  struct link_bars *b = &w->link[l->by[slot]];
  if (MEM_GROW(b->reached, b->reached_room, (size_t)b->reaches + 1, e) != OK)
    return FAIL;
  l->group[slot].place = b->reaches;
  b->reached[b->reaches++] = link;
  return OK;
}

static void unreach(struct sweep *w, uint32_t link, uint32_t slot)
{
  const struct link_bars *l = &w->link[link];
  const uint32_t by = l->by[slot], place = l->group[slot].place;
  if (by == MAXMIN_NONE)
    return;
  struct link_bars *b = &w->link[by];
  const uint32_t moved = b->reached[--b->reaches];
  b->reached[place] = moved;
  const struct link_bars *m = &w->link[moved];
  m->group[find_group(m, by)].place = place;
}

/* Begins a group without flows. */
static enum status begin_group(struct sweep *w, uint32_t link, uint32_t slot, uint32_t by,
                               struct err *e)
{
  struct link_bars *l = &w->link[link];
  l->by[slot] = by;
  l->weight[slot] = 0;
  l->paid[slot] = (bar){{0}};
  l->group[slot] = (struct group){0};
  return reach(w, link, slot, e);
}

static enum status add_group(struct sweep *w, uint32_t link, uint32_t by, struct err *e)
{
  struct link_bars *l = &w->link[link];
  const size_t need = (size_t)l->groups + 1;
  if (MEM_GROW(l->group, l->group_room, need, e) != OK ||
      MEM_GROW(l->by, l->by_room, need + STRIDE - 1, e) != OK ||
      MEM_GROW(l->weight, l->weight_room, need, e) != OK ||
      MEM_GROW(l->paid, l->paid_room, need, e) != OK ||
      MEM_GROW(w->level, w->level_room, need, e) != OK)
    return FAIL;
  return begin_group(w, link, l->groups++, by, e);
}

static void remove_group(struct sweep *w, uint32_t link, uint32_t slot)
{
  struct link_bars *l = &w->link[link];
  unreach(w, link, slot);
  const uint32_t last = --l->groups;
  l->group[slot] = l->group[last];
  l->by[slot] = l->by[last];
  l->weight[slot] = l->weight[last];
  l->paid[slot] = l->paid[last];
}

/* Fills in a move; its groups have paid nothing yet. */
static void begin_move(struct sweep *w, struct move *m, uint32_t flow, uint32_t from, uint32_t to)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  const double each = 1 / f->out.penalty;
  m->flow = flow;
  m->from = from;
  m->to = to;
  m->cap = f->cap;
  m->load_from = from == MAXMIN_NONE ? f->cap * each : each;
  m->load_to = to == MAXMIN_NONE ? f->cap * each : each;
  m->paid_from = m->paid_to = (bar){{0}};
}

/* Finds a group, which is often the group at index @p likely. */
static uint32_t group_of(const struct link_bars *l, uint32_t likely, uint32_t by)
{
  return likely < l->groups && l->by[likely] == by ? likely : find_group(l, by);
}

/* The flow leaves its group on a link.  Returns the group if it has no flows any more, or ABSENT.
 */
static uint32_t leave_group(struct link_bars *l, struct move *m, double share, uint32_t *slot)
{
  const uint32_t old = *slot = group_of(l, *slot, m->from);
  const double load = share * m->load_from;
  adjoint_add(&m->paid_from, &l->paid[old], load);
  l->weight[old] -= load;
  return --l->group[old].flows == 0 ? old : ABSENT;
}

/* Finds the group of bottleneck @p by on a link.  If there is none, begins it in place of group
 * @p empty, which has lost its last flow, or as a new group if @p empty is ABSENT. */
static enum status need_group(struct sweep *w, uint32_t link, uint32_t by, uint32_t empty,
                              uint32_t *slot, struct err *e)
{
  *slot = group_of(&w->link[link], *slot, by);
  if (*slot != ABSENT)
    return OK;
  *slot = empty != ABSENT ? empty : w->link[link].groups;
  if (empty == ABSENT)
    return add_group(w, link, by, e);
  unreach(w, link, empty);
  return begin_group(w, link, empty, by, e);
}

static void enter_group(struct link_bars *l, struct move *m, double share, uint32_t slot)
{
  const double load = share * m->load_to;
  struct group *g = &l->group[slot];
  adjoint_add(&m->paid_to, &l->paid[slot], load);
  l->weight[slot] += load;
  l->crowd_marked &= m->from != CAUSES_ABSENT;
  g->flows++;
  if (m->to == MAXMIN_NONE && m->cap > g->most)
    g->most = m->cap;
}

/* The flow goes to the group of its new bottleneck on a link.  @p slot: the groups of the last move
 * on this link. */
static enum status move_on_link(struct sweep *w, uint32_t link, struct move *m, double share,
                                uint32_t slot[2], struct err *e)
{
  struct link_bars *l = &w->link[link];
  uint32_t empty = ABSENT;
  if (m->from != CAUSES_ABSENT)
    empty = leave_group(l, m, share, &slot[0]);
  if (m->to != CAUSES_ABSENT) {
    if (need_group(w, link, m->to, empty, &slot[1], e) != OK)
      return FAIL;
    enter_group(l, m, share, slot[1]);
  }
  if (empty != ABSENT && l->group[empty].flows == 0)
    remove_group(w, link, empty);
  return OK;
}

/* The flow takes what its groups paid between the times when it entered and left them. */
static void take_paid(struct sweep *w, const struct move *m)
{
  const struct rewind_flow *f = &w->rewind->flow[m->flow];
  struct flow_bars *b = &w->flow[m->flow];
  adjoint_add(&b->penalty, &m->paid_from, 1 / f->out.penalty);
  adjoint_add(&b->penalty, &m->paid_to, -1 / f->out.penalty);
  if (m->from == MAXMIN_NONE)
    adjoint_add(&b->cap, &m->paid_from, -1 / f->cap);
  if (m->to == MAXMIN_NONE)
    adjoint_add(&b->cap, &m->paid_to, 1 / f->cap);
}

/* Adds a hop of the last move to the list of its link, if the link stops flows. */
static void add_hop(struct sweep *w, const struct maxmin_use *use)
{
  uint32_t *first = &w->first_hop[use->link];
  const bool stops = w->stops[use->link];
  w->moved[w->moveds] = use->link;
  w->moveds += stops & (*first == ABSENT);
  w->hop[w->hops] = (struct hop){use->share, w->moves, *first};
  *first = w->hops | -(uint32_t)!stops;
  w->hops += stops;
}

enum status adjoint_add_move(struct sweep *w, uint32_t flow, uint32_t from, uint32_t to,
                             struct err *e)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  bool any = false;
  for (uint32_t i = 0; i < f->uses; i++)
    any |= w->stops[f->use[i].link];
  if (!any)
    return OK;
  if (MEM_GROW(w->move, w->move_room, (size_t)w->moves + 1, e) != OK ||
      MEM_GROW(w->hop, w->hop_room, (size_t)w->hops + f->uses + 1, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < f->uses; i++)
    add_hop(w, &f->use[i]);
  begin_move(w, &w->move[w->moves++], flow, from, to);
  if (to != MAXMIN_NONE && to != CAUSES_ABSENT && f->cap < w->link[to].least)
    w->link[to].least = f->cap;
  return OK;
}

/* Link by link, so that the groups of a link are read once. */
enum status adjoint_move_all(struct sweep *w, struct err *e)
{
  for (uint32_t i = 0; i < w->moveds; i++) {
    const uint32_t link = w->moved[i];
    uint32_t slot[2] = {0, 0};
    for (uint32_t k = w->first_hop[link]; k != ABSENT; k = w->hop[k].next)
      if (move_on_link(w, link, &w->move[w->hop[k].move], w->hop[k].share, slot, e) != OK)
        return FAIL;
    w->first_hop[link] = ABSENT;
  }
  for (uint32_t i = 0; i < w->moves; i++)
    take_paid(w, &w->move[i]);
  w->moves = w->hops = w->moveds = 0;
  return OK;
}

enum status adjoint_set_stops(struct sweep *w, uint32_t link, bool stops, struct err *e)
{
  const struct rewind_link *l = &w->rewind->link[link];
  uint32_t slot[2] = {0, 0};
  struct move m;
  if (w->stops[link] == stops)
    return OK;
  for (uint32_t i = 0; i < l->uses; i++) {
    const uint32_t flow = l->use[i].flow, by = w->rewind->flow[flow].bottleneck;
    if (by == CAUSES_ABSENT)
      continue;
    const double share = w->rewind->flow[flow].use[l->use[i].hop].share;
    begin_move(w, &m, flow, stops ? CAUSES_ABSENT : by, stops ? by : CAUSES_ABSENT);
    if (move_on_link(w, link, &m, share, slot, e) != OK)
      return FAIL;
    take_paid(w, &m);
  }
  w->stops[link] = stops;
  return OK;
}

/* --- ties ------------------------------------------------------------------------------------- */

/* The weight of the flows that @p twin, a spare link, would stop at the level of @p link, if these
 * are the flows that @p link stops; -1 if it would stop others. */
static double twin_weight(const struct sweep *w, uint32_t link, uint32_t twin)
{
  const struct rewind_link *l = &w->rewind->link[twin];
  const double level = w->rewind->link[link].level * (1 - EQUAL);
  double weight = 0;
  for (uint32_t i = 0; i < l->uses; i++) {
    const uint32_t flow = l->use[i].flow;
    if (w->rewind->flow[flow].bottleneck == link)
      weight += l->use[i].weight;
    else if (rewind_level(w->rewind, flow) >= level)
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
    if (w->marked[flow])
      continue;
    w->marked[flow] = true;
    for (uint32_t k = 0; k < f->uses; k++)
      w->out->kink[f->use[k].link] = true;
  }
}

/* A flow that a link stops, or NULL. */
static const struct rewind_flow *find_stopped(struct sweep *w, uint32_t link)
{
  const struct rewind_flow *flow = w->rewind->flow;
  const struct rewind_link *l = &w->rewind->link[link];
  uint32_t *sample = &w->link[link].sample;
  for (uint32_t i = 0; flow[*sample].bottleneck != link; i++) {
    if (i == l->uses)
      return NULL;
    *sample = l->use[i].flow;
  }
  return &flow[*sample];
}

/* Other links may be full with the same flows: each one alone can slow them down, none can make
 * them faster.  Returns true if there are such links. */
static bool push_twins(struct sweep *w, uint32_t link, double level)
{
  const struct rewind_flow *f = find_stopped(w, link);
  bool any = false, exchange = false;
  for (uint32_t i = 0; f != NULL && i < f->uses; i++) {
    const uint32_t twin = f->use[i].link;
    const bool stops = w->stops[twin] & !w->fat[twin];
    exchange |= stops & (twin != link);
    if (stops | !w->rewind->link[twin].spare || !adjoint_is_first(f, i))
      continue;
    const double weight = twin_weight(w, link, twin);
    if (weight < 0)
      mark_kink(w, link);
    if (!(weight > 0))
      continue;
    w->out->tied[twin] += level / weight;
    any = true;
  }
  if (exchange) /* twins stop other flows: events at one date may exchange the roles of the links */
    mark_kink(w, link);
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
  const struct link_bars *l = &w->link[link];
  const double level = w->rewind->link[link].level * (1 - EQUAL);
  for (uint32_t i = 0; i < l->groups; i++) {
    struct group *g = &l->group[i];
    const uint32_t by = l->by[i];
    if (by == MAXMIN_NONE ? g->most >= level && highest_cap(w, link, g) >= level
                          : by != link && w->level[i] >= level)
      return true;
  }
  return is_at_cap(w, link);
}

/* --- levels ----------------------------------------------------------------------------------- */

/* The capacity of a fat link limits each flow alone. */
static void push_fat(struct sweep *w, uint32_t link, const bar *x)
{
  const struct rewind_link *l = &w->rewind->link[link];
  const double part = l->level / w->link[link].bandwidth;
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

/* Passes x, by group, on to the levels and penalties of the flows on a link.  The link's own bar,
 * which is 0, stays 0. */
static void push_groups(struct sweep *w, uint32_t link, const bar *x)
{
  struct link_bars *l = &w->link[link];
  const bar of = *x;
  for (uint32_t i = 0; i < l->groups; i++) {
    const uint32_t by = l->by[i];
    adjoint_add(&l->paid[i], &of, w->level[i]);
    adjoint_add(&w->level_bar[by == MAXMIN_NONE ? link : by], &of, -l->weight[i]);
  }
  w->level_bar[link] = (bar){{0}};
}

/* Sets w->level[i] to the level by which the weight of group i is multiplied.  Adds the decision
 * which of two links stops the flows that the link of the next lower level stops. */
static void take_levels(struct sweep *w, uint32_t link, bar *level)
{
  const struct rewind_link *r = w->rewind->link;
  const struct link_bars *l = &w->link[link];
  const double own = r[link].level, most = own * (1 - EQUAL);
  double next = 0;
  uint32_t by = MAXMIN_NONE;
  for (uint32_t i = 0; i < l->groups; i++) {
    const uint32_t other = l->by[i];
    const double at = other == MAXMIN_NONE ? INFINITY : r[other].level;
    const double below = at < most ? at : 0;
    const uint32_t mask = -(uint32_t)(below > next);
    w->level[i] = other == MAXMIN_NONE ? 1 : at;
    next = below > next ? below : next;
    by = (by & ~mask) | (other & mask);
  }
  if (by != MAXMIN_NONE)
    adjoint_decide(w, adjoint_nears(level), adjoint_nears(&w->level_bar[by]), own - next,
                   level->of[ADJOINT_EQUAL] * own / causes_end(w->causes));
}

/* Passes the bar of a link's level on, by the equation of its load: to its capacity, to the
 * penalties of its flows, and to the levels of the flows that other links stop. */
static void push_link(struct sweep *w, uint32_t link)
{
  const struct rewind_link *r = &w->rewind->link[link];
  struct link_bars *l = &w->link[link];
  adjoint_sum_link(w, link);
  bar level = w->level_bar[link];
  w->level_bar[link] = (bar){{0}};
  if (adjoint_is_zero(&level) || !isfinite(r->level))
    return;
  if (w->fat[link]) {
    push_fat(w, link, &level);
    return;
  }
  const uint32_t own = l->own < l->groups && l->by[l->own] == link ? l->own : find_group(l, link);
  l->own = own;
  if (own == ABSENT || !(l->weight[own] > 0))
    return;
  take_levels(w, link, &level);
  const double capacity = w->link[link].bandwidth;
  const double first = level.of[ADJOINT_EQUAL];
  bar x;
  for (int k = 0; k < LANES; k++) {
    x.of[k] = level.of[k] / l->weight[own];
    w->out->one[link].of[k] += x.of[k];
    w->out->all_bandwidths.of[k] += x.of[k] * capacity;
  }
  /* A twin can be a spare link, or be another reason to mark a kink. */
  const bool may_have_twins = w->rewind->spares > 0 || !l->crowd_marked;
  const bool twins = first != 0 && may_have_twins && push_twins(w, link, first);
  *(twins ? &w->out->tied[link] : &w->out->bandwidth[link]) += x.of[ADJOINT_EQUAL];
  push_groups(w, link, &x);
  if (first != 0 && !l->crowd_marked && has_equal(w, link))
    mark_kink(w, link);
}

/* --- order ------------------------------------------------------------------------------------ */

/* A link that stops no flow has no equation. */
static void mark_link(struct sweep *w, uint32_t link)
{
  const bool stops = w->stops[link];
  w->dirty[w->dirties] = link;
  w->dirties += stops & !w->is_dirty[link];
  w->is_dirty[link] |= stops;
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

/* Sorts the dirty links that stop flows, beginning with the order of the last update.  Leaves no
 * link dirty. */
static void sort_dirty(struct sweep *w)
{
  enum { FEW = 32 };
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->ordered; i++) {
    const uint32_t link = w->order[i].link;
    w->link[link].ordered = w->is_dirty[link] && isfinite(w->rewind->link[link].level);
    if (w->link[link].ordered)
      w->order[n++] = (struct level){w->rewind->link[link].level, link};
  }
  const uint32_t known = n;
  for (uint32_t i = 0; i < w->dirties; i++) {
    const uint32_t link = w->dirty[i];
    w->is_dirty[link] = false;
    if (w->link[link].ordered || !isfinite(w->rewind->link[link].level))
      continue;
    w->order[n++] = (struct level){w->rewind->link[link].level, link};
    w->link[link].ordered = true;
  }
  w->dirties = 0;
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
  bool again = w->dirties > 0;
  if (!again)
    return;
  sort_dirty(w);
  for (int pass = 0; pass < PASSES && again; pass++) {
    again = false;
    for (uint32_t i = 0; i < w->ordered; i++)
      if (pass == 0 || !adjoint_is_zero(&w->level_bar[w->order[i].link]))
        push_link(w, w->order[i].link);
    for (uint32_t i = 0; i < w->ordered && !again; i++)
      again = !adjoint_is_zero(&w->level_bar[w->order[i].link]);
  }
}

/* If a flow changes its bottleneck, its links are among the links that the bottleneck reaches: they
 * are marked already if the level of the bottleneck changes, too. */
void adjoint_push_levels(struct sweep *w)
{
  const struct rewind_event *v = &w->rewind->event;
  w->pushes++;
  for (uint32_t i = 0; i < v->links; i++) {
    struct link_bars *l = &w->link[v->link[i].link];
    l->changes = w->pushes;
    mark_link(w, v->link[i].link);
    for (uint32_t k = 0; k < l->reaches; k++)
      mark_link(w, l->reached[k]);
  }
  for (uint32_t i = 0; i < v->flows; i++) {
    const uint32_t by = w->rewind->flow[v->flow[i].flow].bottleneck;
    if (by == MAXMIN_NONE || by == CAUSES_ABSENT || w->link[by].changes != w->pushes)
      mark_hops(w, v->flow[i].flow);
  }
  push_dirty(w);
}

void adjoint_push_hops(struct sweep *w, const struct maxmin_use *use, uint32_t uses)
{
  for (uint32_t i = 0; i < uses; i++) {
    const struct link_bars *l = &w->link[use[i].link];
    if (l->since > w->rewind->now || !adjoint_is_zero(&w->level_bar[use[i].link]))
      mark_link(w, use[i].link);
  }
  if (w->dirties == 0)
    return;
  w->pushes++;
  push_dirty(w);
}
