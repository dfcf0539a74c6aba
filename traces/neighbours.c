#include "traces/neighbours.h"

#include <stdlib.h>

#include "common/mem.h"

uint32_t neighbours_grid_size(const struct neighbours_grid *g)
{
  uint64_t size = 1;
  for (uint32_t d = 0; d < g->axes; d++) {
    size *= g->side[d];
    if (size > UINT32_MAX)
      return 0;
  }
  return (uint32_t)size;
}

enum status neighbours_add(struct neighbours *n, bool source, int32_t member, struct err *e)
{
  if (source) {
    if (MEM_GROW(n->source, n->source_room, (size_t)n->sources + 1, e) != OK)
      return FAIL;
    n->source[n->sources++] = member;
    return OK;
  }
  if (MEM_GROW(n->destination, n->destination_room, (size_t)n->destinations + 1, e) != OK)
    return FAIL;
  n->destination[n->destinations++] = member;
  return OK;
}

/* The next member up or down an axis. */
static int32_t beside(const struct neighbours_grid *g, uint32_t axis, uint32_t member, bool up)
{
  uint32_t stride = 1;
  for (uint32_t d = axis + 1; d < g->axes; d++)
    stride *= g->side[d];
  const uint32_t side = g->side[axis], at = member / stride % side;
  if (!g->periodic[axis] && at == (up ? side - 1 : 0))
    return NEIGHBOURS_NONE;
  const uint32_t to = (at + (up ? 1 : side - 1)) % side;
  return (int32_t)(member - at * stride + to * stride);
}

enum status neighbours_of_grid(struct neighbours *n, uint32_t member, struct err *e)
{
  for (uint32_t i = 0; i < 2 * n->grid.axes; i++) {
    const int32_t to = beside(&n->grid, i / 2, member, i % 2 == 1);
    if (neighbours_add(n, true, to, e) != OK || neighbours_add(n, false, to, e) != OK)
      return FAIL;
  }
  return OK;
}

int32_t neighbours_destination(const struct neighbours *n, uint32_t i, uint32_t *block)
{
  *block = n->grid.axes > 0 ? i ^ 1u : i;
  return n->destination[*block];
}

void neighbours_clear(struct neighbours *n)
{
  free(n->source);
  free(n->destination);
  *n = (struct neighbours){.sources = 0};
}
