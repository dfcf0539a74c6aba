#include "mappers/greedy/rankheap.h"

#include <stdlib.h>

#include "common/mem.h"

enum status rankheap_new(struct rankheap *h, uint32_t ranks, struct err *e)
{
  struct rankheap made = {0};
  if ((made.key = mem_array(ranks, sizeof *made.key, e)) == NULL ||
      (made.place = mem_array(ranks, sizeof *made.place, e)) == NULL ||
      (made.rank = mem_array(ranks, sizeof *made.rank, e)) == NULL) {
    rankheap_clear(&made);
    return FAIL;
  }
  *h = made;
  return OK;
}

void rankheap_clear(struct rankheap *h)
{
  free(h->key);
  free(h->place);
  free(h->rank);
  *h = (struct rankheap){0};
}

static bool before(const struct rankheap *h, uint32_t a, uint32_t b)
{
  return h->key[a] != h->key[b] ? h->key[a] > h->key[b] : a < b;
}

static void put(struct rankheap *h, size_t i, uint32_t rank)
{
  h->rank[i] = rank;
  h->place[rank] = i + 1;
}

/* Puts @p rank where it belongs on the way from the free place @p i to the root. */
static void rise(struct rankheap *h, size_t i, uint32_t rank)
{
  for (; i > 0 && before(h, rank, h->rank[(i - 1) / 2]); i = (i - 1) / 2)
    put(h, i, h->rank[(i - 1) / 2]);
  put(h, i, rank);
}

/* The same on the way to the leaves. */
static void sink(struct rankheap *h, size_t i, uint32_t rank)
{
  for (;;) {
    size_t child = 2 * i + 1;
    if (child + 1 < h->count && before(h, h->rank[child + 1], h->rank[child]))
      child++;
    if (child >= h->count || !before(h, h->rank[child], rank))
      break;
    put(h, i, h->rank[child]);
    i = child;
  }
  put(h, i, rank);
}

void rankheap_add(struct rankheap *h, uint32_t rank, uint64_t amount)
{
  h->key[rank] += amount;
  rise(h, h->place[rank] == 0 ? h->count++ : h->place[rank] - 1, rank);
}

bool rankheap_pop(struct rankheap *h, uint32_t *rank)
{
  if (h->count == 0)
    return false;
  *rank = h->rank[0];
  h->place[*rank] = 0;
  if (--h->count > 0)
    sink(h, 0, h->rank[h->count]);
  return true;
}
