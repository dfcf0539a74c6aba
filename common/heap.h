/** @file heap.h
 *  A priority queue of numbered items, each in it at most once, with an order that can change:
 * dates of events, levels of links, bytes (~bytes: the greatest first).  The least order is first;
 * of equal ones, the least item: so the order of removal does not depend on that of insertion.
 *
 *  Regular programs have many items of one key.  When that is the least, they leave the heap
 *  together and are a set of bits, whose first is found without comparing keys.
 */
#ifndef COMMON_HEAP_H
#define COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/err.h"

/** Compared without branches, which nobody could predict. */
struct heap_node {
  uint64_t order;
  uint32_t item;
};

/** place[] of an item that is among the ties. */
#define HEAP_TIED UINT32_MAX

/** Zeroed: empty, without room.  For heap.c and the functions below alone. */
struct heap {
  struct heap_node *node; /**< a heap in which a node has four children */
  uint32_t *place;        /**< by item: its index in node[] plus 1; 0: it is not there */
  uint64_t *tie;          /**< by item, a bit each: they have one key, and are not in node[] */
  uint64_t tie_order;     /**< of that key, which no node has while there are ties */
  uint64_t scattered;     /**< of a key that was found to have few ties */
  uint32_t nodes, ties, room;
  uint32_t first_tie; /**< index in tie[] of the first bits, if there are ties */
};

/** Makes room for the items 0..@p items - 1; the heap is untouched on failure. */
enum status heap_reserve(struct heap *h, uint32_t items, struct err *e);
void heap_clear(struct heap *h);

/** Inserts the item, which there is room for, or changes its order: O(log count). */
void heap_set(struct heap *h, uint32_t item, uint64_t order);

/** Does nothing if the item is not there: O(log count); O(1) on average where hundreds of items
 *  have its key, at least a quarter of all and a 64th of those that there is room for. */
void heap_remove(struct heap *h, uint32_t item);

static inline bool heap_has(const struct heap *h, uint32_t item)
{
  return h->place[item] != 0;
}

static inline uint32_t heap_count(const struct heap *h)
{
  return h->nodes + h->ties;
}

/** The order of a key that is a number (not NaN): of positive ones the bits sort as they do, of
 *  negative ones the other way round, and before. */
static inline uint64_t heap_order_of(double key)
{
  uint64_t bits;
  key += 0.0; /* -0 becomes 0 */
  memcpy(&bits, &key, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static inline void heap_set_key(struct heap *h, uint32_t item, double key)
{
  heap_set(h, item, heap_order_of(key));
}

static inline double heap_key_of(uint64_t order)
{
  const uint64_t bits = order >> 63 != 0 ? order ^ UINT64_C(1) << 63 : ~order;
  double key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

/** Of an item that is there. */
static inline double heap_key(const struct heap *h, uint32_t item)
{
  const uint32_t place = h->place[item];
  return heap_key_of(place == HEAP_TIED ? h->tie_order : h->node[place - 1].order);
}

/** Is the first of the items, if there are any, one of the ties? */
static inline bool heap_tied(const struct heap *h)
{
  return h->ties > 0 && (h->nodes == 0 || h->tie_order < h->node[0].order);
}

/** The first item, if there is one, and its key. */
static inline uint32_t heap_first(const struct heap *h)
{
  return heap_tied(h) ? h->first_tie * 64 + (uint32_t)__builtin_ctzll(h->tie[h->first_tie])
                      : h->node[0].item;
}

static inline double heap_first_key(const struct heap *h)
{
  return heap_key_of(heap_tied(h) ? h->tie_order : h->node[0].order);
}

#endif
