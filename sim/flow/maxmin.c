#include "sim/flow/maxmin.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/flow/maxmin_internal.h"

enum status maxmin_new(struct maxmin **out, struct err *e)
{
  struct maxmin *m = mem_array(1, sizeof *m, e);
  if (m == NULL)
    return FAIL;
  m->marked = MAXMIN_NONE;
  *out = m;
  return OK;
}

void maxmin_free(struct maxmin *m)
{
  if (m == NULL)
    return;
  for (uint32_t l = 0; l < m->links; l++) {
    free(m->link[l].element);
    free(m->link[l].list);
    free(m->link[l].reach.at);
  }
  for (uint32_t f = 0; f < m->flows; f++) {
    free(m->flow[f].hop);
    free(m->rest[f].element);
  }
  free(m->link);
  free(m->room);
  free(m->level);
  free(m->mark);
  free(m->flow);
  free(m->rest);
  free(m->touched);
  free(m->bottleneck);
  maxmin_set_clear(&m->changed);
  maxmin_set_clear(&m->changed_links);
  free(m->item);
  heap_clear(&m->heap);
  free(m);
}

enum status maxmin_add_link(struct maxmin *m, double capacity, bool fat, uint32_t *link,
                            struct err *e)
{
  const uint32_t l = m->links;
  const size_t need = (size_t)l + 1;
  if (need >= MAXMIN_MOST)
    return err_set(e, "%u links are too many", l);
  if (MEM_GROW(m->link, m->link_room, need, e) != OK ||
      MEM_GROW(m->room, m->room_room, need, e) != OK ||
      MEM_GROW(m->level, m->level_room, need, e) != OK ||
      MEM_GROW(m->mark, m->mark_room, need, e) != OK ||
      MEM_GROW(m->touched, m->touched_room, need, e) != OK ||
      maxmin_set_reserve(&m->changed_links, (uint32_t)need, e) != OK ||
      heap_reserve(&m->heap, (uint32_t)need, e) != OK)
    return FAIL;
  m->link[l] = (struct maxmin_link){.capacity = capacity, .fat = fat};
  m->widest = fmax(m->widest, capacity);
  m->room[l] = (struct maxmin_room){.free = capacity, .watch = fat ? INFINITY : 0};
  m->level[l] = INFINITY;
  m->mark[l] = 0;
  m->links++;
  *link = l;
  return OK;
}

enum status maxmin_add_varying(struct maxmin *m, double capacity, uint32_t *link, struct err *e)
{
  if (maxmin_add_link(m, capacity, false, link, e) != OK)
    return FAIL;
  m->link[*link].varies = true;
  return OK;
}

void maxmin_set_capacity(struct maxmin *m, uint32_t link, double capacity)
{
  m->link[link].capacity = capacity;
  m->room[link].free = capacity;
  m->widest = fmax(m->widest, capacity);
}

/* --- levels ---------------------------------------------------------------------------------- */

void maxmin_begin(struct maxmin *m)
{
  if (!m->settled)
    return;
  maxmin_set_empty(&m->changed);
  maxmin_set_empty(&m->changed_links);
  m->settled = false;
}

/* Notes that the link's list has changed. */
static void touch(struct maxmin *m, uint32_t link)
{
  maxmin_set_add(&m->changed_links, link);
  if (m->room[link].watch == -INFINITY)
    return;
  m->room[link].watch = -INFINITY;
  m->touched[m->touches++] = link;
}

void maxmin_vary(struct maxmin *m, uint32_t link, double capacity)
{
  struct maxmin_link *l = &m->link[link];
  maxmin_begin(m);
  m->room[link].free = l->elements == 0 ? capacity : m->room[link].free + capacity - l->capacity;
  l->capacity = capacity;
  m->widest = fmax(m->widest, capacity);
  touch(m, link);
}

/* Updates the weight of the link's list by @p more.  Sums it again once the accumulated rounding
 * may be about 1e-14 of it. */
