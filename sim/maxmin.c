#include "sim/maxmin.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/maxmin_internal.h"

enum status maxmin_new(struct maxmin **out, struct err *e)
{
  struct maxmin *m = mem_array(1, sizeof *m, e);
  if (m == NULL)
    return FAIL;
  *out = m;
  return OK;
}

void maxmin_free(struct maxmin *m)
{
  if (m == NULL)
    return;
  for (uint32_t l = 0; l < m->links; l++)
    free(m->link[l].element);
  for (uint32_t f = 0; f < m->flows; f++)
    free(m->flow[f].hop);
  free(m->link);
  free(m->flow);
  free(m->touched);
  free(m->changed);
  free(m->item);
  event_heap_clear(&m->heap);
  free(m);
}

enum status maxmin_add_link(struct maxmin *m, double capacity, bool fat, uint32_t *link,
                            struct err *e)
{
  const size_t need = (size_t)m->links + 1;
  void *links = m->link, *touched = m->touched;
  if (need >= MAXMIN_MOST)
    return err_set(e, "%u links are too many", m->links);
  enum status s = mem_grow(&links, &m->link_room, need, sizeof *m->link, e);
  m->link = links;
  if (s == OK)
    s = mem_grow(&touched, &m->touched_room, need, sizeof *m->touched, e);
  m->touched = touched;
  if (s != OK || event_heap_reserve(&m->heap, (uint32_t)need, e) != OK)
    return FAIL;
  *link = m->links++;
  m->link[*link] =
      (struct maxmin_link){.capacity = capacity, .fat = fat, .level = INFINITY, .first = NOBODY};
  return OK;
}

void maxmin_begin(struct maxmin *m)
{
  for (uint32_t i = 0; m->settled && i < m->changes; i++)
    m->flow[m->changed[i]].changed = false;
  m->changes = m->settled ? 0 : m->changes;
  m->settled = false;
}

/* --- levels ---------------------------------------------------------------------------------- */

static void touch(struct maxmin *m, uint32_t link)
{
  if (m->link[link].touched)
    return;
  m->link[link].touched = true;
  m->touched[m->touches++] = link;
}

static void change(struct maxmin *m, uint32_t flow)
{
  maxmin_begin(m);
  if (m->flow[flow].changed)
    return;
  m->flow[flow].changed = true;
  m->changed[m->changes++] = flow;
}

/* Takes the flow out of its bottleneck's list; the link's level goes with the last one. */
static void leave(struct maxmin *m, struct maxmin_flow *f)
{
  if (f->bottleneck == NOBODY)
    return;
  struct maxmin_link *l = &m->link[f->bottleneck];
  if (f->previous == NOBODY)
    l->first = f->next;
  else
    m->flow[f->previous].next = f->next;
  if (f->next != NOBODY)
    m->flow[f->next].previous = f->previous;
  touch(m, f->bottleneck);
  f->bottleneck = NOBODY;
  if (l->fat)
    return;
  l->weight -= f->weight;
  if (l->first == NOBODY) {
    l->weight = 0;
    l->level = INFINITY;
  }
}

static void join(struct maxmin *m, uint32_t flow, uint32_t link, double weight)
{
  struct maxmin_flow *f = &m->flow[flow];
  struct maxmin_link *l = &m->link[link];
  f->bottleneck = link;
  f->weight = weight;
  f->previous = NOBODY;
  f->next = l->first;
  if (l->first != NOBODY)
    m->flow[l->first].previous = flow;
  l->first = flow;
  if (!l->fat)
    l->weight += weight;
}

/* Adds to the loads along the route; links that stop somebody, or are too full now, are touched. */
static void add_load(struct maxmin *m, const struct maxmin_flow *f, double rate)
{
  for (uint32_t h = 0; h < f->hops; h++) {
    const struct hop hop = f->hop[h];
    struct maxmin_link *l = &m->link[hop.link];
    l->load += m->share[hop.share] * rate;
    if (hop.link != f->bottleneck && f->level > l->peak)
      l->peak = f->level;
    if (l->weight > 0 || l->load > l->capacity || l->fat)
      touch(m, hop.link);
  }
}

void maxmin_move(struct maxmin *m, uint32_t flow, double level, uint32_t bottleneck, double weight)
{
  struct maxmin_flow *f = &m->flow[flow];
  const double more = (level - f->level) * f->per_level;
  if (bottleneck != f->bottleneck) {
    leave(m, f);
    if (bottleneck != NOBODY)
      join(m, flow, bottleneck, weight);
  }
  f->level = level;
  add_load(m, f, more);
  change(m, flow);
}

double maxmin_allowed(const struct maxmin *m, const struct maxmin_flow *f, uint32_t except,
                      uint32_t *hop)
{
  double least = f->cap;
  *hop = NOBODY;
  for (uint32_t h = 0; h < f->hops; h++) {
    const uint32_t l = f->hop[h].link;
    const double level = m->link[l].level;
    if (level < least && l != except) {
      least = level;
      *hop = h;
    }
  }
  return least;
}

/* --- flows ----------------------------------------------------------------------------------- */

/* The index of a share in the table. */
static enum status find_share(struct maxmin *m, double share, uint32_t *index, struct err *e)
{
  unsigned i = 0;
  while (i < m->shares && m->share[i] != share)
    i++;
  if (i == SHARES)
    return err_set(e, "flows take more than %d different shares of their links", SHARES);
  m->share[i] = share;
  m->shares += i == m->shares;
  *index = i;
  return OK;
}

