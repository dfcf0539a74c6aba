#include "sim/tasknet/feeds.h"

#include <stdlib.h>

#include "common/mem.h"

void feeds_clear(struct feeds *f)
{
  pairs_clear(&f->pairs);
  free(f->feed);
  free(f->newest);
  *f = (struct feeds){0};
}

static enum status add_all(struct feeds *f, const struct tasknet *n, const uint32_t *host,
                           struct err *e)
{
  uint32_t unused;
  for (uint32_t i = 0; i < n->consumers; i++) {
    const struct tasknet_end *end = &n->consumer[i];
    const struct tasknet_array *a = &n->array[end->array];
    for (uint32_t k = 0; k < a->count; k++)
      if (feeds_add(f, tasknet_lane(n, end, k), host[a->first + k], &unused, e) != OK)
        return FAIL;
  }
  for (uint32_t i = 0; i < f->pairs.count; i++)
    f->feed[i].behind = false;
  return OK;
}

enum status feeds_new(struct feeds *f, const struct tasknet *n, const uint32_t *host, struct err *e)
{
  struct feeds made = {.newest = mem_array(n->lanes, sizeof *made.newest, e)};
  if (made.newest == NULL || add_all(&made, n, host, e) != OK) {
    feeds_clear(&made);
    return FAIL;
  }
  *f = made;
  return OK;
}

struct feeds_feed *feeds_find(const struct feeds *f, uint32_t lane, uint32_t host)
{
  const uint32_t number = pairs_find(&f->pairs, lane, host);
  return number == PAIRS_NONE ? NULL : &f->feed[number];
}

enum status feeds_add(struct feeds *f, uint32_t lane, uint32_t host, uint32_t *number,
                      struct err *e)
{
  const uint32_t before = f->pairs.count;
  if (pairs_add(&f->pairs, lane, host, number, e) != OK ||
      MEM_GROW(f->feed, f->room, f->pairs.count, e) != OK)
    return FAIL;
  if (*number == before) {
    f->feed[*number] =
        (struct feeds_feed){.lane = lane, .host = host, .next = f->newest[lane], .behind = true};
    f->newest[lane] = *number + 1;
  }
  f->feed[*number].consumers++;
  return OK;
}
