/* The incremental solution.  Links whose load does not agree with their level are visited in rising
 * order of the lowest level at which something has to change.  Each visit sets the level that is
 * right as long as the other links keep theirs. docs/developers/flow-engine.md proves that this
 * ends at the solution. */
#include <math.h>

#include "sim/flow/maxmin_internal.h"

/* Relative differences of levels and loads below this are rounding. */
#define TOLERANCE 1e-12

/* Bound of the rounding of a slack, relative to the capacity, and of a key in the heap. */
#define ROUNDED 1e-9

/* fmax() for numbers, without a call. */
static double greater(double a, double b)
{
  return a > b ? a : b;
}

/* The level x at which base * x + sum of weight * min(x, level) over the n items is @p room;
 * INFINITY if they need less.  Newton's method from @p x, which is too low: the left side is
 * concave and piecewise linear, so that x only grows, one piece or more at a time.  Sets m->slope
 * to the slope of the last piece. */
static double fill(struct maxmin *m, uint32_t n, double base, double room, double x)
{
  const struct item *item = m->item;
  for (uint32_t held = UINT32_MAX;;) {
    double weight = base, rest = room;
    uint32_t above = 0;
    for (uint32_t i = 0; i < n; i++)
      if (item[i].level > x) {
        weight += item[i].weight;
        above++;
      } else {
        rest -= item[i].weight * item[i].level;
      }
    if (above == 0 && base == 0)
      return INFINITY;
    const double next = rest / weight;
    m->slope = weight;
    if (above == held || next <= x)
      return above == held ? x : fmax(x, next);
    held = above;
    x = next;
  }
}

/* Prefetches flows, which lie far apart in memory, a batch at a time; called for each i of a loop
 * over n of them. */
static void fetch_ahead(const struct maxmin *m, const uint32_t *flow, uint32_t i, uint32_t n)
{
  const uint32_t batch = 16, end = n - i < batch ? n : i + batch;
  if (i % batch != 0)
    return;
  for (uint32_t k = i; k < end; k++)
    __builtin_prefetch(&m->flow[flow[k]]);
  for (uint32_t k = i; k < end; k++) {
    const uint32_t *hop = m->flow[flow[k]].hop;
    __builtin_prefetch(hop);
    __builtin_prefetch(hop + 16);
  }
}

/* Makes items of the flows outside of the link's list with levels above @p least.  Sets m->below to
 * the highest level of the remaining flows, and the link's peak to the highest of all. */
static uint32_t collect_above(struct maxmin *m, uint32_t link, double least)
{
  const struct maxmin_link *l = &m->link[link];
  uint32_t n = 0;
  double peak = 0, below = 0;
  for (uint32_t i = 0; i < l->elements; i++) {
    const struct element at = l->element[i];
    if (m->bottleneck[at.flow] == link)
      continue;
    const double level = maxmin_level_of(m, at.flow);
    m->item[n] = (struct item){level, at.weight, at.flow, MAXMIN_NONE};
    n += level > least;
    below = greater(below, level > least ? 0 : level);
    peak = greater(peak, level);
  }
  m->below = below;
  m->room[link].peak = peak;
  return n;
}

/* Makes items of the link's list, each with the level that the flow could have without the link. */
static uint32_t collect_list(struct maxmin *m, uint32_t link)
{
  const uint32_t *list = m->link[link].list, n = m->link[link].listed;
  const double before = m->level[link];
  m->level[link] = INFINITY;
  for (uint32_t i = 0; i < n; i++) {
    const struct maxmin_flow *f = &m->flow[list[i]];
    struct item *item = &m->item[i];
    fetch_ahead(m, list, i, n);
    item->flow = list[i];
    item->weight = f->weight;
    item->level = maxmin_allowed(m, f, &item->hop);
  }
  m->level[link] = before;
  return n;
}

/* A fat link's level: the lowest at which one flow takes all of the link, unless the flow stops
 * before.  Often the flow's bound is equal and rounding decides which of the two stops it, so the
 * level is computed exactly as in SimGrid. */
static double fat_level(struct maxmin *m, uint32_t link)
{
  const struct maxmin_link *l = &m->link[link];
  const double before = m->level[link];
  double level = INFINITY;
  m->level[link] = INFINITY;
  for (uint32_t i = 0; i < l->elements; i++) {
    const struct element at = l->element[i];
    const struct maxmin_flow *f = &m->flow[at.flow];
    const double share = m->share[HOP_SHARE(f->hop[at.hop])];
    const double whole = l->capacity / (share / m->rest[at.flow].penalty);
    uint32_t hop;
    if (whole >= level)
      continue;
    const bool listed = m->bottleneck[at.flow] == link;
    if ((listed ? maxmin_allowed(m, f, &hop) : maxmin_level_of(m, at.flow)) >= whole)
      level = whole;
  }
  m->level[link] = before;
  return level;
}

/* Adds weight * level of the n items to @p load. */
static double add_items(const struct maxmin *m, uint32_t n, double load)
{
  for (uint32_t i = 0; i < n; i++)
    load += m->item[i].weight * m->item[i].level;
  return load;
}