static void add_weight(struct maxmin *m, uint32_t link, double more)
{
  struct maxmin_link *l = &m->link[link];
  double weight = m->room[link].weight + more;
  l->drift += more > 0 ? weight : weight - more;
  if (l->drift > 64 * weight) {
    weight = l->drift = 0;
    for (uint32_t i = 0; i < l->listed; i++)
      weight += m->flow[l->list[i]].weight;
  }
  m->room[link].weight = weight;
}

/* Removes the flow from its bottleneck's list.  A link loses its level with its last flow. */
static void leave(struct maxmin *m, uint32_t flow)
{
  const struct maxmin_flow *f = &m->flow[flow];
  const uint32_t link = m->bottleneck[flow];
  if (link == MAXMIN_NONE)
    return;
  struct maxmin_link *l = &m->link[link];
  const uint32_t last = l->list[--l->listed];
  l->list[f->place] = last;
  m->flow[last].place = f->place;
  touch(m, link);
  m->bottleneck[flow] = MAXMIN_NONE;
  if (l->fat)
    return;
  if (l->reach.kept)
    maxmin_reach_leave(m, link, f);
  add_weight(m, link, -f->weight);
  if (l->listed == 0)
    m->level[link] = INFINITY;
}

static void join(struct maxmin *m, uint32_t flow, uint32_t link, double weight)
{
  struct maxmin_flow *f = &m->flow[flow];
  struct maxmin_link *l = &m->link[link];
  m->bottleneck[flow] = link;
  f->weight = weight;
  f->place = l->listed;
  l->list[l->listed++] = flow;
  if (!l->fat)
    add_weight(m, link, weight);
  if (l->reach.kept)
    maxmin_reach_join(m, link, f);
  touch(m, link);
}

void maxmin_carry(struct maxmin *m, uint32_t flow, double more, double level)
{
  const struct maxmin_flow *f = &m->flow[flow];
  const uint32_t bottleneck = m->bottleneck[flow], hops = f->hops;
  const double peak = bottleneck == MAXMIN_NONE ? 0 : m->room[bottleneck].peak;
  const uint32_t *restrict hop = f->hop;
  const double rate = more * f->per_level;
  for (uint32_t h = 0; h < hops; h++)
    maxmin_load(m, HOP_LINK(hop[h]), m->share[HOP_SHARE(hop[h])] * rate, level);
  if (bottleneck != MAXMIN_NONE) /* the peak covers only flows outside of the list */
    m->room[bottleneck].peak = peak;
}

void maxmin_move(struct maxmin *m, uint32_t flow, uint32_t bottleneck, double weight)
{
  leave(m, flow);
  if (bottleneck != MAXMIN_NONE)
    join(m, flow, bottleneck, weight);
  maxmin_set_add(&m->changed, flow);
}

double maxmin_allowed(const struct maxmin *m, const struct maxmin_flow *f, uint32_t *hop)
{
  const double *restrict level = m->level;
  double least = f->cap;
  uint32_t at = MAXMIN_NONE;
  for (uint32_t h = 0; h < f->hops; h++) {
    const double here = level[HOP_LINK(f->hop[h])];
    const bool less = here < least;
    least = less ? here : least;
    at = less ? h : at;
  }
  *hop = at;
  return least;
}

/* --- flows ----------------------------------------------------------------------------------- */

/* Finds a share in share[], or adds it. */
static enum status find_share(struct maxmin *m, double share, uint32_t *index, struct err *e)
{
  unsigned i = 0;
  while (i < m->shares && m->share[i] != share)
    i++;
  if (i == SHARES)
    return err_set(e, "flows take more than %u different shares of their links", SHARES);
  m->share[i] = share;
  m->shares += i == m->shares;
  *index = i;
  return OK;
}

/* Adds one use to hop[], which has *n entries.  The shares of a link that is already there are
 * combined. */
