/** @file maxmin_reach.h
 *  Private to maxmin*.c.  The reach of a link: all links used by the flows that it stops, each with
 *  the sum of the weights of these flows on it.  The flows have one level, so a change of the level
 *  changes one load per link reached, instead of one per link of each flow.  Kept only for long
 *  lists, and only while memory lasts.  Without it the flows are moved one by one, with the same
 *  result except for rounding.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maxmin;
struct maxmin_flow;

/** A link that flows of the list use. */
struct maxmin_reached {
  double weight; /**< sum of the weights of these flows on it */
  uint32_t link;
  uint32_t uses; /**< number of these flows; in a hole, whose weight is 0, the next hole */
};

/** Zeroed: no reach is kept. */
struct maxmin_reach {
  struct maxmin_reached *at;
  uint32_t count; /**< entries of at[], holes included */
  uint32_t hole;  /**< first hole: an unused entry with the link's own number; MAXMIN_NONE: none */
  uint32_t holes;
  uint32_t poor; /**< length of the list when a reach last was not worth it */
  size_t room;
  double cap; /**< lower bound of the caps of the list's flows */
  bool kept;  /**< at[] and cap are up to date */
};

/** Adds a flow that joins the list of @p link, whose reach is kept: O(hops + count), or O(hops) if
 *  the previous flow joined the same link.  Removes a flow that leaves the list: O(hops). */
void maxmin_reach_join(struct maxmin *m, uint32_t link, const struct maxmin_flow *f);
void maxmin_reach_leave(struct maxmin *m, uint32_t link, const struct maxmin_flow *f);

/** True if the reach of @p link is kept.  Builds it if the list is long enough, in O(hops of the
 *  flows). */
bool maxmin_reach_ready(struct maxmin *m, uint32_t link);

/** Minimum of the levels of the other links that @p link reaches and of the caps of its flows.
 *  Below it nothing but @p link stops a flow of the list.  The reach must be kept.  O(count). */
double maxmin_reach_least(struct maxmin *m, uint32_t link);

/** Updates the loads of the links reached after the level of @p link has changed from @p before.
 *  The reach must be kept.  O(count). */
void maxmin_reach_shift(struct maxmin *m, uint32_t link, double before);
