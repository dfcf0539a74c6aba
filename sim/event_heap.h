/** @file event_heap.h
 *  A priority queue of numbered items, each in it at most once, with keys that can change: dates of
 *  events, levels of links.  The least key is first; of equal keys, the least item: so the order
 *  of removal does not depend on that of insertion.
 */
#ifndef SIM_EVENT_HEAP_H
#define SIM_EVENT_HEAP_H

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

/** Zeroed: empty, without room.  Readable by all; written by event_heap.c alone. */
struct event_heap {
  struct event_heap_node *node; /**< a heap in which a node has four children */
  uint32_t *place;              /**< by item: its index in node[] plus 1; 0: not in the heap */
  uint32_t count, room;
};

/** Makes room for the items 0..@p items - 1; the heap is untouched on failure. */
enum status event_heap_reserve(struct event_heap *h, uint32_t items, struct err *e);
void event_heap_clear(struct event_heap *h);

/** Inserts the item, which there is room for, or changes its key (not NaN): O(log count). */
void event_heap_set(struct event_heap *h, uint32_t item, double key);

/** Does nothing if the item is not there: O(log count). */
void event_heap_remove(struct event_heap *h, uint32_t item);

static inline bool event_heap_has(const struct event_heap *h, uint32_t item)
{
  return h->place[item] != 0;
}

static inline double event_heap_key_of(struct event_heap_node n)
{
  const uint64_t bits = n.order >> 63 != 0 ? n.order ^ UINT64_C(1) << 63 : ~n.order;
  double key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

/** Of an item that is there. */
static inline double event_heap_key(const struct event_heap *h, uint32_t item)
{
  return event_heap_key_of(h->node[h->place[item] - 1]);
}

/** Of the first item, if there is one. */
static inline double event_heap_first_key(const struct event_heap *h)
{
  return event_heap_key_of(h->node[0]);
}

#endif
