#include "common/containers/heap.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

#define CHILDREN 4

/* Minimum number of nodes for ties: with fewer, the heap is as fast as the bit set. */
#define MANY 256

enum status heap_reserve(struct heap *h, uint32_t items, struct err *e)
{
  if (items <= h->room)
    return OK;
  struct heap grown = *h;
  grown.room = items < UINT32_MAX / 2 && items < 2 * h->room ? 2 * h->room : items;
  grown.node = mem_array(grown.room, sizeof *h->node, e);
  grown.place = mem_array(grown.room, sizeof *h->place, e);
  grown.tie = mem_array((size_t)grown.room / 64 + 1, sizeof *h->tie, e);
  if (grown.node == NULL || grown.place == NULL || grown.tie == NULL) {
    heap_clear(&grown);
    return FAIL;
  }
  if (h->room > 0) {
    memcpy(grown.node, h->node, h->nodes * sizeof *h->node);
    memcpy(grown.place, h->place, h->room * sizeof *h->place);
    memcpy(grown.tie, h->tie, ((size_t)h->room / 64 + 1) * sizeof *h->tie);
  }
  heap_clear(h);
  *h = grown;
  return OK;
}

void heap_clear(struct heap *h)
{
  free(h->node);
  free(h->place);
  free(h->tie);
  *h = (struct heap){0};
}

static unsigned __int128 rank(struct heap_node n)
{
  return (unsigned __int128)n.order << 64 | n.item;
}

static bool before(struct heap_node a, struct heap_node b)
{
  return rank(a) < rank(b);
}

static void put(struct heap *h, uint32_t i, struct heap_node n)
{
  h->node[i] = n;
  h->place[n.item] = i + 1;
}

static void rise(struct heap *h, uint32_t i, struct heap_node n)
{
  while (i > 0 && before(n, h->node[(i - 1) / CHILDREN])) {
    put(h, i, h->node[(i - 1) / CHILDREN]);
    i = (i - 1) / CHILDREN;
  }
  put(h, i, n);
}

/* The smallest of the @p count (> 0) children of a node. */
static const struct heap_node *least_of(const struct heap_node *child, size_t count)
{
  if (count >= CHILDREN) {
    const struct heap_node *a = child + before(child[1], child[0]);
    const struct heap_node *b = child + 2 + before(child[3], child[2]);
    return before(*b, *a) ? b : a;
  }
  const struct heap_node *least = child;
  for (size_t c = 1; c < count; c++)
    least = before(child[c], *least) ? child + c : least;
  return least;
}

static void sink(struct heap *h, uint32_t i, struct heap_node n)
{
  struct heap_node *const node = h->node;
  uint32_t *const place = h->place;
  const size_t count = h->nodes;
  size_t at = i;
  for (size_t first; (first = at * CHILDREN + 1) < count;) {
    const struct heap_node *least = least_of(node + first, count - first);
    if (!before(*least, n))
      break;
    place[least->item] = (uint32_t)at + 1;
    node[at] = *least;
    at = (size_t)(least - node);
  }
  put(h, (uint32_t)at, n);
}

/* --- ties ------------------------------------------------------------------------------------ */

static void join_ties(struct heap *h, uint32_t item)
{
  const uint32_t at = item / 64;
  h->tie[at] |= UINT64_C(1) << item % 64;
  if (h->ties++ == 0 || at < h->first_tie)
    h->first_tie = at;
  h->place[item] = HEAP_TIED;
}

static void leave_ties(struct heap *h, uint32_t item)
{
  h->tie[item / 64] &= ~(UINT64_C(1) << item % 64);
  h->place[item] = 0;
  if (--h->ties > 0)
    while (h->tie[h->first_tie] == 0)
      h->first_tie++;
}

/* Number of nodes of order @p order in the subtree of node i.  No node has a lower order. */
static size_t count_order(const struct heap *h, size_t i, uint64_t order)
{
  if (i >= h->nodes || h->node[i].order != order)
    return 0;
  size_t n = 1;
  for (size_t child = 1; child <= CHILDREN; child++)
    n += count_order(h, i * CHILDREN + child, order);
  return n;
}

/* If many nodes have the order of the first node, moves them to the ties and returns true. */
static bool gather_ties(struct heap *h)
{
  const uint64_t order = h->node[0].order;
  if (h->ties > 0 || order + 1 == h->scattered)
    return false;
  const size_t n = count_order(h, 0, order);
  if (n < h->nodes / 4 || n < h->room / 64) {
    h->scattered = order + 1;
    return false;
  }
  h->tie_order = order;
  uint32_t left = 0;
  for (uint32_t i = 0; i < h->nodes; i++)
    if (h->node[i].order == order)
      join_ties(h, h->node[i].item);
    else
      h->node[left++] = h->node[i];
  h->nodes = left;
  for (uint32_t i = left; i-- > 0;) /* leaves too: put() sets their places */
    sink(h, i, h->node[i]);
  return true;
}

static bool first_is_tied(const struct heap *h)
{
  if (h->nodes < MANY)
    return false;
  return least_of(h->node + 1, h->nodes - 1)->order == h->node[0].order;
}

/* --- public ---------------------------------------------------------------------------------- */

static void remove_node(struct heap *h, uint32_t i)
{
  const struct heap_node last = h->node[--h->nodes];
  h->place[h->node[i].item] = 0;
  if (i == h->nodes)
    return;
  if (i > 0 && before(last, h->node[(i - 1) / CHILDREN]))
    rise(h, i, last);
  else
    sink(h, i, last);
}

void heap_remove(struct heap *h, uint32_t item)
{
  const uint32_t place = h->place[item];
  if (place == 0)
    return;
  if (place == HEAP_TIED || (place == 1 && first_is_tied(h) && gather_ties(h)))
    leave_ties(h, item);
  else
    remove_node(h, place - 1);
}

void heap_set(struct heap *h, uint32_t item, uint64_t order)
{
  const struct heap_node n = {order, item};
  const uint32_t place = h->place[item];
  if (h->ties > 0 && n.order == h->tie_order) {
    if (place == HEAP_TIED)
      return;
    if (place != 0)
      remove_node(h, place - 1);
    join_ties(h, item);
    return;
  }
  if (place == HEAP_TIED)
    leave_ties(h, item);
  if (place == 0 || place == HEAP_TIED)
    rise(h, h->nodes++, n);
  else if (n.order < h->node[place - 1].order)
    rise(h, place - 1, n);
  else
    sink(h, place - 1, n);
}
