/** @file draw.h
 *  Random networks for tests: arrays of all patterns, streams with one, several and many lanes.
 */
#pragma once

#include <stdlib.h>

#include "common/numeric/rng.h"
#include "tests/unit/tasks/build.h"

enum { DRAW_ARRAYS = 12 };

static inline struct tasknet_cost draw_cost(struct rng *r)
{
  return (struct tasknet_cost){1 + (double)rng_below(r, 9), (double)rng_below(r, 5),
                               (double)rng_below(r, 20), 1 + (double)rng_below(r, 4)};
}

/** Adds an array of 1, 4, 12 or 24 elements, with equal or different costs. */
static inline void draw_array(struct tasknet *n, struct rng *r, bool pipelined)
{
  static const uint32_t counts[] = {1, 1, 4, 12, 24};
  struct tasknet_cost cost[24];
  char name[16];
  struct err e = {""};
  snprintf(name, sizeof name, "t%u", n->arrays);
  struct tasknet_new_array a = {.name = name, .count = counts[rng_below(r, 5)]};
  a.pattern = pipelined ? (enum tasknet_pattern)rng_below(r, 4) : TASKNET_A;
  a.cost = draw_cost(r);
  for (uint32_t k = 0; k < a.count; k++)
    cost[k] = draw_cost(r);
  a.costs = rng_below(r, 3) == 0 ? cost : NULL;
  if (tasknet_add_array(n, &a, &e) != OK)
    fail_msg("%s", e.text);
}

/** Adds a stream from one or two arrays to one or two later arrays; each array occurs at most
 *  once. */
static inline void draw_stream(struct tasknet *n, struct rng *r, uint32_t from)
{
  uint32_t width = 0, to = from + 1 + (uint32_t)rng_below(r, n->arrays - from - 1);
  const uint32_t count = n->array[from].count, other = n->array[to].count;
  struct err e = {""};
  char name[16];
  snprintf(name, sizeof name, "s%u", n->streams);
  if (rng_below(r, 2) == 0)
    width = count < other ? count : other; /* one is a divisor of the other */
  enum status s = tasknet_add_stream(n, name, width > 0 ? width : 1, 0, &e);
  if (s == OK)
    s = tasknet_add_producer(n, from, TASKNET_OUTPUT, &e);
  if (s == OK && width == 0 && from > 0)
    s = tasknet_add_producer(n, (uint32_t)rng_below(r, from), 3, &e);
  if (s == OK)
    s = tasknet_add_consumer(n, to, &e);
  if (s == OK && width == 0 && to + 1 < n->arrays)
    s = tasknet_add_consumer(n, to + 1, &e);
  if (s != OK)
    fail_msg("%s", e.text);
}

/** Draws a network.  If not @p pipelined, all arrays have pattern A. */
static inline struct tasknet draw(uint64_t seed, bool pipelined)
{
  struct tasknet n = {0};
  struct rng r = rng_new(seed, 0);
  struct err e = {""};
  while (n.arrays < DRAW_ARRAYS)
    draw_array(&n, &r, pipelined);
  for (uint32_t i = 0; i + 1 < DRAW_ARRAYS; i++)
    draw_stream(&n, &r, i);
  if (tasknet_seal(&n, &e) != OK)
    fail_msg("%s", e.text);
  return n;
}
