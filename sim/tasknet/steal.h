/** @file steal.h
 *  Stealing at run time (4.6 and 5.1 of the MegaScript paper): a host that has run out of elements
 *  takes half of the elements that another host has not begun, at no cost.  A host with at least
 *  two elements that have not begun may be a *victim*.  A thief that finds no victim stays idle
 *  until the end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/numeric/rng.h"
#include "common/registry.h"
#include "tasks/hierarchy.h"
#include "tasks/tasknet.h"

/** A method of stealing. */
struct steal_policy {
  const char *name;
  bool steals;
  bool near;     /**< steals from a victim of the same cluster, if there is one */
  bool together; /**< steals the elements of a group of tasks, at most half; if false, the last
                      half */
};

/** Registry of struct steal_policy; the first policy steals nothing. */
extern const struct registry steal_policies;

/** The possible victims of a theft, for draws in O(1). */
struct steal_victims {
  const uint32_t *cluster; /**< by host; owned by the caller */
  uint32_t *all, count;    /**< in any order */
  uint32_t *near;          /**< victims of each cluster from first[cluster] on */
  uint32_t *first, *counts;
  uint32_t *at, *near_at; /**< by host: its index in all[] and in its part of near[], plus 1; 0: not
                               a victim */
};

enum status steal_victims_new(struct steal_victims *r, const uint32_t *cluster, uint32_t hosts,
                              struct err *e);

void steal_victims_clear(struct steal_victims *r);

/** Sets whether a host may be a victim. */
void steal_victims_set(struct steal_victims *r, uint32_t host, bool is_victim);

/** Draws a victim for a thief, which is no victim; false if there is none. */
bool steal_victims_draw(const struct steal_victims *r, const struct steal_policy *policy,
                        uint32_t thief, struct rng *rng, uint32_t *victim);

/** The arrays in each group of tasks: a unit holds array a if from[unit] <= from[a] < to[unit]. */
struct steal_groups {
  struct hierarchy tree;
  uint32_t *from, *to; /**< by unit */
};

enum status steal_groups_new(struct steal_groups *g, const struct tasknet *n, struct err *e);

void steal_groups_clear(struct steal_groups *g);

/** Chooses the elements to steal among @p count elements, given in the order in which they would
 *  run.  Marks them in @p taken and returns their number.  If @p g is NULL, it takes the last count
 *  / 2.  If not, it takes the largest group around the last element that has at most count / 2
 *  elements here; if the last element's array alone has more, the last count / 2 of the array.
 *  O(count * depth). */
uint32_t steal_choose(const struct steal_groups *g, const struct tasknet *n,
                      const uint32_t *element, uint32_t count, bool *taken);
