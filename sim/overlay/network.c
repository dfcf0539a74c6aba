#include "sim/overlay/network.h"

#include "wan/tree.h"

/* True if all pairs are connected. */
static bool is_complete(const struct overlay_network *n)
{
  const size_t all = (size_t)n->processes.n * (n->processes.n - 1) / 2;
  return adjacency_count(&n->bounding.graph) == all;
}

/* Finds the routes on the spanning tree, which carries requests. */
static enum status make_tree(struct overlay_network *n, const struct routing *routes, struct err *e)
{
  struct adjacency tree = {0};
  enum status s = tree_new(&tree, &n->bounding.graph, routes, 0, e);
  if (s == OK)
    s = routing_new(&n->tree, &tree, &n->processes, NULL, e);
  adjacency_clear(&tree);
  return s;
}

static enum status select_connections(struct overlay_network *n, const struct overlay_spec *s,
                                      const struct matrix *traffic, struct err *e)
{
  const struct bounding_input in = {.processes = &n->processes,
                                    .traffic = traffic,
                                    .method = s->kind->method,
                                    .beta = s->density,
                                    .seed = s->seed};
  n->direct = s->kind->direct;
  return bounding_new(&n->bounding, &in, e);
}

enum status overlay_network_make(struct overlay_network *out, const struct overlay_spec *s,
                                 const struct platform *p, const struct mapping *m,
                                 const struct matrix *traffic, struct err *e)
{
  struct err why;
  *out = (struct overlay_network){.direct = false};
  if (processes_on_platform(&out->processes, p, m, e) != OK ||
      select_connections(out, s, traffic, e) != OK)
    return FAIL;
  if (out->direct && is_complete(out) && out->bounding.blocked == 0)
    return OK;
  if (routing_new(&out->routes, &out->bounding.graph, &out->processes, NULL, e) != OK)
    return FAIL;
  return make_tree(out, &out->routes, &why) == OK
             ? OK
             : err_set(e, "overlay '%s': %s", s->kind->name, why.text);
}

void overlay_network_clear(struct overlay_network *n)
{
  routing_clear(&n->tree);
  routing_clear(&n->routes);
  bounding_clear(&n->bounding);
  processes_clear(&n->processes);
}

uint32_t overlay_network_next(const struct overlay_network *n, uint32_t from, uint32_t to)
{
  if (n->routes.n == 0 || (n->direct && adjacency_find(&n->bounding.graph, from, to) != NULL))
    return to;
  return routing_next(&n->routes, from, to);
}

struct overlay_opening overlay_network_open(const struct overlay_network *n, uint32_t from,
                                            uint32_t to)
{
  const double round_trip = (double)processes_rtt(&n->processes, from, to) / PROCESSES_PS_PER_S;
  const struct adjacency_edge *edge = adjacency_find(&n->bounding.graph, from, to);
  if (edge == NULL || edge->opened)
    return (struct overlay_opening){round_trip, 0};
  /* The request takes half a round trip. */
  const double request = (double)routing_rtt(&n->tree, from, to) / PROCESSES_PS_PER_S / 2;
  return (struct overlay_opening){request + round_trip, routing_hops(&n->tree, from, to)};
}

bool overlay_network_relays(const struct overlay_network *n)
{
  const uint32_t count = n->processes.n;
  for (uint32_t p = 0; n->routes.n > 0 && p < count; p++)
    for (uint32_t q = 0; q < count; q++)
      if (p != q && overlay_network_next(n, p, q) != q)
        return true;
  return false;
}