static enum status add_hop(struct maxmin *m, struct maxmin_flow *f, uint32_t *n,
                           struct maxmin_use use, struct err *e)
{
  uint32_t *mark = &m->mark[use.link];
  const bool again = *mark < *n && HOP_LINK(f->hop[*mark]) == use.link;
  double share = use.share;
  uint32_t index = 0;
  if (again) {
    const double before = m->share[HOP_SHARE(f->hop[*mark])];
    share = m->link[use.link].fat ? fmax(before, share) : before + share;
  }
  if (find_share(m, share, &index, e) != OK)
    return FAIL;
  if (!again)
    *mark = (*n)++;
  f->hop[*mark] = use.link | index << HOP_BITS;
  return OK;
}

static enum status set_hops(struct maxmin *m, uint32_t flow, const struct maxmin_flow_spec *s,
                            struct err *e)
{
  struct maxmin_flow *f = &m->flow[flow];
  struct maxmin_rest *rest = &m->rest[flow];
  uint32_t n = 0;
  m->marked = MAXMIN_NONE;
  if (MEM_GROW(f->hop, rest->hop_room, 2 * (size_t)s->uses, e) != OK ||
      MEM_GROW(rest->element, rest->element_room, s->uses, e) != OK)
    return FAIL;
  f->cap = s->bound * s->penalty;
  for (uint32_t i = 0; i < s->uses; i++)
    if (add_hop(m, f, &n, s->use[i], e) != OK)
      return FAIL;
  for (uint32_t h = 0; h < n; h++) {
    const struct maxmin_link *l = &m->link[HOP_LINK(f->hop[h])];
    const double weight = m->share[HOP_SHARE(f->hop[h])] / s->penalty;
    const double alone = l->varies ? INFINITY : l->capacity / weight;
    f->cap = alone < f->cap ? alone : f->cap;
  }
  f->hops = n;
  return OK;
}

