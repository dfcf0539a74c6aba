#include "mappers/refine/paths.h"

#include <stdlib.h>

#include "common/mem.h"
#include "mappers/refine/swaps.h"

struct pair {
  uint32_t src, dst; /* ranks */
  uint32_t hops;
  uint32_t seen; /* number of the last trial that read it */
  uint64_t most; /* bytes on the most loaded link of its route */
};

/* The pairs with routes over a link, once for each use. */
struct users {
  uint32_t *pair; /* owned */
  size_t room;
  uint32_t n;
};

struct change {
  uint32_t pair, hops;
  uint64_t most;
};

struct paths {
  uint32_t pairs, ids;
  struct pair *pair;
  struct users *users;   /* by link id */
  struct change *change; /* pairs that this trial has read; room for all pairs */
  uint32_t changes, trial;
  __int128 value, difference; /* the sum; its change by this trial */
  bool failed;
  struct err why;
};

/* The host of a rank, before the exchange or, if @p after, after it. */
static uint32_t host_of(const struct swaps *s, uint32_t rank, bool after)
{
  if (after && rank == s->rank)
    return s->target / s->per_host;
  return after && rank == s->at[s->target] ? s->host[s->rank] : s->host[rank];
}

static struct route route_of(struct swaps *s, const struct pair *x, bool after)
{
  return routes_find(s->routes, host_of(s, x->src, after), host_of(s, x->dst, after));
}

/* The largest load of a link of the route, after the exchange being tried. */
static uint64_t fullest(const struct swaps *s, const struct route *r)
{
  uint64_t most = 0;
  for (uint32_t i = 0; i < r->links; i++) {
    const struct swaps_link *l = &s->link[r->link[i]];
    const uint64_t load = l->load + (uint64_t)l->delta;
    most = load > most ? load : most;
  }
  return most;
}

/* --- users of links --------------------------------------------------------------------------- */

static void add_user(struct paths *p, struct swaps *s, uint32_t pair, bool after)
{
  const struct route r = route_of(s, &p->pair[pair], after);
  for (uint32_t i = 0; i < r.links; i++) {
    struct users *u = &p->users[r.link[i]];
    if (MEM_GROW(u->pair, u->room, u->n + 1, &p->why) != OK)
      p->failed = true;
    else
      u->pair[u->n++] = pair;
  }
}

static void remove_user(struct paths *p, struct swaps *s, uint32_t pair)
{
  const struct route r = route_of(s, &p->pair[pair], false);
  for (uint32_t i = 0; i < r.links; i++) {
    struct users *u = &p->users[r.link[i]];
    uint32_t k = 0;
    while (k < u->n && u->pair[k] != pair)
      k++;
    if (k < u->n)
      u->pair[k] = u->pair[--u->n];
  }
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Adds the change of a pair, once per trial. */
static void look_at(struct paths *p, struct swaps *s, uint32_t pair)
{
  struct pair *x = &p->pair[pair];
  if (x->seen == p->trial)
    return;
  x->seen = p->trial;
  const struct route r = route_of(s, x, true);
  const struct change c = {pair, r.hops, fullest(s, &r)};
  p->difference += (__int128)c.hops * c.most - (__int128)x->hops * x->most;
  p->change[p->changes++] = c;
}

static void look_at_rank(struct paths *p, struct swaps *s, uint32_t rank)
{
  for (size_t i = s->first[rank]; i < s->first[rank + 1]; i++)
    look_at(p, s, s->arc[i].pair);
}

double paths_try(struct paths *p, struct swaps *s)
{
  const uint32_t other = s->at[s->target];
  p->changes = 0;
  p->difference = 0;
  if (++p->trial == 0) { /* the number of the trial wraps around */
    for (uint32_t i = 0; i < p->pairs; i++)
      p->pair[i].seen = 0;
    p->trial = 1;
  }
  look_at_rank(p, s, s->rank);
  if (other != SWAPS_NOBODY)
    look_at_rank(p, s, other);
  for (uint32_t i = 0; i < s->touches; i++) {
    const struct users *u = &p->users[s->touched[i]];
    for (uint32_t k = 0; k < u->n && s->link[s->touched[i]].delta != 0; k++)
      look_at(p, s, u->pair[k]);
  }
  return (double)p->difference;
}

/* Moves the pairs of a rank, except its pairs with rank @p leave, to the links of their new routes.
 */
static void move_users(struct paths *p, struct swaps *s, uint32_t rank, uint32_t leave)
{
  for (size_t i = s->first[rank]; i < s->first[rank + 1]; i++)
    if (s->arc[i].rank != leave) {
      remove_user(p, s, s->arc[i].pair);
      add_user(p, s, s->arc[i].pair, true);
    }
}

void paths_take(struct paths *p, struct swaps *s)
{
  const uint32_t other = s->at[s->target];
  if (s->host[s->rank] == s->target / s->per_host)
    return;
  for (uint32_t i = 0; i < p->changes; i++) {
    struct pair *x = &p->pair[p->change[i].pair];
    x->hops = p->change[i].hops;
    x->most = p->change[i].most;
  }
  p->value += p->difference;
  move_users(p, s, s->rank, SWAPS_NOBODY);
  if (other != SWAPS_NOBODY)
    move_users(p, s, other, s->rank);
}

unsigned __int128 paths_value(const struct paths *p)
{
  return (unsigned __int128)p->value;
}

enum status paths_check(const struct paths *p, struct err *e)
{
  return p != NULL && p->failed ? err_set(e, "%s", p->why.text) : OK;
}

/* --- construction ----------------------------------------------------------------------------- */

static void fill(struct paths *p, struct swaps *s)
{
  for (uint32_t r = 0; r < s->ranks; r++)
    for (size_t i = s->first[r]; i < s->first[r + 1]; i++) {
      const struct swaps_arc *x = &s->arc[i];
      if (x->in)
        continue;
      struct pair *pair = &p->pair[x->pair];
      *pair = (struct pair){.src = r, .dst = x->rank};
      const struct route route = route_of(s, pair, false);
      pair->hops = route.hops;
      pair->most = fullest(s, &route);
      p->value += (__int128)pair->hops * pair->most;
      add_user(p, s, x->pair, false);
    }
}

enum status paths_new(struct paths **out, struct swaps *s, struct err *e)
{
  struct paths *p = arena_array(&s->mem, 1, sizeof *p);
  if (p == NULL)
    return FAIL;
  *p = (struct paths){.pairs = s->pairs,
                      .ids = s->ids,
                      .pair = arena_array(&s->mem, s->pairs, sizeof *p->pair),
                      .users = arena_array(&s->mem, s->ids, sizeof *p->users),
                      .change = arena_array(&s->mem, s->pairs, sizeof *p->change)};
  if (arena_status(&s->mem) != OK)
    return FAIL;
  *out = p;
  fill(p, s);
  return paths_check(p, e);
}

void paths_free(struct paths *p)
{
  for (uint32_t i = 0; p != NULL && i < p->ids; i++)
    free(p->users[i].pair);
}
