#include "sim/maxmin_reach.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/maxmin_internal.h"
#include "sim/maxmin_load.h"

/* A reach is made for lists of LEAST flows, and kept while they have KEEP, if a link is reached
 * WORTH times on average: else it does not pay, and the list has to double first. */
#define LEAST 16
#define KEEP  8
#define WORTH 3

/* Sets mark[] of all links reached to where they are in at[]. */
static void mark(struct maxmin *m, const struct maxmin_reach *r)
{
  for (uint32_t i = 0; i < r->count; i++)
    m->mark[r->at[i].link] = i;
}

/* Adds a flow; the links reached are marked. */
static bool include(struct maxmin *m, struct maxmin_reach *r, const struct maxmin_flow *f)
{
  struct err e;
  void *at = r->at;
  const size_t need = (size_t)r->count + f->hops;
  if (need > r->room && mem_grow(&at, &r->room, need, sizeof *r->at, &e) != OK)
    return false;
  r->at = at;
  r->cap = f->cap < r->cap ? f->cap : r->cap;
  for (uint32_t h = 0; h < f->hops; h++) {
    const uint32_t link = HOP_LINK(f->hop[h]), i = m->mark[link];
    const double weight = maxmin_weight(m, f, h);
    if (i < r->count && r->at[i].link == link) {
      r->at[i].weight += weight;
      r->at[i].uses++;
    } else {
      m->mark[link] = r->count;
      r->at[r->count++] = (struct maxmin_reached){weight, link, 1};
    }
  }
  return true;
}

void maxmin_reach_join(struct maxmin *m, uint32_t link, const struct maxmin_flow *f)
{
  struct maxmin_reach *r = &m->link[link].reach;
  mark(m, r);
  r->kept = include(m, r, f);
}

void maxmin_reach_leave(struct maxmin *m, uint32_t link, const struct maxmin_flow *f)
{
  struct maxmin_reach *r = &m->link[link].reach;
  mark(m, r);
  for (uint32_t h = 0; h < f->hops; h++) {
    const uint32_t i = m->mark[HOP_LINK(f->hop[h])];
    r->at[i].weight -= maxmin_weight(m, f, h);
    if (--r->at[i].uses > 0)
      continue;
    r->at[i] = r->at[--r->count];
    m->mark[r->at[i].link] = i;
  }
}

static void make(struct maxmin *m, struct maxmin_reach *r, const struct maxmin_link *l)
{
  uint64_t uses = 0;
  r->count = 0;
  r->cap = INFINITY;
  r->kept = true;
  for (uint32_t i = 0; i < l->listed && r->kept; i++) {
    uses += m->flow[l->list[i]].hops;
    r->kept = include(m, r, &m->flow[l->list[i]]);
  }
  if (r->kept && uses >= (uint64_t)WORTH * r->count)
    return;
  free(r->at);
  *r = (struct maxmin_reach){.poor = l->listed};
}

bool maxmin_reach_ready(struct maxmin *m, uint32_t link)
{
  const struct maxmin_link *l = &m->link[link];
  struct maxmin_reach *r = &m->link[link].reach;
  if (l->fat || l->listed < (r->kept ? KEEP : LEAST))
    r->kept = false;
  else if (!r->kept && l->listed / 2 >= r->poor)
    make(m, r, l);
  return r->kept;
}

double maxmin_reach_least(struct maxmin *m, uint32_t link)
{
  const struct maxmin_reach *r = &m->link[link].reach;
  const struct maxmin_reached *restrict at = r->at;
  const uint32_t count = r->count;
  double *restrict level = m->level;
  const double own = level[link];
  double least = r->cap;
  level[link] = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    const double here = level[at[i].link];
    least = here < least ? here : least;
  }
  level[link] = own;
  return least;
}

void maxmin_reach_shift(struct maxmin *m, uint32_t link, double before)
{
  const struct maxmin_reach *r = &m->link[link].reach;
  const struct maxmin_reached *restrict at = r->at;
  struct maxmin_room *restrict room = m->room;
  uint32_t *restrict touched = m->touched;
  const double level = m->level[link], more = level - before, peak = room[link].peak;
  const uint32_t count = r->count;
  uint32_t touches = m->touches;
  for (uint32_t i = 0; i < count; i++) {
    touched[touches] = at[i].link;
    touches += maxmin_load(&room[at[i].link], at[i].weight * more, level);
  }
  m->touches = touches;
  room[link].peak = peak; /* it is of other flows */
}
