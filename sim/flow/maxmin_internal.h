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
#ifndef SIM_FLOW_MAXMIN_INTERNAL_H
#define SIM_FLOW_MAXMIN_INTERNAL_H

#include <math.h>
#include <stddef.h>

#include "common/heap.h"
#include "sim/flow/maxmin.h"
#include "sim/flow/maxmin_reach.h"
#include "sim/flow/maxmin_set.h"

/* A link of a flow is one number, a hop: the link, and the index of its share in maxmin.share[]. */
#define HOP_BITS       26
#define HOP_LINK(hop)  ((hop) & ((UINT32_C(1) << HOP_BITS) - 1))
#define HOP_SHARE(hop) ((hop) >> HOP_BITS)
#define SHARES         (1u << (32 - HOP_BITS))

/* By hop: where its link is in the reach of the flow's bottleneck, if that is kept. */
#define SLOTS(flow) ((flow)->hop + (flow)->hops)

/** A flow on a link. */
struct element {
  uint32_t flow;
  uint32_t hop;  /**< index in the flow's hop[] */
  double weight; /**< load / level */
};

/** What a link has left, and carries for those that it stops. */
struct maxmin_room {
  double free;  /**< capacity less the sum of share * rate over its flows */
  double peak;  /**< no flow outside of its list has a higher level */
  double watch; /**< it is touched once less than this is free: INFINITY if it has a list or is fat,
                     else 0; in the heap, if it is not fat, what its key reckons with or 0, the
                     less; -INFINITY while it is touched */
  double weight; /**< sum of the weights of the flows in its list; 0 on a fat link */
};

struct maxmin_link {
  double capacity;
  double drift;   /**< sum of what room.weight was when it was changed, since it was summed */
  uint32_t *list; /**< the flows that it stops */
  bool fat;
  uint32_t elements, listed;
  size_t element_room, list_room; /**< list_room >= element_room */
  struct element *element;
  struct maxmin_reach reach; /**< of its list */
};

struct maxmin_flow {
  double per_level; /**< rate / level: 1 / penalty */
  double cap;       /**< the level that its bound, and each link alone, allow */
  double weight;    /**< load / level that it puts on its bottleneck */
  uint32_t *hop;    /**< hops of them, then the SLOTS() */
  uint32_t hops;    /**< 0: the flow is not there */
  uint32_t place;   /**< in the list of its bottleneck */
};

struct maxmin_rest { /* of a flow */
  double penalty;
  uint32_t *element; /**< by hop: index in the link's element[] */
  size_t hop_room, element_room;
};

/** What a link has to reckon with when it looks for its level. */
struct item {
  double level;  /**< that the flow has or would have without the link */
  double weight; /**< of the flow on the link */
  uint32_t flow;
  uint32_t hop; /**< where it would be stopped then: index in hop[], or MAXMIN_NONE */
};

struct maxmin {
  struct maxmin_link *link;
  struct maxmin_room *room; /**< by link, as level and state */
  double *level;            /**< that of the flows in its list, or would be; INFINITY: nobody's */
  uint32_t *mark;           /**< where the link is in some array that is being made, or anything */
  uint32_t marked;          /**< the link whose reach mark[] is of; MAXMIN_NONE: none */
  struct maxmin_flow *flow;
  uint32_t *bottleneck; /**< by flow, as flow and rest: the link that stops it, or MAXMIN_NONE */
  struct maxmin_rest *rest;
  uint32_t links, flows; /**< flows: numbers that there is room for */
  size_t link_room, room_room, level_room, mark_room, flow_room, rest_room, bottleneck_room;
  double share[SHARES];
  unsigned shares;
  uint32_t *touched, touches; /**< links, each once; their number */
  struct maxmin_set changed, changed_links;
  bool settled;      /**< nothing has changed since: the caller may read the changes */
  struct item *item; /**< room for the elements of any link */
  size_t touched_room, item_room;
  double below;     /**< highest level of what the last search left out of item[] */
  struct heap heap; /**< links whose level is to be set, by the level where that matters */
};

/** A change begins: what the last maxmin_settle() has changed is forgotten. */
void maxmin_begin(struct maxmin *m);

/** Puts the flow into the list of a link of its, where its load is @p weight times the level, or
 *  into none (MAXMIN_NONE: its cap stops it): O(1), where a reach is kept O(hops + its count). */
void maxmin_move(struct maxmin *m, uint32_t flow, uint32_t bottleneck, double weight);

/** Adds what the flow puts on its links when its level becomes @p level, @p more than it was:
 *  O(hops). */
void maxmin_carry(struct maxmin *m, uint32_t flow, double more, double level);

/** The least of the flow's cap and the levels of its links; *hop is set to the link's index in
 *  hop[], or MAXMIN_NONE for the cap. */
double maxmin_allowed(const struct maxmin *m, const struct maxmin_flow *f, uint32_t *hop);

/* --- steps of the innermost loops, where most of the time of a simulation goes by ------------ */

/** Load / level that a flow puts on the link of one of its hops. */
static inline double maxmin_weight(const struct maxmin *m, const struct maxmin_flow *f,
                                   uint32_t hop)
{
  return m->share[HOP_SHARE(f->hop[hop])] * f->per_level;
}

/** maxmin_level(), without a call. */
static inline double maxmin_level_of(const struct maxmin *m, uint32_t flow)
{
  const uint32_t link = m->bottleneck[flow];
  return link == MAXMIN_NONE ? m->flow[flow].cap : m->level[link];
}

/** Adds to a link's load what flows outside of its list cause, which have @p level now. */
static inline void maxmin_load(struct maxmin *m, uint32_t link, double more, double level)
{
  struct maxmin_room *r = &m->room[link];
  const double left = r->free - more;
  r->free = left;
  r->peak = level > r->peak ? level : r->peak;
  if (left >= r->watch)
    return;
  r->watch = -INFINITY;
  m->touched[m->touches++] = link;
}

#endif
