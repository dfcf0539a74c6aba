/** @file maxmin_reach.h
 *  Private to maxmin*.c: the reach of a link, which is the summed weight, on each link that they
 *  use, of the flows that the link stops.  They have one level, so that a change of it changes one
 *  load on each link reached, not one on each link of each flow.  Only kept for long lists, and
 *  only while memory lasts: without it the flows are moved one by one, to the same result but for
 *  rounding.
 */
#ifndef SIM_FLOW_MAXMIN_REACH_H
#define SIM_FLOW_MAXMIN_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maxmin;
struct maxmin_flow;

/** A link that flows of the list use. */
struct maxmin_reached {
  double weight; /**< sum of their weights on it */
  uint32_t link;
  uint32_t uses; /**< their number; in a hole, whose weight is 0, the next hole */
};

/** Zeroed: not kept. */
struct maxmin_reach {
  struct maxmin_reached *at;
  uint32_t count; /**< entries of at[], holes included */
  uint32_t hole;  /**< first hole: an unused entry with the link's own number; MAXMIN_NONE: none */
  uint32_t holes;
  uint32_t poor; /**< flows in the list when a reach last was not worth it */
  size_t room;
  double cap; /**< lower bound of the caps of the list's flows */
  bool kept;  /**< at[] and cap are up to date */
};

/** Adds a flow that joins the list of @p link, whose reach is kept: O(hops + count), or O(hops) if
 *  the last one joined it too.  Or removes one that leaves: O(hops). */
void maxmin_reach_join(struct maxmin *m, uint32_t link, const struct maxmin_flow *f);
void maxmin_reach_leave(struct maxmin *m, uint32_t link, const struct maxmin_flow *f);

/** Whether the reach of @p link is kept; makes it if the list is long enough, in O(its hops). */
bool maxmin_reach_ready(struct maxmin *m, uint32_t link);

/** The least of the levels of the other links that @p link, whose reach is kept, reaches and of its
 *  flows' caps: nothing else stops a flow of its list below that.  O(count). */
double maxmin_reach_least(struct maxmin *m, uint32_t link);

/** Updates the loads of the links reached after the level of @p link, whose reach is kept, has
 *  changed from @p before.  O(count). */
void maxmin_reach_shift(struct maxmin *m, uint32_t link, double before);

#endif
