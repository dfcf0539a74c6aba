/** @file heap.h
 *  Priority queue of numbered items.  Each item is in the queue at most once and has an order, an
 *  integer that can change: an event time, a level of a link, or ~bytes to put the largest first.
 *  heap_order_of() converts a double.  The lowest order is first; equal orders are sorted by item
 *  number, so that the order of removal does not depend on the order of insertion.
 *
 *  In regular programs many items have the same order.  When this order becomes the lowest, its
 *  items (the ties) move from the heap to a bit set, whose first member is found without
 *  comparisons.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/err.h"

/** Compared without branches, which processors would often mispredict. */
struct heap_node {
  uint64_t order;
  uint32_t item;
};

/** The place[] of an item in the ties. */
#define HEAP_TIED UINT32_MAX

/** Zeroed: empty, capacity 0.  Private to heap.c and the inline functions below. */
struct heap {
  struct heap_node *node; /**< the heap; each node has four children */
  uint32_t *place;        /**< by item: index in node[] plus 1; HEAP_TIED; 0: not in the queue */
  uint64_t *tie;      /**< bit set of the ties, one bit for each item; these are not in node[] */
  uint64_t tie_order; /**< order of the ties; while there are ties, no node has this order */
  uint64_t scattered; /**< last order with too few items to move to the ties, plus 1; 0: none */
  uint32_t nodes, ties, room; /**< number of nodes; number of ties; capacity in items */
  uint32_t first_tie;         /**< index of the first nonzero word of tie[], if any */
};

/** Makes room for the items 0..@p items - 1.  The queue is unchanged on failure. */
enum status heap_reserve(struct heap *h, uint32_t items, struct err *e);
/** Frees the arrays.  Leaves an empty queue of capacity 0. */
void heap_clear(struct heap *h);

/** Inserts an item below the capacity or changes its order.  O(log count). */
void heap_set(struct heap *h, uint32_t item, uint64_t order);

/** Removes an item if it is in the queue.  O(log count); O(1) on average for ties.  Moves the items
 *  of the lowest order to the ties if the heap has at least 256 nodes, and these items are at least
 *  a quarter of the nodes and a 64th of the capacity. */
void heap_remove(struct heap *h, uint32_t item);

/** True if @p item (below the capacity) is in the queue. */
static inline bool heap_has(const struct heap *h, uint32_t item)
{
  return h->place[item] != 0;
}

/** Number of items in the queue. */
static inline uint32_t heap_count(const struct heap *h)
{
  return h->nodes + h->ties;
}

/** The order of a double key (not NaN).  The bits of positive doubles sort like the doubles; the
 *  bits of negative ones are inverted, so that these sort first. */
static inline uint64_t heap_order_of(double key)
{
  uint64_t bits;
  key += 0.0; /* -0 becomes 0 */
  memcpy(&bits, &key, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

/** Calls heap_set() with the order of a double key. */
static inline void heap_set_key(struct heap *h, uint32_t item, double key)
{
  heap_set(h, item, heap_order_of(key));
}

/** The inverse of heap_order_of(). */
static inline double heap_key_of(uint64_t order)
{
  const uint64_t bits = order >> 63 != 0 ? order ^ UINT64_C(1) << 63 : ~order;
  double key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

/** The double key of an item in the queue. */
static inline double heap_key(const struct heap *h, uint32_t item)
{
  const uint32_t place = h->place[item];
  return heap_key_of(place == HEAP_TIED ? h->tie_order : h->node[place - 1].order);
}

/** True if the first item is one of the ties.  False for an empty queue. */
static inline bool heap_tied(const struct heap *h)
{
  return h->ties > 0 && (h->nodes == 0 || h->tie_order < h->node[0].order);
}

/** The first item of a nonempty queue. */
static inline uint32_t heap_first(const struct heap *h)
{
  return heap_tied(h) ? h->first_tie * 64 + (uint32_t)__builtin_ctzll(h->tie[h->first_tie])
                      : h->node[0].item;
}

/** The double key of the first item of a nonempty queue. */
static inline double heap_first_key(const struct heap *h)
{
  return heap_key_of(heap_tied(h) ? h->tie_order : h->node[0].order);
}
