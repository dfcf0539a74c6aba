/* GRASP after Resende and Pardalos (Algorithm 754, ACM Transactions on Mathematical Software 22,
 * 1996): repeats a greedy randomised construction and a descent by swaps; no path relinking.
 *
 * Stage 1 places two facilities.  It combines the i-th largest flow with the i-th smallest distance
 * for each i and draws one of the combinations with the smallest products.  Stage 2 places one
 * facility after another.  Of all pairs of an unplaced facility and a free location it draws one of
 * the pairs that cost least with the facilities already placed. */
#include <stdlib.h>
#include <string.h>

#include "common/numeric/rising.h"
#include "mappers/qap/methods/method.h"
#include "mappers/qap/methods/tabu.h"

/* Number of combinations for stage 1: PAIRS percent of all pairs, at most PAIRS_MOST.  Length of
 * the candidate lists: CANDIDATES_LEAST to CANDIDATES_MOST percent, drawn for each construction. */
enum { PAIRS = 50, PAIRS_MOST = 1 << 16, CANDIDATES_LEAST = 5, CANDIDATES_MOST = 50 };

struct pair {
  int64_t weight; /* flow, distance or product */
  uint32_t a, b;
};

struct starter {
  int64_t product;
  struct pair facilities, locations;
};

struct grasp {
  struct qap_search *search;
  struct tabu tabu;
  uint32_t *at;
  uint32_t *facility, *location; /* not yet placed or used, in any order */
  uint32_t left;
  int64_t *cost, *scratch, *step; /* [i * n + k]: cost of facility[i] on location[k] */
  struct starter *starter;
  size_t starters;
  uint32_t candidates; /* length of this construction's candidate lists, in percent */
};

static int compare_pairs(const void *x, const void *y)
{
  const struct pair *a = x, *b = y;
  return RISING(a->weight, b->weight) ?: RISING(a->a, b->a) ?: RISING(a->b, b->b);
}

static int compare_starters(const void *x, const void *y)
{
  const struct starter *a = x, *b = y;
  return RISING(a->product, b->product) ?: compare_pairs(&a->facilities, &b->facilities);
}

/* All pairs a < b, sorted by weight: the sum of entries (a, b) and (b, a) times @p sign. */
static struct pair *sorted_pairs(const struct form *f, const void *matrix, int64_t sign,
                                 struct arena *mem)
{
  const uint32_t n = f->n;
  const size_t count = (size_t)n * (n - 1) / 2;
  struct pair *pair = arena_array(mem, count, sizeof *pair);
  size_t at = 0;
  for (uint32_t a = 0; pair != NULL && a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      const int64_t weight = form_entry(f, matrix, a, b) + form_entry(f, matrix, b, a);
      pair[at++] = (struct pair){sign * weight, a, b};
    }
  if (at > 0)
    qsort(pair, at, sizeof *pair, compare_pairs);
  return pair;
}

static size_t percent(size_t of, size_t part)
{
  const size_t share = of / 100 * part + of % 100 * part / 100;
  return share == 0 ? 1 : share;
}

static enum status list_starters(struct grasp *g, struct arena *mem)
{
  ARENA(room, mem->e);
  const struct form *f = g->search->form;
  const size_t pairs = percent((size_t)f->n * (f->n - 1) / 2, PAIRS);
  const size_t count = f->n == 1 ? 0 : pairs < PAIRS_MOST ? pairs : PAIRS_MOST;
  const struct pair *flow = sorted_pairs(f, f->flow, -1, &room);
  const struct pair *distance = sorted_pairs(f, f->distance, 1, &room);
  g->starter = arena_array(mem, count, sizeof *g->starter);
  if (arena_status(&room) != OK || arena_status(mem) != OK)
    return FAIL;
  g->starters = count;
  for (size_t i = 0; i < count; i++)
    g->starter[i] = (struct starter){-flow[i].weight * distance[i].weight, flow[i], distance[i]};
  if (count > 0)
    qsort(g->starter, count, sizeof *g->starter, compare_starters);
  return OK;
}

/* The @p k-th smallest of @p n values, counted from 0.  Reorders the values. */
static int64_t kth(int64_t *v, size_t n, size_t k)
{
  size_t low = 0, high = n - 1;
  while (low < high) {
    const int64_t pivot = v[low + (high - low) / 2];
    size_t i = low, j = high;
    for (;; i++, j--) {
      while (v[i] < pivot)
        i++;
      while (pivot < v[j])
        j--;
      if (i >= j)
        break;
      const int64_t kept = v[i];
      v[i] = v[j];
      v[j] = kept;
    }
    if (k <= j)
      high = j;
    else
      low = j + 1;
  }
  return v[k];
}