/* The level of an overloaded link that stops no flow; INFINITY if only rounding makes it
 * overloaded.  The *n items are all of its flows.  Sums the load again. */
static double overflow_level(struct maxmin *m, uint32_t link, uint32_t *n)
{
  const double capacity = m->link[link].capacity;
  *n = collect_above(m, link, -1);
  const double load = add_items(m, *n, 0);
  m->room[link].free = capacity - load;
  return load <= capacity * (1 + TOLERANCE) ? INFINITY : fill(m, *n, 0, capacity, 0);
}

/* overflow_level() up to rounding, from the flows whose levels may have to change.  Examines all
 * flows only if the slack may be rounding, or if a flow has no level yet. */
static double about_level(struct maxmin *m, uint32_t link)
{
  const double free = m->room[link].free, least = m->floor * (1 - ROUNDED);
  uint32_t n;
  if (free > -ROUNDED * m->link[link].capacity || !isfinite(free))
    return overflow_level(m, link, &n);
  n = collect_above(m, link, least);
  return fill(m, n, 0, add_items(m, n, free), least);
}

/* The level to which an overloaded link with a list falls.  The *n items include all flows that
 * have to join the list. */
static double lower_level(struct maxmin *m, uint32_t link, uint32_t *n)
{
  const double weight = m->room[link].weight;
  const double start = m->level[link] + m->room[link].free / weight;
  *n = 0;
  m->slope = weight;
  if (start >= m->room[link].peak)
    return start;
  *n = collect_above(m, link, start);
  return fill(m, *n, weight, add_items(m, *n, weight * start), start);
}

/* True if the link's load matches its level, up to rounding. */
static bool agrees(const struct maxmin *m, uint32_t link)
{
  const struct maxmin_room *r = &m->room[link];
  const double capacity = m->link[link].capacity;
  if (r->weight > 0)
    return fabs(r->free) <= greater(TOLERANCE * r->weight * m->level[link], 1e-15 * capacity);
  return r->free >= -TOLERANCE * capacity;
}

/* The link waits for a visit at the level that about_level() or lower_level() has computed. */
static void remember(struct maxmin *m, uint32_t link)
{
  m->link[link].slope = m->slope;
  m->link[link].seen = m->room[link].free;
}

/* Lower bound of the right level of a link that remember() knows.  A visit to another link changes
 * all loads in one direction.  If they grow by x, the level falls at most by x over the slope. */
static double remembered(struct maxmin *m, uint32_t link)
{
  struct maxmin_link *l = &m->link[link];
  const double more = l->seen - m->room[link].free;
  l->seen = m->room[link].free;
  return greater(heap_key(&m->heap, link) - greater(more, 0) / l->slope, m->floor);
}

/* Lower bound of the level at which the link requires a change; INFINITY if it requires none. */
static double urgency(struct maxmin *m, uint32_t link)
{
  const struct maxmin_room *r = &m->room[link];
  const bool knows = m->link[link].slope > 0;
  if (m->link[link].fat) {
    const double level = fat_level(m, link);
    return level == m->level[link] ? INFINITY : fmin(level, m->level[link]);
  }
  const double known = knows ? remembered(m, link) : 0;
  if (agrees(m, link)) {
    m->link[link].slope = 0;
    return INFINITY;
  }
  if (r->weight == 0 && knows)
    return known;
  if (r->weight == 0) {
    const double level = about_level(m, link);
    if (level < INFINITY)
      remember(m, link);
    return level;
  }
  return r->free > 0 ? m->level[link] : greater(known, m->level[link] + r->free / r->weight);
}

/* Sets the slack of a link with a list, which is full, to exactly 0: the remainder is rounding. */
static void fill_up(struct maxmin *m, uint32_t link)
{
  if (m->room[link].weight > 0)
    m->room[link].free = 0;
}

static void set_level(struct maxmin *m, uint32_t link, double level)
{
  m->level[link] = level;
  maxmin_set_add(&m->changed_links, link);
}

/* Sets the level of a link that falls or begins to stop flows.  Of the n items, flows above the
 * level join the list. */
static void lower(struct maxmin *m, uint32_t link, double level, uint32_t n)
{
  double peak = n > 0 ? m->below : m->room[link].peak;
  const uint32_t *list = m->link[link].list, listed = m->link[link].listed;
  const bool together = maxmin_reach_ready(m, link);
  const double before = m->level[link];
  set_level(m, link, level);
  if (together)
    maxmin_reach_shift(m, link, before);
  for (uint32_t i = 0; i < listed && !together; i++) {
    fetch_ahead(m, list, i, listed);
    maxmin_carry(m, list[i], level - before, level);
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct item *it = &m->item[i];
    if (it->level <= level) {
      peak = greater(peak, it->level);
      continue;
    }
    maxmin_move(m, it->flow, link, it->weight);
    maxmin_carry(m, it->flow, level - it->level, level);
  }
  m->room[link].peak = peak;
  fill_up(m, link);
}

