/* Completes a network: builds graphs, numbers hosts and links. */
#include <stdlib.h>

#include "common/containers/names.h"
#include "common/mem.h"
#include "platforms/network/network.h"

/* The shared loopback, with SimGrid's default network/loopback-bw and network/loopback-lat. */
#define LOOPBACK "__loopback__"
static const struct link_info LOOPBACK_INFO = {10e9, 0, true};

static bool is_graph(const struct zone *z)
{
  return z->routing == ROUTING_FLOYD || z->routing == ROUTING_DIJKSTRA;
}

/* The graph node of a point.  Dijkstra nodes are numbered by first use in a route; Floyd nodes were
 * numbered by id. */
static uint32_t node_of(struct network *n, struct zone *z, uint32_t point)
{
  uint32_t id;
  network_zone_of(n, point, &id);
  if (z->node[id] == 0)
    z->node[id] = ++z->nodes;
  z->node_point[z->node[id] - 1] = point;
  return z->node[id] - 1;
}

/* Lists the routes that leave each node. */
static enum status build_graph(struct network *n, struct zone *z, struct err *e)
{
  const uint32_t routes = z->pairs.count;
  z->node = mem_array(z->points, sizeof *z->node, e);
  z->node_point = mem_array(z->points, sizeof *z->node_point, e);
  z->edge = mem_array(routes, sizeof *z->edge, e);
  z->edge_end = mem_array(routes, sizeof *z->edge_end, e);
  if (z->node == NULL || z->node_point == NULL || z->edge == NULL || z->edge_end == NULL)
    return FAIL;
  for (uint32_t i = 0; z->routing == ROUTING_FLOYD && i < z->points; i++)
    z->node[i] = ++z->nodes;
  for (uint32_t i = 0; i < routes; i++) {
    node_of(n, z, n->route[z->route[i]].src);
    node_of(n, z, n->route[z->route[i]].dst);
  }
  if ((z->edge_first = mem_array((size_t)z->nodes + 2, sizeof *z->edge_first, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < routes; i++)
    z->edge_first[node_of(n, z, n->route[z->route[i]].src) + 2]++;
  for (uint32_t i = 0; i < z->nodes; i++)
    z->edge_first[i + 2] += z->edge_first[i + 1];
  for (uint32_t i = 0; i < routes; i++) {
    const struct route *r = &n->route[z->route[i]];
    const uint32_t at = z->edge_first[node_of(n, z, r->src) + 1]++;
    z->edge[at] = z->route[i];
    z->edge_end[at] = node_of(n, z, r->dst);
  }
  return OK;
}

/* True if the zone contains no other zones and may have hosts without a loopback.  SimGrid gives
 * all of these hosts the same loopback. */
static bool wants_loopback(const struct zone *z)
{
  return !z->recursive && (z->routing == ROUTING_FULL || is_graph(z));
}

/* Lists the names of the hosts, and their points. */
static enum status list_hosts(const struct network *n, char **name, uint32_t *point,
                              uint32_t *count, struct err *e)
{
  char buffer[512];
  for (uint32_t i = 0; i < n->points; i++)
    if (n->point[i].kind == POINT_HOST) {
      name[*count] = mem_strdup(n->point[i].name, e);
      point[(*count)++] = n->point[i].number;
    }
  for (uint32_t i = 0; i < n->cluster_count; i++) {
    const struct zone *z = &n->zone[n->clusters[i]];
    for (uint32_t h = 0; h < z->cluster->topology->hosts; h++) {
      cluster_host_name(z->cluster, h, buffer, sizeof buffer);
      name[*count] = mem_strdup(buffer, e);
      point[(*count)++] = z->first_point + h;
    }
  }
  for (uint32_t i = 0; i < *count; i++)
    if (name[i] == NULL)
      return FAIL;
  return OK;
}

static enum status number_hosts(struct network *n, const uint32_t *order, const uint32_t *point,
                                struct err *e)
{
  n->order = mem_array(n->hosts, sizeof *n->order, e);
  n->host_of = mem_array(n->numbers, sizeof *n->host_of, e);
  if (n->order == NULL || n->host_of == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n->numbers; i++)
    n->host_of[i] = NETWORK_NONE;
  for (uint32_t i = 0; i < n->hosts; i++) {
    n->order[i] = point[order[i]];
    n->host_of[n->order[i]] = i;
  }
  return OK;
}

/* Numbers the hosts by name; digits in names compare as numbers. */
static enum status order_hosts(struct network *n, struct err *e)
{
  if (n->numbers > 2 * NETWORK_MOST_NAMED)
    return err_set(e, "more than %u hosts on a platform that is not a single cluster",
                   2 * NETWORK_MOST_NAMED);
  OWNED char **name = mem_array(n->numbers, sizeof *name, e);
  OWNED uint32_t *point = mem_array(n->numbers, sizeof *point, e), *order = NULL;
  n->hosts = 0;
  enum status s = name == NULL || point == NULL ? FAIL : list_hosts(n, name, point, &n->hosts, e);
  if (s == OK)
    s = names_order(&order, name, n->hosts, e);
  for (uint32_t i = 0; i < n->hosts; i++)
    free(name[i]);
  return s == OK ? number_hosts(n, order, point, e) : FAIL;
}

static enum status number_links(struct network *n, struct err *e)
{
  uint64_t ids = n->links;
  for (uint32_t i = 0; i < n->cluster_count; i++) {
    struct zone *z = &n->zone[n->clusters[i]];
    z->first_link = (uint32_t)ids;
    ids += cluster_links(z->cluster);
    if (ids > UINT32_MAX)
      return err_set(e, "more than %u links", UINT32_MAX);
  }
  n->link_ids = (uint32_t)ids;
  return OK;
}

/* True if the platform is one cluster, inside zones or not.  It then keeps the host and link
 * numbers of the cluster. */
static bool is_one_cluster(const struct network *n)
{
  if (n->cluster_count != 1 || n->links > 0)
    return false;
  for (uint32_t i = 0; i < n->points; i++)
    if (n->point[i].kind == POINT_HOST)
      return false;
  return true;
}

/* Sets the mark `loopback` of the links of routes from a host to itself, or clears the mark of the
 * links of all other routes. */
static void mark_links(struct network *n, bool to_self)
{
  for (uint32_t i = 0; i < n->routes; i++) {
    const struct route *r = &n->route[i];
    for (uint32_t k = r->first; r->to_self == to_self && k < r->first + r->links; k++) {
      const uint32_t link = n->pool[k] / 4;
      n->link[link].loopback = to_self;
      if ((n->pool[k] & 2) != 0) /* both halves of a split link */
        n->link[link + 1].loopback = to_self;
    }
  }
}

enum status network_seal(struct network *n, struct err *e)
{
  mark_links(n, true);
  mark_links(n, false);
  bool loopback = false;
  n->loopback = NETWORK_NONE;
  for (uint32_t i = 0; i < n->zones; i++) {
    struct zone *z = &n->zone[i];
    if (is_graph(z) && build_graph(n, z, e) != OK)
      return FAIL;
    loopback = loopback || wants_loopback(z);
  }
  if (loopback) {
    n->loopback = n->links;
    if (network_add_link(n, LOOPBACK, &LOOPBACK_INFO, false, e) != OK)
      return FAIL;
  }
  if (number_links(n, e) != OK)
    return FAIL;
  if (!is_one_cluster(n))
    return order_hosts(n, e);
  n->hosts = n->zone[n->clusters[0]].cluster->topology->hosts;
  return OK;
}
