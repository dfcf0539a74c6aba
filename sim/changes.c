#include "sim/changes.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

enum status changes_add(struct changes *c, const struct profile *p, struct err *e)
{
  const uint32_t n = c->count + 1;
  if (MEM_GROW(c->profile, c->profile_room, n, e) != OK ||
      MEM_GROW(c->next, c->next_room, n, e) != OK || heap_reserve(&c->heap, n, e) != OK)
    return FAIL;
  c->profile[c->count] = p;
  c->next[c->count] = 0;
  heap_set_key(&c->heap, c->count++, p->after[0]);
  return OK;
}

void changes_clear(struct changes *c)
{
  heap_clear(&c->heap);
  free(c->profile);
  free(c->next);
  *c = (struct changes){0};
}

double changes_date(const struct changes *c)
{
  return heap_count(&c->heap) == 0 ? INFINITY : heap_first_key(&c->heap);
}

/* Date of the first event of the next round; INFINITY if the date is so large that adding a round
 * does not change it. */
static double next_round(const struct profile *p, double date)
{
  double round = p->repeat_s;
  for (size_t i = 0; i < p->events; i++)
    round += p->after[i];
  return date + round > date ? date + p->repeat_s + p->after[0] : INFINITY;
}

struct change changes_take(struct changes *c)
{
  const uint32_t i = heap_first(&c->heap);
  const struct profile *p = c->profile[i];
  const struct change change = {p->kind, p->target, p->value[c->next[i]]};
  const double date = heap_first_key(&c->heap);
  if (++c->next[i] < p->events) {
    heap_set_key(&c->heap, i, date + p->after[c->next[i]]);
  } else if (p->repeat_s >= 0) {
    c->next[i] = 0;
    heap_set_key(&c->heap, i, next_round(p, date));
  } else {
    heap_remove(&c->heap, i);
  }
  return change;
}