/* Sets the level of a link that rises.  The n items are its list: flows that something else stops
 * below the level leave it. */
static void raise(struct maxmin *m, uint32_t link, double level, uint32_t n)
{
  const bool together = maxmin_reach_ready(m, link);
  const double before = m->level[link];
  set_level(m, link, level);
  for (uint32_t i = 0; i < n; i++) {
    const struct item it = m->item[i];
    const struct maxmin_flow *f = &m->flow[it.flow];
    const bool stays = it.level >= level;
    if (stays && together)
      continue;
    if (!stays && it.hop == MAXMIN_NONE)
      maxmin_move(m, it.flow, MAXMIN_NONE, 0);
    else if (!stays)
      maxmin_move(m, it.flow, HOP_LINK(f->hop[it.hop]), maxmin_weight(m, f, it.hop));
    const double now = stays ? level : it.level;
    maxmin_carry(m, it.flow, now - before, now);
  }
  if (together)
    maxmin_reach_shift(m, link, before);
  fill_up(m, link);
}

/* If another link must be visited before @p level, puts this one back into the heap and returns
 * true. */
static bool wait_turn(struct maxmin *m, uint32_t link, double level)
{
  if (heap_count(&m->heap) == 0 || level <= heap_first_key(&m->heap))
    return false;
  heap_set_key(&m->heap, link, level);
  return true;
}

static void visit_fat(struct maxmin *m, uint32_t link)
{
  const double before = m->level[link], level = fat_level(m, link);
  if (level == before || wait_turn(m, link, fmin(level, before)))
    return;
  if (level > before)
    raise(m, link, level, collect_list(m, link));
  else
    lower(m, link, level, collect_above(m, link, level));
}

/* Visits a link with a list and slack.  All flows of the list stay if nothing else stops one of
 * them below the new level. */
static void visit_rising(struct maxmin *m, uint32_t link)
{
  const double before = m->level[link], weight = m->room[link].weight;
  const double room = m->room[link].free + weight * before, level = room / weight;
  if (maxmin_reach_ready(m, link) && maxmin_reach_least(m, link) >= level) {
    set_level(m, link, level);
    maxmin_reach_shift(m, link, before);
    fill_up(m, link);
    return;
  }
  const uint32_t n = collect_list(m, link);
  raise(m, link, fill(m, n, 0, room, before), n);
}

static void visit(struct maxmin *m, uint32_t link)
{
  const double weight = m->room[link].weight, spare = m->room[link].free, before = m->level[link];
  uint32_t n = 0;
  if (agrees(m, link))
    return;
  if (weight > 0 && spare > 0) {
    if (wait_turn(m, link, before))
      return;
    visit_rising(m, link);
  } else {
    double level = weight > 0 ? lower_level(m, link, &n) : about_level(m, link);
    if (level < INFINITY && wait_turn(m, link, level)) {
      remember(m, link);
      m->room[link].watch = INFINITY;
      return;
    }
    if (weight == 0)
      level = overflow_level(m, link, &n);
    if (level < INFINITY)
      lower(m, link, level, n);
  }
}

/* The watch of a link outside of the heap.  If it has a list, all changes matter. */
static double unwatched(const struct maxmin *m, uint32_t link)
{
  return m->link[link].listed > 0 || m->link[link].fat ? INFINITY : 0;
}

/* Puts the touched links that require a change into the heap. */
static void enqueue_touched(struct maxmin *m)
{
  for (uint32_t i = 0; i < m->touches; i++) {
    const uint32_t link = m->touched[i];
    const double level = urgency(m, link);
    struct maxmin_room *r = &m->room[link];
    r->watch = unwatched(m, link);
    if (level == INFINITY)
      continue;
    if (!heap_has(&m->heap, link) || level < heap_key(&m->heap, link))
      heap_set_key(&m->heap, link, level);
    if (m->link[link].slope > 0)
      r->watch = INFINITY;
    else if (r->weight > 0 && r->free < 0)
      r->watch = r->free;
    else if (!m->link[link].fat)
      r->watch = 0;
  }
  m->touches = 0;
}

/* Drops removed flows from the set of changed flows. */
static void forget_gone(struct maxmin *m)
{
  struct maxmin_set *s = &m->changed;
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const uint32_t f = s->at[i];
    s->has[f] = m->flow[f].hops > 0;
    s->at[n] = f;
    n += s->has[f];
  }
  s->count = n;
}

enum status maxmin_settle(struct maxmin *m, struct err *e)
{
  maxmin_begin(m);
  m->floor = 0;
  enqueue_touched(m);
  while (heap_count(&m->heap) > 0) {
    const uint32_t link = heap_first(&m->heap);
    m->floor = heap_first_key(&m->heap);
    heap_remove(&m->heap, link);
    m->link[link].slope = 0;
    m->room[link].watch = unwatched(m, link);
    if (m->link[link].fat)
      visit_fat(m, link);
    else
      visit(m, link);
    enqueue_touched(m);
  }
  forget_gone(m);
  m->settled = true;
  if (m->failed)
    *e = m->err;
  return m->failed ? FAIL : OK;
}
