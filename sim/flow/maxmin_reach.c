#include "sim/flow/maxmin_reach.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/flow/maxmin_internal.h"

/* A reach is built for a list of LEAST flows or more and kept down to KEEP flows, if the flows use
 * each link reached WORTH times on average.  If they do not, the next attempt is made when the list
 * has doubled.  The reach is rebuilt once more than one in HOLES of its entries is a hole. */
#define LEAST 4
#define KEEP  2
#define WORTH 2
#define HOLES 4

/* Removes all links but the list's own, which is always first in at[]. */
static void empty(struct maxmin_reach *r, uint32_t link)
{
  r->at[0] = (struct maxmin_reached){0, link, 0};
  r->count = 1;
  r->hole = MAXMIN_NONE;
  r->holes = 0;
  r->cap = INFINITY;
}

/* Sets mark[] of all links reached to their index in at[]. */
static void mark(struct maxmin *m, uint32_t link)
{
  const struct maxmin_reach *r = &m->link[link].reach;
  if (m->marked == link)
    return;
  for (uint32_t i = r->count; i-- > 0;) /* its own link last, as holes carry its number */
    m->mark[r->at[i].link] = i;
  m->marked = link;
}

/* Adds a link to at[], which is long enough and does not have it; returns the index. */
static uint32_t place(struct maxmin_reach *r, uint32_t link)
{
  uint32_t i = r->hole;
  if (i == MAXMIN_NONE) {
    i = r->count++;
  } else {
    r->hole = r->at[i].uses;
    r->holes--;
  }
  r->at[i] = (struct maxmin_reached){0, link, 0};
  return i;
}

/* Makes room for @p need entries.  False when out of memory; maxmin_settle() then fails. */
static bool reserve(struct maxmin *m, struct maxmin_reach *r, size_t need)
{
  if (need <= r->room || MEM_GROW(r->at, r->room, need, &m->err) == OK)
    return true;
  m->failed = true;
  return false;
}

/* Adds a flow; mark[] must be set for this reach.  False when out of memory. */
static bool include(struct maxmin *m, struct maxmin_reach *r, const struct maxmin_flow *f)
{
  if (!reserve(m, r, (size_t)r->count + f->hops))
    return false;
  r->cap = f->cap < r->cap ? f->cap : r->cap;
  for (uint32_t h = 0; h < f->hops; h++) {
    const uint32_t link = HOP_LINK(f->hop[h]);
    uint32_t i = m->mark[link];
    if (i >= r->count || r->at[i].link != link)
      m->mark[link] = i = place(r, link);
    r->at[i].weight += maxmin_weight(m, f, h);
    r->at[i].uses++;
    SLOTS(f)[h] = i;
  }
  return true;
}

void maxmin_reach_join(struct maxmin *m, uint32_t link, const struct maxmin_flow *f)
{
  struct maxmin_reach *r = &m->link[link].reach;
  mark(m, link);
  r->kept = include(m, r, f);
}

void maxmin_reach_leave(struct maxmin *m, uint32_t link, const struct maxmin_flow *f)
{
  struct maxmin_reach *r = &m->link[link].reach;
  for (uint32_t h = 0; h < f->hops; h++) {
    const uint32_t i = SLOTS(f)[h];
    struct maxmin_reached *at = &r->at[i];
    at->weight -= maxmin_weight(m, f, h);
    if (--at->uses > 0 || i == 0)
      continue;
    *at = (struct maxmin_reached){0, link, r->hole};
    r->hole = i;
    r->holes++;
  }
  if (r->at[0].uses == 0)
    empty(r, link);
}

static void make(struct maxmin *m, uint32_t link)
{
  const struct maxmin_link *l = &m->link[link];
  struct maxmin_reach *r = &m->link[link].reach;
  uint64_t uses = 0;
  r->kept = reserve(m, r, 1);
  if (r->kept)
    empty(r, link);
  m->mark[link] = 0;
  for (uint32_t i = 0; i < l->listed && r->kept; i++) {
    uses += m->flow[l->list[i]].hops;
    r->kept = include(m, r, &m->flow[l->list[i]]);
  }
  m->marked = link;
  if (r->kept && uses >= (uint64_t)WORTH * r->count)
    return;
  free(r->at);
  *r = (struct maxmin_reach){.poor = l->listed};
  m->marked = MAXMIN_NONE;
}

bool maxmin_reach_ready(struct maxmin *m, uint32_t link)
{
  const struct maxmin_link *l = &m->link[link];
  struct maxmin_reach *r = &m->link[link].reach;
  if (l->fat || l->listed < (r->kept ? KEEP : LEAST))
    r->kept = false;
  else if (r->kept ? r->holes > r->count / HOLES : l->listed / 2 >= r->poor)
    make(m, link);
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
  const double level = m->level[link], more = level - before, peak = m->room[link].peak;
  const uint32_t count = r->count;
  for (uint32_t i = 1; i < count; i++)
    maxmin_load(m, at[i].link, at[i].weight * more, level);
  m->room[link].peak = peak; /* the peak covers only flows outside of the list */
}
