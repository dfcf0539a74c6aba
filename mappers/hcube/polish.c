#include "mappers/hcube/polish.h"

#include <math.h>
#include <stdbool.h>

#include "common/numeric/rng.h"
#include "mappers/anneal.h"

#define ANYWHERE 64   /* one of ANYWHERE moves takes any task, not one with arcs that miss */
#define STEP     4096 /* moves between two temperatures */

struct anneal {
  uint32_t tasks, bits;
  const uint32_t *first, *to; /* of the graph */
  float *weight;              /* by arc, in the unit of polish.h */
  uint32_t *address;          /* by task; not owned */
  uint32_t *at;               /* by address: its task */
  uint32_t *missing;          /* by task: its arcs with more than one hop */
  uint32_t *place;            /* by task: index in `open` plus 1, or 0 */
  uint32_t *open;             /* tasks with arcs that miss */
  uint32_t opens;
  const double *loss;
  struct rng rng;
};

static void mark(struct anneal *a, uint32_t v, bool open)
{
  if (open == (a->place[v] != 0))
    return;
  if (open) {
    a->open[a->opens++] = v;
    a->place[v] = a->opens;
    return;
  }
  const uint32_t last = a->open[--a->opens];
  a->open[a->place[v] - 1] = last;
  a->place[last] = a->place[v];
  a->place[v] = 0;
}

static uint32_t hops(uint32_t x, uint32_t y)
{
  return (uint32_t)__builtin_popcount(x ^ y);
}

/* The loss of the arcs of @p v at address @p x, without the arc to @p except. */
static double loss_at(const struct anneal *a, uint32_t v, uint32_t x, uint32_t except)
{
  double sum = 0;
  for (uint32_t i = a->first[v]; i < a->first[v + 1]; i++)
    if (a->to[i] != except)
      sum += (double)a->weight[i] * a->loss[hops(x, a->address[a->to[i]])];
  return sum;
}

static void count_missing(struct anneal *a, uint32_t v)
{
  uint32_t n = 0;
  for (uint32_t i = a->first[v]; i < a->first[v + 1]; i++)
    n += hops(a->address[v], a->address[a->to[i]]) > 1;
  a->missing[v] = n;
  mark(a, v, n > 0);
}

/* Updates the counts of arcs that miss, of @p v and its partners, after @p v has moved from address
 * @p from. */
static void recount(struct anneal *a, uint32_t v, uint32_t from)
{
  const uint32_t x = a->address[v];
  for (uint32_t i = a->first[v]; i < a->first[v + 1]; i++) {
    const uint32_t to = a->to[i];
    const bool missed = hops(from, a->address[to]) > 1, misses = hops(x, a->address[to]) > 1;
    a->missing[to] += (uint32_t)misses - (uint32_t)missed;
    a->missing[v] += (uint32_t)misses - (uint32_t)missed;
    mark(a, to, a->missing[to] > 0);
  }
  mark(a, v, a->missing[v] > 0);
}

static void put(struct anneal *a, uint32_t v, uint32_t address)
{
  const uint32_t from = a->address[v];
  a->address[v] = address;
  a->at[address] = v;
  recount(a, v, from);
}

/* Tries one move.  A move that increases the loss is made with probability exp(-increase /
 * temperature). */
static void try_move(struct anneal *a, double temperature)
{
  const uint64_t random = rng_next(&a->rng);
  const uint32_t low = (uint32_t)random, high = (uint32_t)(random >> 32);
  const bool any = low % ANYWHERE == 0;
  const uint32_t v =
      any ? (uint32_t)((uint64_t)high * a->tasks >> 32) : a->open[(uint64_t)high * a->opens >> 32];
  const uint32_t degree = a->first[v + 1] - a->first[v];
  if (degree == 0)
    return;
  const uint32_t one = a->first[v] + (low >> 6) % degree,
                 two = a->first[v] + (uint32_t)(random >> 16 & 0xffff) % degree,
                 beside = a->to[a->weight[two] > a->weight[one] ? two : one];
  const uint32_t to = a->address[beside] ^ (uint32_t)1 << (low >> 20) % a->bits;
  const uint32_t other = a->at[to], from = a->address[v];
  if (other == v)
    return;
  const double worse = loss_at(a, v, to, other) + loss_at(a, other, from, v) -
                       loss_at(a, v, from, other) - loss_at(a, other, to, v);
  if (worse > 0 && rng_double(&a->rng) >= exp(-worse / temperature))
    return;
  put(a, v, to);
  put(a, other, from);
}

/* Converts the weights to the unit of polish.h and returns the mean weight of all arcs. */
static double begin(struct anneal *a, const struct polish *p)
{
  const struct graph *g = p->graph;
  const uint32_t arcs = g->first[a->tasks];
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < arcs; i++) {
    const double w = (double)g->bytes[i];
    sum += w;
    squares += w * w;
  }
  for (uint32_t v = 0; v < a->tasks; v++)
    a->at[a->address[v]] = v;
  for (uint32_t i = 0; i < arcs; i++)
    a->weight[i] = (float)((double)g->bytes[i] * sum / squares);
  for (uint32_t v = 0; v < a->tasks; v++)
    count_missing(a, v);
  return arcs == 0 ? 1 : sum / arcs * sum / squares;
}

enum status polish_run(const struct polish *p, uint32_t *address, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = (uint32_t)1 << p->bits;
  struct anneal a = {.tasks = n,
                     .bits = p->bits,
                     .first = p->graph->first,
                     .to = p->graph->to,
                     .weight = arena_array(&mem, p->graph->first[n], sizeof *a.weight),
                     .address = address,
                     .at = arena_array(&mem, n, sizeof *a.at),
                     .missing = arena_array(&mem, n, sizeof *a.missing),
                     .place = arena_array(&mem, n, sizeof *a.place),
                     .open = arena_array(&mem, n, sizeof *a.open),
                     .loss = p->loss,
                     .rng = rng_new(p->seed, p->stream)};
  if (arena_status(&mem) != OK)
    return FAIL;
  const double cold = p->cold * begin(&a, p);
  double temperature = p->hot;
  for (uint64_t i = 0; i < p->moves && a.opens > 0; i++) {
    if (i % STEP == 0)
      temperature = anneal_heat(p->hot, cold / p->hot, (double)i / (double)p->moves);
    try_move(&a, temperature);
  }
  return OK;
}
