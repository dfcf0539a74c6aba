/** @file maxmin_internal.h
 *  Private to maxmin*.c.
 *
 *  Invariant outside of the functions: a flow's level is the least of its cap and its links'
 *  levels, and it stands in the list of one link that has that level (its bottleneck), or of none
 *  if the cap is less.  What may be wrong until maxmin_settle() is only whether a link's
 *  load agrees with its level: the links where it may not are in touched[] or in the heap.
 *
 *  What is read for every link of every flow whose level changes lies in arrays of its own, so
 *  that it stays in the cache: room and level of the links, and the hops.
 */
#ifndef SIM_MAXMIN_INTERNAL_H
#define SIM_MAXMIN_INTERNAL_H

#include <stddef.h>

#include "sim/event_heap.h"
#include "sim/maxmin.h"
#include "sim/maxmin_reach.h"

#define NOBODY UINT32_MAX

/* A link of a flow is one number, a hop: the link, and the index of its share in maxmin.share[]. */
#define HOP_BITS       26
#define HOP_LINK(hop)  ((hop) & ((UINT32_C(1) << HOP_BITS) - 1))
#define HOP_SHARE(hop) ((hop) >> HOP_BITS)
#define SHARES         (1u << (32 - HOP_BITS))

/** A flow on a link. */
struct element {
  uint32_t flow;
  uint32_t hop; /**< index in the flow's hop[] */
};

/** What a link has left, and carries for those that it stops. */
struct maxmin_room {
  double free;  /**< capacity less the sum of share * rate over its flows */
  double peak;  /**< no flow outside of its list has a higher level */
  double watch; /**< it is touched once less than this is free: INFINITY if it has a list or is fat,
                     else 0; -INFINITY while it is touched */
  double weight; /**< sum of the weights of the flows in its list; 0 on a fat link */
};

struct maxmin_link {
  double capacity;
  uint32_t *list; /**< the flows that it stops */
  bool fat;
  uint32_t elements, listed;
  size_t element_room, list_room; /**< list_room >= element_room */
  struct element *element;
  struct maxmin_reach reach; /**< of its list */
};

struct maxmin_flow {
  double level;
  double per_level; /**< rate / level: 1 / penalty */
  double cap;       /**< the level that its bound, and each link alone, allow */
  double weight;    /**< load / level that it puts on its bottleneck */
  uint32_t bottleneck;
  uint32_t place; /**< in the list of its bottleneck */
  uint32_t hops;  /**< 0: the flow is not there */
  uint32_t *hop;
};

/** What else there is of a flow. */
struct maxmin_rest {
  double penalty;
  uint32_t *element; /**< by hop: index in the link's element[] */
  size_t hop_room, element_room;
};

/** What a link has to reckon with when it looks for its level. */
struct item {
  double level;  /**< that the flow has or would have without the link */
  double weight; /**< of the flow on the link */
  uint32_t flow;
  uint32_t hop; /**< where it would be stopped then: index in hop[], or NOBODY */
};

struct maxmin {
  struct maxmin_link *link;
  struct maxmin_room *room; /**< by link, as level and state */
  double *level;            /**< INFINITY: the link stops nobody */
  uint32_t *mark;           /**< where the link is in some array that is being made, or anything */
  struct maxmin_flow *flow;
  struct maxmin_rest *rest;
  uint32_t links, flows; /**< flows: numbers that there is room for */
  size_t link_room, room_room, level_room, mark_room, flow_room, rest_room;
  double share[SHARES];
  unsigned shares;
  uint32_t *touched, *changed; /**< touched: with room for one more than the links */
  uint32_t touches, changes;
  bool *is_changed; /**< by flow: is it in changed[]? */
  size_t touched_room, changed_room, is_changed_room;
  bool settled;      /**< nothing has changed since: changed[] is what the caller may read */
  struct item *item; /**< room for the elements of any link */
  size_t item_room;
  double below;           /**< highest level of what the last search left out of item[] */
  struct event_heap heap; /**< links whose level is to be set, by the level where that matters */
  uint64_t visits;
};

/** A change begins: what the last maxmin_settle() has changed is forgotten. */
void maxmin_begin(struct maxmin *m);

/** Gives the flow a level and a bottleneck (NOBODY: its cap stops it; else one of its links, where
 *  its load is @p weight times the level): O(hops). */
void maxmin_move(struct maxmin *m, uint32_t flow, double level, uint32_t bottleneck, double weight);

/** The least of the flow's cap and the levels of its links; *hop is set to the link's index in
 *  hop[], or NOBODY for the cap. */
double maxmin_allowed(const struct maxmin *m, const struct maxmin_flow *f, uint32_t *hop);

static inline double maxmin_weight(const struct maxmin *m, const struct maxmin_flow *f,
                                   uint32_t hop)
{
  return m->share[HOP_SHARE(f->hop[hop])] * f->per_level;
}

#endif
