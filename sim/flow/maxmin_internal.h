/** @file maxmin_internal.h
 *  Private to maxmin*.c.
 *
 *  Invariant between calls: a flow's level is the minimum of its cap and the levels of its links.
 *  The flow is in the list of one link that has this level (its bottleneck), or in no list if the
 *  cap is lower.  Until maxmin_settle() a link's load may disagree with its level: all links where
 *  it may are in touched[] or in the heap.
 *
 *  Data that is read for every link of every flow whose level changes has separate arrays, so that
 *  it stays in the cache: room and level of the links, and the hops.
 */
#pragma once

#include <math.h>
#include <stddef.h>

#include "common/containers/heap.h"
#include "sim/flow/maxmin.h"
#include "sim/flow/maxmin_reach.h"
#include "sim/flow/maxmin_set.h"

/* A hop is a link of a flow, packed into one number with the index of its share in
 * maxmin.share[]. */
#define HOP_BITS       26
#define HOP_LINK(hop)  maxmin_hop_link(hop)
#define HOP_SHARE(hop) ((hop) >> HOP_BITS)
#define SHARES         (1u << (32 - HOP_BITS))
_Static_assert(MAXMIN_MOST == 1 << HOP_BITS, "a hop has a link and a share");

/* By hop: index of its link in the reach of the flow's bottleneck, if that reach is kept. */
#define SLOTS(flow) ((flow)->hop + (flow)->hops)

/** A flow on a link. */
struct element {
  uint32_t flow;
  uint32_t hop;  /**< index in the flow's hop[] */
  double weight; /**< load / level */
};

/** A link's slack, and the weight of the flows that it stops. */
struct maxmin_room {
  double free;   /**< slack: capacity less the sum of share * rate over its flows */
  double peak;   /**< upper bound of the levels of its flows outside of its list */
  double watch;  /**< the link is touched once its slack is below this.  INFINITY if it has a list
                      or is fat, 0 if not; while in the heap, unless fat, the slack that its key
                      assumes, at most 0, or INFINITY if slope > 0; -INFINITY while it is
                      touched */
  double weight; /**< sum of the weights of the flows in its list; 0 on a fat link */
};

struct maxmin_link {
  double capacity;
  double drift;     /**< sum of the values of room.weight over its updates since its last full
                         summation */
  double slope;     /**< lower bound of the slope of its load at its key, while it waits in the heap
                         with a key computed from its flows; 0 at all other times */
  double seen;      /**< while slope > 0: its slack when its key was last set */
  uint32_t *list;   /**< the flows that it stops */
  bool fat, varies; /**< varies: its capacity is part of no flow's cap */
  uint32_t elements, listed;
  size_t element_room, list_room; /**< list_room >= element_room */
  struct element *element;
  struct maxmin_reach reach; /**< reach of its list */
};

struct maxmin_flow {
  double per_level; /**< rate / level: 1 / penalty */
  double cap;       /**< the level that its bound, and the capacity of each link alone, allow */
  double weight;    /**< load / level that it puts on its bottleneck */
  uint32_t *hop;    /**< `hops` entries, then the SLOTS() */
  uint32_t hops;    /**< 0: the number is not in use */
  uint32_t place;   /**< index in the list of its bottleneck */
};

struct maxmin_rest { /* fields of a flow that are read less often */
  double penalty;
  uint32_t *element; /**< by hop: index in the link's element[] */
  size_t hop_room, element_room;
};

/** A flow of a link whose level is being computed. */
struct item {
  double level;  /**< level of the flow, or the level that it would have without the link */
  double weight; /**< weight of the flow on the link */
  uint32_t flow;
  uint32_t hop; /**< its bottleneck without the link: index in hop[], or MAXMIN_NONE */
};

struct maxmin {
  struct maxmin_link *link;
  struct maxmin_room *room; /**< by link, like level and mark */
  double *level;            /**< by link: level of the flows in its list; INFINITY: it stops none */
  uint32_t *mark;           /**< index of the link in an array under construction, or arbitrary */
  uint32_t marked;          /**< the link whose reach mark[] indexes; MAXMIN_NONE: none */
  struct maxmin_flow *flow;
  uint32_t *bottleneck; /**< by flow, like flow and rest: the link that stops it, or MAXMIN_NONE */
  struct maxmin_rest *rest;
  uint32_t links, flows; /**< flows: allocated numbers */
  size_t link_room, room_room, level_room, mark_room, flow_room, rest_room, bottleneck_room;
  double share[SHARES];
  unsigned shares;
  uint32_t *touched, touches; /**< links, each once; length of the array */
  struct maxmin_set changed, changed_links;
  bool settled; /**< unchanged since maxmin_settle(): the changes may be read */
  bool failed;  /**< a reach could not take memory; err has the reason */
  struct err err;
  struct item *item; /**< scratch, as long as the longest element[] */
  size_t touched_room, item_room;
  double widest; /**< at least the largest capacity */
  double below;  /**< highest level of the flows that the last search left out of item[] */
  double slope;  /**< slope of the load of the last link whose level was computed, at this level */
  double floor;  /**< key of the last link that was first in the heap: no level below it changes */
  struct heap heap; /**< links whose level may have to be set, by the lowest level concerned */
};

/** Begins a change: forgets the changes of the last maxmin_settle(). */
void maxmin_begin(struct maxmin *m);

/** Moves the flow to the list of one of its links, on which it has @p weight.  MAXMIN_NONE: to no
 *  list, as its cap stops it.  O(1); with a kept reach O(hops + entries of the reach). */
void maxmin_move(struct maxmin *m, uint32_t flow, uint32_t bottleneck, double weight);

/** Updates the loads of the flow's links when its level changes by @p more to @p level.
 *  O(hops). */
void maxmin_carry(struct maxmin *m, uint32_t flow, double more, double level);

/** The minimum of the flow's cap and the levels of its links.  *hop is set to the index of that
 *  link in hop[], MAXMIN_NONE for the cap. */
double maxmin_allowed(const struct maxmin *m, const struct maxmin_flow *f, uint32_t *hop);

/* --- steps of the innermost loops, where a simulation spends most of its time ----------------- */

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

/** Adds @p more to a link's load for flows outside of its list, whose level is now @p level. */
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
