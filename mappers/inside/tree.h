/** @file tree.h
 *  The levels of a node (platforms/inside/inside.h) as a tree.  Its leaves, the places, are the
 *  cores, sorted so that the cores of an object are consecutive.  Gives the cost of a byte between
 *  two places.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "platforms/inside/inside.h"

/** The cost of a byte on the slowest level.  Sums of weight times cost over a graph
 *  (GRAPH_MOST_WEIGHT) stay below 2^63. */
#define TREE_COST 100000

struct tree {
  const struct inside *in;
  uint32_t *core;  /**< by place: its core */
  uint8_t *common; /**< by place * cores + place: lowest common level; `levels` for equal places */
  int64_t cost[INSIDE_MOST_LEVELS + 1]; /**< by level: of a byte, at most TREE_COST; 0: same core */
  bool even;                            /**< all objects of a level have equally many cores */
  uint32_t size[INSIDE_MOST_LEVELS];    /**< if even: cores of an object, by level */
};

/** The arrays belong to the arena.  O(cores^2). */
enum status tree_make(struct tree *t, const struct inside *in, struct arena *mem);

/** The seconds that a byte takes between two cores whose lowest common level is @p level. */
double tree_seconds(const struct inside *in, uint32_t level);

/** The place at which to halve the places [low, high): the boundary between two objects that is
 *  nearest to the middle, on the outermost level with several objects there.  Returns @p high if
 *  the places are in one object on each level. */
uint32_t tree_cut(const struct tree *t, uint32_t low, uint32_t high);
