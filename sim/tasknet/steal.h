/** @file steal.h
 *  Stealing at run time (4.6 and 5.1 of the paper): a host that has run out of elements takes
 *  half of those that another host has not begun, which costs nothing.  A host with at least
 *  two of them is *rich*; without any rich host a thief is idle for good.
 */
#ifndef SIM_TASKNET_STEAL_H
#define SIM_TASKNET_STEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "common/rng.h"
#include "tasks/hierarchy.h"
#include "tasks/tasknet.h"

/** How hosts steal. */
struct steal_policy {
  const char *name;
  const char *help;
  bool steals;
  bool near;     /**< from a rich host of the same cluster, while there is one */
  bool together; /**< of the victim's elements those of a group of tasks, as many as are no more
                    than half; else its last ones */
};

/** Of struct steal_policy; the first steals nothing. */
extern const struct registry steal_policies;

/** The rich hosts, for draws in O(1). */
struct steal_rich {
  const uint32_t *cluster; /**< by host; the caller's */
  uint32_t *all, count;    /**< in any order */
  uint32_t *near;          /**< the same, of each cluster from first[cluster] on */
  uint32_t *first, *counts;
  uint32_t *at, *near_at; /**< by host: its place in both, plus 1; 0: it is not rich */
};

enum status steal_rich_new(struct steal_rich *r, const uint32_t *cluster, uint32_t hosts,
                           struct err *e);

void steal_rich_clear(struct steal_rich *r);

/** Says whether a host is rich. */
void steal_rich_set(struct steal_rich *r, uint32_t host, bool is_rich);

/** Draws a victim for a thief, which is not rich; false: there is none. */
bool steal_rich_draw(const struct steal_rich *r, const struct steal_policy *policy, uint32_t thief,
                     struct rng *rng, uint32_t *victim);

/** Which arrays are in which group of tasks: a unit holds array a if from[unit] <= from[a] <
 *  to[unit]. */
struct steal_groups {
  struct hierarchy tree;
  uint32_t *from, *to; /**< by unit */
};

enum status steal_groups_new(struct steal_groups *g, const struct tasknet *n, struct err *e);

void steal_groups_clear(struct steal_groups *g);

/** Marks what is taken of @p count elements, in the order in which they would run, and returns
 *  how many: @p g NULL: the last count / 2.  Else those of the largest group around the last
 *  element that has no more than so many; of an array that has more its last ones.  O(count *
 *  depth). */
uint32_t steal_choose(const struct steal_groups *g, const struct tasknet *n,
                      const uint32_t *element, uint32_t count, bool *taken);

#endif