/* Adds to the cost of each unplaced facility its flow with facility u on @p place, in one
 * direction. */
static void add_costs(struct grasp *g, uint32_t u, uint32_t place, bool back)
{
  const struct form *f = g->search->form;
  const void *flows = back ? f->back_flow : f->flow;
  const void *distances = back ? f->back_distance : f->distance;
  for (uint32_t k = 0; k < g->left; k++)
    g->step[k] = form_entry(f, distances, g->location[k], place);
  for (uint32_t i = 0; i < g->left; i++) {
    const int64_t flow = form_entry(f, flows, g->facility[i], u);
    int64_t *row = g->cost + (size_t)i * f->n;
    for (uint32_t k = 0; flow != 0 && k < g->left; k++)
      row[k] += flow * g->step[k];
  }
}

/* Places facility[i] on location[k] and removes both from the lists. */
static void place(struct grasp *g, uint32_t i, uint32_t k)
{
  const uint32_t u = g->facility[i], to = g->location[k], last = --g->left;
  const size_t n = g->search->form->n;
  g->at[u] = to;
  g->facility[i] = g->facility[last];
  g->location[k] = g->location[last];
  memmove(g->cost + i * n, g->cost + last * n, n * sizeof *g->cost);
  for (uint32_t j = 0; j < last; j++)
    g->cost[j * n + k] = g->cost[j * n + last];
  add_costs(g, u, to, false);
  if (g->search->form->two)
    add_costs(g, u, to, true);
}

static uint32_t index_of(const uint32_t *list, uint32_t value)
{
  uint32_t i = 0;
  while (list[i] != value)
    i++;
  return i;
}

static void place_starter(struct grasp *g)
{
  const struct starter *s =
      &g->starter[rng_below(&g->search->rng, percent(g->starters, g->candidates))];
  const bool turned = rng_next(&g->search->rng) >> 63;
  const uint32_t first = turned ? s->locations.b : s->locations.a;
  const uint32_t second = turned ? s->locations.a : s->locations.b;
  place(g, index_of(g->facility, s->facilities.a), index_of(g->location, first));
  place(g, index_of(g->facility, s->facilities.b), index_of(g->location, second));
}

/* Places a facility drawn from the cheapest pairs of facility and location.  Ties are broken by
 * scanning from a random pair. */
static void place_next(struct grasp *g)
{
  struct rng *rng = &g->search->rng;
  const size_t n = g->search->form->n, left = g->left, costs = left * left;
  for (size_t i = 0; i < left; i++)
    memcpy(g->scratch + i * left, g->cost + i * n, left * sizeof *g->cost);
  const int64_t cost = kth(g->scratch, costs, rng_below(rng, percent(costs, g->candidates)));
  size_t i = rng_below(rng, costs);
  while (g->cost[i / left * n + i % left] != cost)
    i = i + 1 == costs ? 0 : i + 1;
  place(g, (uint32_t)(i / left), (uint32_t)(i % left));
}

/* Constructs an assignment.  The costs start with the diagonals; place() adds the flows with placed
 * facilities. */
static void construct(struct grasp *g)
{
  const struct form *f = g->search->form;
  const size_t n = f->n;
  g->left = f->n;
  g->candidates = CANDIDATES_LEAST +
                  (uint32_t)rng_below(&g->search->rng, CANDIDATES_MOST - CANDIDATES_LEAST + 1);
  for (uint32_t u = 0; u < n; u++) {
    g->facility[u] = g->location[u] = u;
    for (uint32_t k = 0; k < n; k++)
      g->cost[u * n + k] = f->self[u] * f->place[k];
  }
  if (g->starters > 0)
    place_starter(g);
  while (g->left > 0)
    place_next(g);
}

static enum status run(struct qap_search *s, struct arena *mem)
{
  const size_t n = s->form->n;
  struct grasp g = {.search = s,
                    .at = arena_array(mem, n, sizeof *g.at),
                    .facility = arena_array(mem, n, sizeof *g.facility),
                    .location = arena_array(mem, n, sizeof *g.location),
                    .cost = arena_array(mem, n * n, sizeof *g.cost),
                    .scratch = arena_array(mem, n * n, sizeof *g.scratch),
                    .step = arena_array(mem, n, sizeof *g.step)};
  if (tabu_new(&g.tabu, s, mem) != OK || list_starters(&g, mem) != OK)
    return FAIL;
  do {
    construct(&g);
    tabu_start(&g.tabu, g.at);
  } while (budget_spend(&s->budget, n * n * n) && tabu_descend(&g.tabu));
  return OK;
}

const struct method method_grasp = {"grasp", "GRASP (Resende and Pardalos)", run};
