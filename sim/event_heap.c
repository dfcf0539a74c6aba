#include "sim/event_heap.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

#define CHILDREN 4

enum status event_heap_reserve(struct event_heap *h, uint32_t items, struct err *e)
{
  if (items <= h->room)
    return OK;
  const uint32_t room = items < UINT32_MAX / 2 && items < 2 * h->room ? 2 * h->room : items;
  struct event_heap_node *node = mem_array(room, sizeof *node, e);
  uint32_t *place = mem_array(room, sizeof *place, e);
  if (node == NULL || place == NULL) {
    free(node);
    free(place);
    return FAIL;
  }
  if (h->room > 0) {
    memcpy(node, h->node, h->count * sizeof *node);
    memcpy(place, h->place, h->room * sizeof *place);
  }
  event_heap_clear(&(struct event_heap){.node = h->node, .place = h->place});
  h->node = node;
  h->place = place;
  h->room = room;
  return OK;
}

void event_heap_clear(struct event_heap *h)
{
  free(h->node);
  free(h->place);
  *h = (struct event_heap){0};
}

static unsigned __int128 rank(struct event_heap_node n)
{
  return (unsigned __int128)n.order << 64 | n.item;
}

static bool before(struct event_heap_node a, struct event_heap_node b)
{
  return rank(a) < rank(b);
}

/* Of positive numbers the bits sort as they do; of negative ones the other way round, and before.
 */
static uint64_t order_of(double key)
{
  uint64_t bits;
  key += 0.0; /* -0 becomes 0 */
  memcpy(&bits, &key, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static void put(struct event_heap *h, uint32_t i, struct event_heap_node n)
{
  h->node[i] = n;
  h->place[n.item] = i + 1;
}

static void rise(struct event_heap *h, uint32_t i, struct event_heap_node n)
{
  while (i > 0 && before(n, h->node[(i - 1) / CHILDREN])) {
    put(h, i, h->node[(i - 1) / CHILDREN]);
    i = (i - 1) / CHILDREN;
  }
  put(h, i, n);
}

/* Of the @p count children of a node, at least 1. */
static const struct event_heap_node *least_of(const struct event_heap_node *child, size_t count)
{
  if (count >= CHILDREN) {
    const struct event_heap_node *a = child + before(child[1], child[0]);
    const struct event_heap_node *b = child + 2 + before(child[3], child[2]);
    return before(*b, *a) ? b : a;
  }
  const struct event_heap_node *least = child;
  for (size_t c = 1; c < count; c++)
    least = before(child[c], *least) ? child + c : least;
  return least;
}

static void sink(struct event_heap *h, uint32_t i, struct event_heap_node n)
{
  struct event_heap_node *const node = h->node;
  uint32_t *const place = h->place;
  const size_t count = h->count;
  size_t at = i;
  for (size_t first; (first = at * CHILDREN + 1) < count;) {
    const struct event_heap_node *least = least_of(node + first, count - first);
    if (!before(*least, n))
      break;
    place[least->item] = (uint32_t)at + 1;
    node[at] = *least;
    at = (size_t)(least - node);
  }
  put(h, (uint32_t)at, n);
}

void event_heap_set(struct event_heap *h, uint32_t item, double key)
{
  const struct event_heap_node n = {order_of(key), item};
  if (h->place[item] == 0) {
    rise(h, h->count++, n);
    return;
  }
  const uint32_t i = h->place[item] - 1;
  if (n.order < h->node[i].order)
    rise(h, i, n);
  else
    sink(h, i, n);
}

void event_heap_remove(struct event_heap *h, uint32_t item)
{
  if (h->place[item] == 0)
    return;
  const uint32_t i = h->place[item] - 1;
  const struct event_heap_node last = h->node[--h->count];
  h->place[item] = 0;
  if (last.item == item)
    return;
  if (i > 0 && before(last, h->node[(i - 1) / CHILDREN]))
    rise(h, i, last);
  else
    sink(h, i, last);
}
