/** @file seats.h
 *  Tasks on the places of a tree: ranks on the cores of their node (cores.h), or ranks in groups
 *  (grouping.h).
 */
#pragma once

#include "mappers/graph.h"
#include "mappers/inside/tree.h"

#define SEATS_FREE UINT32_MAX

/** Each place has `each` seats, numbered in the order of the places; a seat takes one task. */
struct seats {
  const struct tree *tree;
  const struct graph *g; /**< with weights */
  uint32_t each, count;
  uint32_t *seat; /**< by task */
  uint32_t *task; /**< by seat; SEATS_FREE: none */
};

/** Allocates the arrays in @p mem and seats the tasks in order.  There must be a seat for each
 *  task. */
enum status seats_new(struct seats *s, const struct tree *t, const struct graph *g, uint32_t each,
                      struct arena *mem);

/** The sum of weight times cost over all edges. */
int64_t seats_cost(const struct seats *s);

/** Seats the tasks by halving the places and the graph together. */
enum status seats_halve(struct seats *s, struct err *e);

/** Seats the tasks so that the tasks of one place differ only in some digits of their numbers
 *  (tune/digits.h).  Of the choices of digits that it tries, takes the one with the least weight of
 *  edges between places; the costs between places do not count.  Seats the tasks in order if no
 *  product of digits fits the places, or if there are more than 2^28 arcs.  O(arcs) per choice of
 *  digits, at most 2^28 in all. */
enum status seats_divide(struct seats *s, struct err *e);

/** Exchanges the contents of two seats: as long as an exchange reduces the cost, then by annealing
 *  with @p tests tests per task, then again as long as an exchange reduces the cost.  Never worsens
 *  the cost. */
enum status seats_improve(struct seats *s, uint32_t tests, struct err *e);

/** Sorts equal objects by their lowest tasks.  Does not change the cost. */
enum status seats_normalise(struct seats *s, struct err *e);
