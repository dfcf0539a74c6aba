#include <stdlib.h>

#include "reorder/job.h"

bool edges_add(struct edges *x, int source, int destination, int weight)
{
  if (x->count == x->room) {
    const size_t room = x->room == 0 ? 64 : 2 * x->room;
    int *more = realloc(x->edge, room * 3 * sizeof *more);
    if (more == NULL)
      return false;
    x->edge = more;
    x->room = room;
  }
  int *e = &x->edge[3 * x->count++];
  e[0] = source;
  e[1] = destination;
  e[2] = weight;
  return true;
}

int grid_ranks(const struct grid *g, int n)
{
  int64_t ranks = 1;
  if (g->axes <= 0 || g->side == NULL || g->periodic == NULL)
    return 0;
  for (int d = 0; d < g->axes; d++) {
    if (g->side[d] <= 0 || (ranks *= g->side[d]) > n)
      return 0;
  }
  return (int)ranks;
}

/* Adds the edges of a rank along an axis, whose ranks are @p stride apart. */
static bool add_axis(struct edges *x, const struct grid *g, int rank, int axis, int stride)
{
  const int side = g->side[axis], at = rank / stride % side;
  for (int step = -1; step <= 1; step += 2) {
    const int to = at + step;
    if ((to < 0 || to >= side) && !g->periodic[axis])
      continue;
    const int neighbour = rank + ((to + side) % side - at) * stride;
    if (neighbour != rank && !edges_add(x, rank, neighbour, 1))
      return false;
  }
  return true;
}

bool grid_edges(struct edges *x, const struct grid *g)
{
  int ranks = 1;
  for (int d = 0; d < g->axes; d++)
    ranks *= g->side[d];
  for (int r = 0; r < ranks; r++)
    for (int d = g->axes - 1, stride = 1; d >= 0; stride *= g->side[d--])
      if (!add_axis(x, g, r, d, stride))
        return false;
  return true;
}
