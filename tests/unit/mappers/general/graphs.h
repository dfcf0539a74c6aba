/** @file graphs.h
 *  Shared by the tests of the general mappers: graphs with randomly numbered tasks.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "mappers/general/placement.h"
#include "tests/unit/opened.h"

/** Edges of a graph under construction, each in one direction. */
struct edges {
  uint32_t n;
  struct matrix m;
  size_t room;
};

static inline void edges_add(struct edges *x, uint32_t a, uint32_t b, uint64_t bytes)
{
  if (x->m.count == x->room) {
    x->room = 2 * x->room + 64;
    x->m.entry = realloc(x->m.entry, x->room * sizeof *x->m.entry);
    assert_non_null(x->m.entry);
  }
  x->m.entry[x->m.count++] = (struct matrix_entry){a, b, 1, bytes};
}

/** A grid of up to 3 dimensions, in which neighbours are joined; a torus if @p ring. */
static inline struct edges edges_grid(const uint32_t side[3], bool ring)
{
  struct edges x = {.n = side[0] * side[1] * side[2]};
  uint32_t stride = 1;
  for (int d = 0; d < 3; stride *= side[d++])
    for (uint32_t v = 0; v < x.n && side[d] > 1; v++) {
      const uint32_t at = v / stride % side[d];
      if (at + 1 < side[d])
        edges_add(&x, v, v + stride, 1000);
      else if (ring && side[d] > 2)
        edges_add(&x, v, v - at * stride, 1000);
    }
  return x;
}

static inline int edges_compare(const void *a, const void *b)
{
  const struct matrix_entry *x = a, *y = b;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  return (x->dst > y->dst) - (x->dst < y->dst);
}

/** Renumbers the tasks at random and returns the traffic matrix, which stays owned by @p x. */
static inline struct matrix *edges_shuffle(struct edges *x, uint64_t seed)
{
  struct rng r = rng_new(seed, 0);
  uint32_t *number = malloc(x->n * sizeof *number);
  assert_non_null(number);
  for (uint32_t v = 0; v < x->n; v++)
    number[v] = v;
  rng_shuffle(&r, number, x->n);
  for (size_t i = 0; i < x->m.count; i++) {
    x->m.entry[i].src = number[x->m.entry[i].src];
    x->m.entry[i].dst = number[x->m.entry[i].dst];
  }
  qsort(x->m.entry, x->m.count, sizeof *x->m.entry, edges_compare);
  x->m.ranks = x->n;
  free(number);
  return &x->m;
}

static inline void *graphs_copy(const void *array, size_t size)
{
  void *copy = malloc(size + 1);
  assert_non_null(copy);
  memcpy(copy, array, size);
  return copy;
}

/** The graph of a matrix with weights, to be freed by the caller with graph_clear(). */
static inline struct graph edges_graph(const struct matrix *m)
{
  struct err e;
  ARENA(mem, &e);
  struct graph bytes, g;
  assert_int_equal(graph_new(&bytes, m, m->ranks, m->ranks, &mem), OK);
  assert_int_equal(graph_scale(&g, &bytes, &mem), OK);
  g.to = graphs_copy(g.to, g.first[g.n] * sizeof *g.to);
  g.weight = graphs_copy(g.weight, g.first[g.n] * sizeof *g.weight);
  g.first = graphs_copy(g.first, (g.n + 1) * sizeof *g.first);
  return g;
}

static inline void graph_clear(const struct graph *g)
{
  free(g->first);
  free(g->to);
  free(g->weight);
}

/** A random graph with an average degree of @p degree. */
static inline struct edges edges_random(uint32_t n, uint32_t degree, uint64_t seed)
{
  struct edges x = {.n = n};
  struct rng r = rng_new(seed, 1);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++)
      if (rng_below(&r, n) < degree)
        edges_add(&x, a, b, 1 + rng_below(&r, 1000));
  return x;
}

static inline uint64_t graphs_weight(const struct graph *g)
{
  uint64_t sum = 0;
  for (uint32_t a = 0; a < g->first[g->n]; a++)
    sum += g->weight[a];
  return sum / 2;
}
