/* A population of the best assignments of short tabu walks.  A child keeps the locations that its
 * two parents have in common, and takes the location of each other facility from one of them at
 * random (uniform crossover).  A tabu walk starts from the child, and its best assignment replaces
 * the worst member if it is better.  After BARREN children in a row without a replacement, a new
 * population begins. */
#include <string.h>

#include "mappers/qap/methods/method.h"
#include "mappers/qap/methods/tabu.h"

/* PATIENCE: a walk ends after this number of steps per facility without improvement. */
enum { MEMBERS = 20, PATIENCE = 1, BARREN = 60 };

#define NOWHERE UINT32_MAX

struct population {
  struct qap_search *search;
  struct tabu tabu;
  uint32_t *member; /* [i * n + facility]: its location in member i */
  int64_t *value;
  uint32_t *child, *order;
  bool *taken; /* by location */
};

static void settle(struct population *p, uint32_t facility, uint32_t location)
{
  p->child[facility] = location;
  p->taken[location] = true;
}

static void take_common(struct population *p, const uint32_t *a, const uint32_t *b)
{
  const uint32_t n = p->search->form->n;
  memset(p->taken, 0, n * sizeof *p->taken);
  for (uint32_t u = 0; u < n; u++) {
    p->order[u] = u;
    p->child[u] = NOWHERE;
    if (a[u] == b[u])
      settle(p, u, a[u]);
  }
}

static void take_either(struct population *p, const uint32_t *a, const uint32_t *b)
{
  struct rng *rng = &p->search->rng;
  const uint32_t n = p->search->form->n;
  rng_shuffle(rng, p->order, n);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t u = p->order[i];
    if (p->child[u] != NOWHERE)
      continue;
    const bool from_a = rng_next(rng) >> 63;
    const uint32_t first = from_a ? a[u] : b[u], second = from_a ? b[u] : a[u];
    if (!p->taken[first])
      settle(p, u, first);
    else if (!p->taken[second])
      settle(p, u, second);
  }
}

static void take_rest(struct population *p)
{
  const uint32_t n = p->search->form->n;
  uint32_t free = 0;
  for (uint32_t l = 0; l < n; l++)
    if (!p->taken[l])
      p->order[free++] = l;
  rng_shuffle(&p->search->rng, p->order, free);
  for (uint32_t u = 0; u < n; u++)
    if (p->child[u] == NOWHERE)
      settle(p, u, p->order[--free]);
}

static bool walk(struct population *p)
{
  tabu_start(&p->tabu, p->child);
  return tabu_walk(&p->tabu, (uint64_t)PATIENCE * p->search->form->n);
}

static void keep(struct population *p, size_t i)
{
  const size_t n = p->search->form->n;
  memcpy(&p->member[i * n], p->tabu.best, n * sizeof *p->member);
  p->value[i] = p->tabu.best_value;
}

/* Replaces the worst member by the walk's best assignment if that is better.  Refuses an assignment
 * with the value of any member, since both may be the same assignment. */
static bool replace(struct population *p)
{
  uint32_t worst = 0;
  for (uint32_t i = 0; i < MEMBERS; i++) {
    if (p->value[i] == p->tabu.best_value)
      return false;
    worst = p->value[i] > p->value[worst] ? i : worst;
  }
  if (p->tabu.best_value > p->value[worst])
    return false;
  keep(p, worst);
  return true;
}

static bool breed(struct population *p)
{
  struct rng *rng = &p->search->rng;
  const size_t n = p->search->form->n, i = rng_below(rng, MEMBERS), j = rng_below(rng, MEMBERS - 1);
  const uint32_t *a = &p->member[i * n], *b = &p->member[(j + (j >= i)) * n];
  take_common(p, a, b);
  take_either(p, a, b);
  take_rest(p);
  return walk(p);
}

/* Builds one population and breeds until it is barren.  Returns false if the budget is used up. */
static bool generation(struct population *p)
{
  bool more = true;
  for (uint32_t i = 0; i < MEMBERS; i++) {
    qap_search_random(p->search, p->child);
    if (!walk(p))
      return false;
    keep(p, i);
  }
  for (uint32_t barren = 0; more && barren < BARREN;) {
    more = breed(p);
    barren = replace(p) ? 0 : barren + 1;
  }
  return more;
}

static enum status run(struct qap_search *s, struct arena *mem)
{
  const size_t n = s->form->n;
  struct population p = {.search = s,
                         .member = arena_array(mem, MEMBERS * n, sizeof *p.member),
                         .value = arena_array(mem, MEMBERS, sizeof *p.value),
                         .child = arena_array(mem, n, sizeof *p.child),
                         .order = arena_array(mem, n, sizeof *p.order),
                         .taken = arena_array(mem, n, sizeof *p.taken)};
  const enum status status = tabu_new(&p.tabu, s, mem);
  while (status == OK && generation(&p))
    continue;
  return status;
}

const struct method method_memetic = {"memetic",
                                      "tabu walks from crossed assignments of a population", run};
