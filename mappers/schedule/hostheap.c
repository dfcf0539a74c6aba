#include "mappers/schedule/hostheap.h"

#include <stdbool.h>

static bool before(const struct hostheap_node *a, const struct hostheap_node *b)
{
  return a->key != b->key ? a->key < b->key : a->host < b->host;
}

static void sift_down(struct hostheap *h, uint32_t i)
{
  const struct hostheap_node x = h->node[i];
  for (uint32_t child; (child = 2 * i + 1) < h->count; i = child) {
    child += child + 1 < h->count && before(&h->node[child + 1], &h->node[child]);
    if (!before(&h->node[child], &x))
      break;
    h->node[i] = h->node[child];
  }
  h->node[i] = x;
}

void hostheap_build(struct hostheap *h, const double *free_at)
{
  for (uint32_t i = 0; i < h->count; i++)
    h->node[i].key = free_at[h->node[i].host];
  for (uint32_t i = h->count / 2; i-- > 0;)
    sift_down(h, i);
}

uint32_t hostheap_first(struct hostheap *h, const double *free_at)
{
  struct hostheap_node *top = &h->node[0];
  while (top->key != free_at[top->host]) {
    top->key = free_at[top->host];
    sift_down(h, 0);
  }
  return top->host;
}
