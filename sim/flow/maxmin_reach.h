/** @file maxmin_reach.h
 *  Private to maxmin*.c: what the flows that a link stops carry on all of their links together.
 *  They have one level, so that a change of it is a change of one load on each link reached, not of
 *  one on each link of each flow.  Only kept for long lists, and only while memory lasts: without
 *  it the flows are moved one by one, to the same result but for rounding.
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
  uint32_t uses; /**< their number; of a hole, whose weight is 0, the next hole */
};

/** Zeroed: not kept. */
struct maxmin_reach {
  struct maxmin_reached *at;
  uint32_t count; /**< holes among them */
  uint32_t hole;  /**< where there is none, with the number of the link itself; MAXMIN_NONE */
  uint32_t holes;
  uint32_t poor; /**< flows in the list when a reach was not worth it */
  size_t room;
  double cap; /**< no flow of the list has a lower one */
  bool kept;  /**< at[] and cap are up to date */
};

/** A flow has come into the list of @p link, whose reach is kept: O(hops + count), or O(hops) if
 *  the last one came there too.  Or has left it: O(hops). */
void maxmin_reach_join(struct maxmin *m, uint32_t link, const struct maxmin_flow *f);
void maxmin_reach_leave(struct maxmin *m, uint32_t link, const struct maxmin_flow *f);

/** Is the reach of @p link kept?  It is made first if the list is long enough: O(its hops). */
bool maxmin_reach_ready(struct maxmin *m, uint32_t link);

/** The least level of the links reached other than @p link, whose reach is kept, or of a cap, if
 *  that is less: no flow of its list is stopped below by anything else.  O(count). */
double maxmin_reach_least(struct maxmin *m, uint32_t link);

/** The level of @p link, whose reach is kept, was @p before: its flows change what they put on the
 *  links reached.  O(count). */
void maxmin_reach_shift(struct maxmin *m, uint32_t link, double before);

#endif
