/** @file event_heap.h
 *  A priority queue of numbered items, each in it at most once, with keys that can change: dates of
 *  events, levels of links.  The least key is first; of equal keys, the least item: so the order
 *  of removal does not depend on that of insertion.
 *
 *  Regular programs have many items of one key.  When that is the least, they leave the heap
 *  together and are a set of bits, whose first is found without comparing keys.
 */
#ifndef SIM_FLOW_EVENT_HEAP_H
#define SIM_FLOW_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/err.h"

/** A key as a number that sorts as it does, so that nodes are compared without branches, which
 *  nobody could predict. */
struct event_heap_node {
  uint64_t order;
  uint32_t item;
};

/** place[] of an item that is among the ties. */
#define EVENT_HEAP_TIED UINT32_MAX

/** Zeroed: empty, without room.  For event_heap.c and the functions below alone. */
struct event_heap {
  struct event_heap_node *node; /**< a heap in which a node has four children */
  uint32_t *place;              /**< by item: its index in node[] plus 1; 0: it is not there */
  uint64_t *tie;      /**< by item, a bit each: they have one key, and are not in node[] */
  uint64_t tie_order; /**< of that key, which no node has while there are ties */
  uint64_t scattered; /**< of a key that was found to have few ties */
  uint32_t nodes, ties, room;
  uint32_t first_tie; /**< index in tie[] of the first bits, if there are ties */
};

/** Makes room for the items 0..@p items - 1; the heap is untouched on failure. */
enum status event_heap_reserve(struct event_heap *h, uint32_t items, struct err *e);
void event_heap_clear(struct event_heap *h);

/** Inserts the item, which there is room for, or changes its key (not NaN): O(log count). */
void event_heap_set(struct event_heap *h, uint32_t item, double key);

/** Does nothing if the item is not there: O(log count); O(1) on average where hundreds of items
 *  have its key, at least a quarter of all and a 64th of those that there is room for. */
void event_heap_remove(struct event_heap *h, uint32_t item);

static inline bool event_heap_has(const struct event_heap *h, uint32_t item)
{
  return h->place[item] != 0;
}

static inline uint32_t event_heap_count(const struct event_heap *h)
{
  return h->nodes + h->ties;
}

static inline double event_heap_key_of(uint64_t order)
{
  const uint64_t bits = order >> 63 != 0 ? order ^ UINT64_C(1) << 63 : ~order;
  double key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

/** Of an item that is there. */
static inline double event_heap_key(const struct event_heap *h, uint32_t item)
{
  const uint32_t place = h->place[item];
  return event_heap_key_of(place == EVENT_HEAP_TIED ? h->tie_order : h->node[place - 1].order);
}

/** Is the first of the items, if there are any, one of the ties? */
static inline bool event_heap_tied(const struct event_heap *h)
{
  return h->ties > 0 && (h->nodes == 0 || h->tie_order < h->node[0].order);
}

/** The first item, if there is one, and its key. */
static inline uint32_t event_heap_first(const struct event_heap *h)
{
  return event_heap_tied(h) ? h->first_tie * 64 + (uint32_t)__builtin_ctzll(h->tie[h->first_tie])
                            : h->node[0].item;
}

static inline double event_heap_first_key(const struct event_heap *h)
{
  return event_heap_key_of(event_heap_tied(h) ? h->tie_order : h->node[0].order);
}

#endif
