#include "sim/flow/maxmin_set.h"

#include <stdlib.h>

#include "common/mem.h"

enum status maxmin_set_reserve(struct maxmin_set *s, uint32_t numbers, struct err *e)
{
  if (MEM_GROW(s->at, s->at_room, (size_t)numbers + 1, e) != OK ||
      MEM_GROW(s->has, s->has_room, numbers, e) != OK)
    return FAIL;
  for (; s->numbers < numbers; s->numbers++)
    s->has[s->numbers] = false;
  return OK;
}

void maxmin_set_clear(struct maxmin_set *s)
{
  free(s->at);
  free(s->has);
  *s = (struct maxmin_set){0};
}

void maxmin_set_empty(struct maxmin_set *s)
{
  for (uint32_t i = 0; i < s->count; i++)
    s->has[s->at[i]] = false;
  s->count = 0;
}
