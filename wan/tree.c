#include "wan/tree.h"

#include <inttypes.h>

#include "common/mem.h"

static enum status check(const struct adjacency *graph, const struct routing *r, uint32_t root,
                         struct err *e)
{
  uint32_t lost = 0, first = 0;
  for (uint32_t p = 0; p < graph->n; p++) {
    if (p == root || routing_next(r, p, root) != ROUTING_NO_ROUTE)
      continue;
    first = lost++ == 0 ? p : first;
  }
  return lost == 0
             ? OK
             : err_set(e,
                       "the bounding graph is disconnected: process %" PRIu32 "%s no route to "
                       "process %" PRIu32,
                       first, lost == 1 ? " has" : " and others have", root);
}

/* Appends the connection between @p p and @p q, once for each side that can open it.  Returns the
 * new number of entries. */
static size_t keep(struct adjacency_open *open, size_t n, const struct adjacency *graph, uint32_t p,
                   uint32_t q)
{
  if (adjacency_find(graph, p, q)->opened)
    open[n++] = (struct adjacency_open){p, q};
  if (adjacency_find(graph, q, p)->opened)
    open[n++] = (struct adjacency_open){q, p};
  return n;
}

enum status tree_new(struct adjacency *out, const struct adjacency *graph, const struct routing *r,
                     uint32_t root, struct err *e)
{
  if (check(graph, r, root, e) != OK)
    return FAIL;
  OWNED struct adjacency_open *open = mem_array(graph->n, 2 * sizeof *open, e);
  if (open == NULL)
    return FAIL;
  size_t n = 0;
  for (uint32_t p = 0; p < graph->n; p++)
    if (p != root)
      n = keep(open, n, graph, p, routing_next(r, p, root));
  return adjacency_new(out, graph->n, open, n, e);
}
