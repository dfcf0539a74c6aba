/** @file tree.h
 *  The cores of a node as places of a tree, in an order in which the cores of an object are
 *  together, and the cost of a byte between two cores.
 */
#ifndef MAPPERS_INSIDE_TREE_H
#define MAPPERS_INSIDE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "platforms/inside/inside.h"

/** The cost of a byte on the slowest level: with weights of a graph (GRAPH_MOST_WEIGHT), sums stay
 *  below 2^63. */
#define TREE_COST 100000

struct tree {
  const struct inside *in;
  uint32_t *core;  /**< by place: its core */
  uint8_t *common; /**< by place * cores + place: lowest common level; `levels` for equal places */
  int64_t cost[INSIDE_MOST_LEVELS + 1]; /**< by level: of a byte, at most TREE_COST; 0: same core */
  bool even; /**< all objects of a level have the same number of objects of the next level */
  uint32_t size[INSIDE_MOST_LEVELS]; /**< if even: cores of an object, by level */
};

/** The arrays belong to the arena.  O(cores^2). */
enum status tree_make(struct tree *t, const struct inside *in, struct arena *mem);

/** The seconds of a byte between cores with lowest common level @p level. */
double tree_seconds(const struct inside *in, uint32_t level);

/** Where to halve the places [low, high): at the boundary between two objects of the outermost
 *  level with several objects there that is nearest to the middle.  high: they are in one object
 *  of each level. */
uint32_t tree_cut(const struct tree *t, uint32_t low, uint32_t high);

#endif
