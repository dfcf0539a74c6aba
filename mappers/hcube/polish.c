#include "mappers/hcube/polish.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rng.h"

#define ANYWHERE 64   /* one of ANYWHERE moves takes any task, not one with arcs that miss */
#define STEP     4096 /* moves between two temperatures */

struct arc {
  uint32_t to;
  float weight; /* in the unit of polish.h */
};

struct anneal {
  uint32_t tasks, bits;
  uint32_t *first; /* by task, offset in `arc` */
  struct arc *arc;
  uint32_t *address; /* by task; not owned */
  uint32_t *at;      /* by address: its task */
  uint32_t *missing; /* by task: its arcs with more than one hop */
  uint32_t *place;   /* by task: index in `open` plus 1, or 0 */
  uint32_t *open;    /* tasks with arcs that miss */
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
  for (uint32_t i = a->first[v]; i < a->first[v + 1]; i++) {
    const struct arc *r = &a->arc[i];
    if (r->to != except)
      sum += (double)r->weight * a->loss[hops(x, a->address[r->to])];
  }
  return sum;
}

static void count_missing(struct anneal *a, uint32_t v)
{
  uint32_t n = 0;
  for (uint32_t i = a->first[v]; i < a->first[v + 1]; i++)
    n += hops(a->address[v], a->address[a->arc[i].to]) > 1;
  a->missing[v] = n;
  mark(a, v, n > 0);
}

/* Updates the counts of arcs that miss, of @p v and its partners, after @p v has moved from address
 * @p from. */
static void recount(struct anneal *a, uint32_t v, uint32_t from)
{
  const uint32_t x = a->address[v];
  for (uint32_t i = a->first[v]; i < a->first[v + 1]; i++) {
    const uint32_t to = a->arc[i].to;
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
  const struct arc *arc = &a->arc[a->first[v]], *one = &arc[(low >> 6) % degree],
                   *two = &arc[(random >> 16 & 0xffff) % degree];
  const uint32_t beside = two->weight > one->weight ? two->to : one->to;
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

static enum status alloc(struct anneal *a, const struct polish *p, struct err *e)
{
  const size_t n = a->tasks;
  if ((a->first = mem_array(n + 1, sizeof *a->first, e)) == NULL ||
      (a->arc = mem_array(p->graph->first[n], sizeof *a->arc, e)) == NULL ||
      (a->at = mem_array(n, sizeof *a->at, e)) == NULL ||
      (a->missing = mem_array(n, sizeof *a->missing, e)) == NULL ||
      (a->place = mem_array(n, sizeof *a->place, e)) == NULL ||
      (a->open = mem_array(n, sizeof *a->open, e)) == NULL)
    return FAIL;
  return OK;
}

/* Converts the weights to the unit of polish.h and returns the mean weight of all arcs. */
static double begin(struct anneal *a, const struct polish *p)
{
  const struct partners *g = p->graph;
  const size_t arcs = g->first[a->tasks];
  double sum = 0, squares = 0;
  for (size_t i = 0; i < arcs; i++) {
    const double w = (double)g->partner[i].bytes;
    sum += w;
    squares += w * w;
  }
  for (uint32_t v = 0; v < a->tasks; v++) {
    a->at[a->address[v]] = v;
    a->first[v + 1] = (uint32_t)g->first[v + 1];
  }
  for (size_t i = 0; i < arcs; i++)
    a->arc[i] =
        (struct arc){g->partner[i].rank, (float)((double)g->partner[i].bytes * sum / squares)};
  for (uint32_t v = 0; v < a->tasks; v++)
    count_missing(a, v);
  return arcs == 0 ? 1 : sum / (double)arcs * sum / squares;
}

enum status polish_run(const struct polish *p, uint32_t *address, struct err *e)
{
  struct anneal a = {.tasks = (uint32_t)1 << p->bits,
                     .bits = p->bits,
                     .address = address,
                     .loss = p->loss,
                     .rng = rng_new(p->seed, p->stream)};
  const enum status s = alloc(&a, p, e);
  const double mean = s == OK ? begin(&a, p) : 1, cold = p->cold * mean;
  double temperature = p->hot;
  for (uint64_t i = 0; s == OK && i < p->moves && a.opens > 0; i++) {
    if (i % STEP == 0)
      temperature = p->hot * pow(cold / p->hot, (double)i / (double)p->moves);
    try_move(&a, temperature);
  }
  free(a.first);
  free(a.arc);
  free(a.at);
  free(a.missing);
  free(a.place);
  free(a.open);
  return s;
}