/* Allocates one more flow on each link, and items for all flows of that link. */
static enum status make_room(struct maxmin *m, const struct maxmin_flow *f, struct err *e)
{
  for (uint32_t h = 0; h < f->hops; h++) {
    struct maxmin_link *l = &m->link[HOP_LINK(f->hop[h])];
    const size_t need = (size_t)l->elements + 1;
    __builtin_prefetch(&m->room[HOP_LINK(f->hop[h])]);
    if (MEM_GROW(l->element, l->element_room, need, e) != OK ||
        MEM_GROW(l->list, l->list_room, need, e) != OK ||
        MEM_GROW(m->item, m->item_room, need, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status reserve(struct maxmin *m, uint32_t flow, struct err *e)
{
  const size_t need = (size_t)flow + 1;
  if (need <= m->flows)
    return OK;
  if (need >= MAXMIN_MOST)
    return err_set(e, "%u flows are too many", flow);
  if (MEM_GROW(m->flow, m->flow_room, need, e) != OK ||
      MEM_GROW(m->rest, m->rest_room, need, e) != OK ||
      MEM_GROW(m->bottleneck, m->bottleneck_room, need, e) != OK ||
      maxmin_set_reserve(&m->changed, (uint32_t)need, e) != OK)
    return FAIL;
  for (; m->flows < need; m->flows++) {
    m->flow[m->flows] = (struct maxmin_flow){0};
    m->rest[m->flows] = (struct maxmin_rest){0};
    m->bottleneck[m->flows] = MAXMIN_NONE;
  }
  return OK;
}

enum status maxmin_add(struct maxmin *m, uint32_t flow, const struct maxmin_flow_spec *s,
                       struct err *e)
{
  if (reserve(m, flow, e) != OK)
    return FAIL;
  struct maxmin_flow *f = &m->flow[flow];
  m->rest[flow].penalty = s->penalty;
  f->per_level = 1 / s->penalty;
  if (set_hops(m, flow, s, e) != OK || make_room(m, f, e) != OK) {
    f->hops = 0;
    return FAIL;
  }
  maxmin_begin(m);
  for (uint32_t h = 0; h < f->hops; h++) {
    struct maxmin_link *l = &m->link[HOP_LINK(f->hop[h])];
    m->rest[flow].element[h] = l->elements;
    l->element[l->elements++] = (struct element){flow, h, maxmin_weight(m, f, h)};
  }
  uint32_t hop;
  const double level = maxmin_allowed(m, f, &hop);
  if (hop == MAXMIN_NONE)
    maxmin_move(m, flow, MAXMIN_NONE, 0);
  else
    maxmin_move(m, flow, HOP_LINK(f->hop[hop]), maxmin_weight(m, f, hop));
  maxmin_carry(m, flow, level, level);
  return OK;
}

void maxmin_remove(struct maxmin *m, uint32_t flow)
{
  struct maxmin_flow *f = &m->flow[flow];
  const double level = maxmin_level(m, flow);
  maxmin_begin(m);
  leave(m, flow);
  maxmin_carry(m, flow, -level, 0);
  for (uint32_t h = 0; h < f->hops; h++) {
    const uint32_t link = HOP_LINK(f->hop[h]), place = m->rest[flow].element[h];
    struct maxmin_link *l = &m->link[link];
    const struct element last = l->element[--l->elements];
    l->element[place] = last;
    m->rest[last.flow].element[last.hop] = place;
    if (l->elements == 0) {
      m->room[link].free = l->capacity;
      m->room[link].peak = 0;
    }
  }
  f->hops = 0;
}

/* --- the solution ----------------------------------------------------------------------------- */

const uint32_t *maxmin_changed(const struct maxmin *m, uint32_t *count)
{
  *count = m->changed.count;
  return m->changed.at;
}

const uint32_t *maxmin_changed_links(const struct maxmin *m, uint32_t *count)
{
  *count = m->changed_links.count;
  return m->changed_links.at;
}

uint32_t maxmin_bottleneck(const struct maxmin *m, uint32_t flow)
{
  return m->bottleneck[flow];
}

double maxmin_cap(const struct maxmin *m, uint32_t flow)
{
  return m->flow[flow].cap;
}

double maxmin_level(const struct maxmin *m, uint32_t flow)
{
  return maxmin_level_of(m, flow);
}

const uint32_t *maxmin_list(const struct maxmin *m, uint32_t link, uint32_t *count)
{
  *count = m->link[link].listed;
  return m->link[link].list;
}

uint32_t maxmin_links(const struct maxmin *m)
{
  return m->links;
}

double maxmin_link_level(const struct maxmin *m, uint32_t link)
{
  return m->level[link];
}

/* A link is full unless its slack exceeds this part of its capacity. */
#define SPARE 1e-9

/* Between changes, room.watch is 0 for the links that have no list and are not fat.  Most links
 * have more room than any link's precision, and need no look at their capacity. */
static inline bool is_spare(const struct maxmin *m, uint32_t link)
{
  const struct maxmin_room *r = &m->room[link];
  return ((r->watch == 0) & (r->free <= SPARE * m->widest)) &&
         r->free <= SPARE * m->link[link].capacity;
}

bool maxmin_is_spare(const struct maxmin *m, uint32_t link)
{
  return is_spare(m, link);
}

const uint32_t *maxmin_hops(const struct maxmin *m, uint32_t flow, uint32_t *count)
{
  *count = m->flow[flow].hops;
  return m->flow[flow].hop;
}

bool maxmin_has_spare(const struct maxmin *m, const bool *known)
{
  bool any = false;
  for (uint32_t i = 0; i < m->links && !any; i++)
    any = is_spare(m, i) && !known[i];
  return any;
}

uint32_t maxmin_next_spare(const struct maxmin *m, uint32_t flow, uint32_t *hop)
{
  const struct maxmin_flow *f = &m->flow[flow];
  const uint32_t others = m->bottleneck[flow] == MAXMIN_NONE; /* least number of other flows */
  for (uint32_t i = *hop; i < f->hops; i++) {
    const uint32_t link = HOP_LINK(f->hop[i]);
    if (is_spare(m, link) && m->link[link].elements > others) {
      *hop = i + 1;
      return link;
    }
  }
  return MAXMIN_NONE;
}