/* Puts one use into hop[], which has *n so far; a link that is there already takes both shares. */
static enum status add_hop(struct maxmin *m, struct maxmin_flow *f, uint32_t *n,
                           struct maxmin_use use, struct err *e)
{
  struct maxmin_link *l = &m->link[use.link];
  const bool again = l->mark < *n && f->hop[l->mark].link == use.link;
  double share = use.share;
  uint32_t index = 0;
  if (again) {
    const double before = m->share[f->hop[l->mark].share];
    share = l->fat ? fmax(before, share) : before + share;
  }
  if (find_share(m, share, &index, e) != OK)
    return FAIL;
  if (!again)
    l->mark = (*n)++ & (MAXMIN_MOST - 1);
  f->hop[l->mark].link = use.link;
  f->hop[l->mark].share = index & (SHARES - 1);
  return OK;
}

static enum status set_hops(struct maxmin *m, struct maxmin_flow *f,
                            const struct maxmin_flow_spec *s, struct err *e)
{
  void *hop = f->hop;
  uint32_t n = 0;
  if (mem_grow(&hop, &f->room, s->uses, sizeof *f->hop, e) != OK)
    return FAIL;
  f->hop = hop;
  f->cap = s->bound * s->penalty;
  for (uint32_t i = 0; i < s->uses; i++)
    if (add_hop(m, f, &n, s->use[i], e) != OK)
      return FAIL;
  for (uint32_t h = 0; h < n; h++) {
    const double alone =
        m->link[f->hop[h].link].capacity / (m->share[f->hop[h].share] / s->penalty);
    f->cap = alone < f->cap ? alone : f->cap;
  }
  f->hops = n;
  return OK;
}

/* Room on each link for one more flow, and for work with all of its flows. */
static enum status make_room(struct maxmin *m, const struct maxmin_flow *f, struct err *e)
{
  for (uint32_t h = 0; h < f->hops; h++) {
    struct maxmin_link *l = &m->link[f->hop[h].link];
    if (l->elements == MOST_ELEMENTS - 1)
      return err_set(e, "more than %u flows on one link", l->elements);
    void *element = l->element, *item = m->item;
    size_t room = l->room;
    enum status s = mem_grow(&element, &room, (size_t)l->elements + 1, sizeof *l->element, e);
    l->element = element;
    l->room = (uint32_t)room;
    if (s == OK)
      s = mem_grow(&item, &m->item_room, (size_t)l->elements + 1, sizeof *m->item, e);
    m->item = item;
    if (s != OK)
      return FAIL;
  }
  return OK;
}

static enum status reserve(struct maxmin *m, uint32_t flow, struct err *e)
{
  const size_t need = (size_t)flow + 1;
  void *flows = m->flow, *changed = m->changed;
  if (need >= MAXMIN_MOST)
    return err_set(e, "%u flows are too many", flow);
  enum status s = mem_grow(&flows, &m->flow_room, need, sizeof *m->flow, e);
  m->flow = flows;
  if (s == OK)
    s = mem_grow(&changed, &m->changed_room, m->flow_room, sizeof *m->changed, e);
  m->changed = changed;
  if (s != OK)
    return FAIL;
  while (m->flows < need)
    m->flow[m->flows++] = (struct maxmin_flow){.bottleneck = NOBODY};
  return OK;
}

enum status maxmin_add(struct maxmin *m, uint32_t flow, const struct maxmin_flow_spec *s,
                       struct err *e)
{
  if (reserve(m, flow, e) != OK)
    return FAIL;
  struct maxmin_flow *f = &m->flow[flow];
  f->penalty = s->penalty;
  f->per_level = 1 / s->penalty;
  if (set_hops(m, f, s, e) != OK || make_room(m, f, e) != OK) {
    f->hops = 0;
    return FAIL;
  }
  for (uint32_t h = 0; h < f->hops; h++) {
    struct maxmin_link *l = &m->link[f->hop[h].link];
    f->hop[h].element = l->elements & (MOST_ELEMENTS - 1);
    l->element[l->elements++] = (struct element){flow, h};
  }
  uint32_t hop;
  f->level = 0;
  const double level = maxmin_allowed(m, f, NOBODY, &hop);
  if (hop == NOBODY)
    maxmin_move(m, flow, level, NOBODY, 0);
  else
    maxmin_move(m, flow, level, f->hop[hop].link, maxmin_weight(m, f, hop));
  return OK;
}

void maxmin_remove(struct maxmin *m, uint32_t flow)
{
  struct maxmin_flow *f = &m->flow[flow];
  const double rate = f->level * f->per_level;
  maxmin_begin(m);
  leave(m, f);
  f->level = 0;
  add_load(m, f, -rate);
  for (uint32_t h = 0; h < f->hops; h++) {
    struct maxmin_link *l = &m->link[f->hop[h].link];
    const struct element last = l->element[--l->elements];
    l->element[f->hop[h].element] = last;
    m->flow[last.flow].hop[last.hop].element = f->hop[h].element;
    if (l->elements == 0)
      l->load = l->peak = 0;
  }
  f->hops = 0;
}

/* --- what it is all about -------------------------------------------------------------------- */

const uint32_t *maxmin_changed(const struct maxmin *m, uint32_t *count)
{
  *count = m->changes;
  return m->changed;
}

double maxmin_rate(const struct maxmin *m, uint32_t flow)
{
  return m->flow[flow].level * m->flow[flow].per_level;
}

double maxmin_link_level(const struct maxmin *m, uint32_t link)
{
  return m->link[link].level;
}

uint64_t maxmin_visits(const struct maxmin *m)
{
  return m->visits;
}
