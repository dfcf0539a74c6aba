#include "mappers/general/recognise/layers.h"

#include <stdlib.h>

#include "common/numeric/rising.h"

static int by_key(const void *a, const void *b)
{
  const struct layers_item *x = a, *y = b;
  return RISING(x->key, y->key);
}

static uint32_t coordinate(const struct structure *s, uint32_t task, uint32_t axis)
{
  return s->at[(size_t)task * FOLD_MOST_AXES + axis];
}

/* Sorts the axes by the extent of the tasks along them, longest first; ties go to the lower number.
 */
static void order_axes(const struct structure *s, const uint32_t *list, uint32_t n, uint32_t *axis)
{
  uint32_t reach[FOLD_MOST_AXES];
  for (uint32_t a = 0; a < s->shape.naxes; a++) {
    uint32_t low = UINT32_MAX, high = 0, k = a;
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t at = coordinate(s, list[i], a);
      low = at < low ? at : low;
      high = at > high ? at : high;
    }
    reach[a] = high - low;
    for (; k > 0 && reach[axis[k - 1]] < reach[a]; k--)
      axis[k] = axis[k - 1];
    axis[k] = a;
  }
}

void layers_sort(const struct structure *s, const uint32_t *list, uint32_t n,
                 struct layers_item *item)
{
  uint32_t axis[FOLD_MOST_AXES];
  order_axes(s, list, n, axis);
  for (uint32_t i = 0; i < n; i++) {
    item[i] = (struct layers_item){.index = i};
    for (uint32_t a = 0; a < s->shape.naxes; a++)
      item[i].key = item[i].key * s->shape.side[axis[a]] + coordinate(s, list[i], axis[a]);
  }
  qsort(item, n, sizeof *item, by_key);
}
