#include "wan/routed.h"

#include "common/mem.h"
#include "wan/tree.h"

void routed_clear(struct routed *g)
{
  bounding_clear(&g->bounding);
  routing_clear(&g->routing);
  adjacency_clear(&g->tree);
  routing_clear(&g->on_tree);
}

static enum status count_components(struct routed *g, struct err *e)
{
  OWNED uint32_t *component = mem_array(g->bounding.graph.n, sizeof *component, e);
  if (component == NULL)
    return FAIL;
  return adjacency_components(&g->bounding.graph, component, &g->components, e);
}

enum status routed_new(struct routed *g, const struct bounding_input *in, uint32_t root,
                       struct err *e)
{
  *g = (struct routed){.components = 0};
  if (bounding_new(&g->bounding, in, e) != OK || count_components(g, e) != OK ||
      routing_new(&g->routing, &g->bounding.graph, in->processes, in->rtt_ps, e) != OK)
    return FAIL;
  if (g->components > 1)
    return OK;
  if (tree_new(&g->tree, &g->bounding.graph, &g->routing, root, e) != OK)
    return FAIL;
  return routing_new(&g->on_tree, &g->tree, in->processes, in->rtt_ps, e);
}
