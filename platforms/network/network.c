#include "platforms/network/network.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/search.h"
#include "common/mem.h"

/* Maximum number of links, of route entries, and of points including clusters.  Numbers then fit in
 * 30 bits with the two flags of the pool. */
#define MOST (1u << 28)

static uint64_t hash_point(const void *keys, uint32_t i)
{
  return index_text(((const struct point *)keys)[i].name);
}

static uint64_t hash_link(const void *keys, uint32_t i)
{
  return index_text(((const struct link *)keys)[i].name);
}

static bool same_point(const void *keys, uint32_t i, const void *name)
{
  return strcmp(((const struct point *)keys)[i].name, name) == 0;
}

static bool same_link(const void *keys, uint32_t i, const void *name)
{
  return strcmp(((const struct link *)keys)[i].name, name) == 0;
}

static const struct cluster *nth_cluster(const struct network *n, uint32_t i)
{
  return n->zone[n->clusters[i]].cluster;
}

static uint64_t hash_router(const void *network, uint32_t i)
{
  return index_text(nth_cluster(network, i)->router);
}

static bool same_router(const void *network, uint32_t i, const void *name)
{
  return strcmp(nth_cluster(network, i)->router, name) == 0;
}

static void clear_zone(struct zone *z)
{
  if (z->cluster != NULL)
    cluster_clear(z->cluster);
  free(z->cluster);
  pairs_clear(&z->pairs);
  pairs_clear(&z->bypasses);
  free(z->route);
  free(z->bypass);
  free(z->spoke);
  free(z->node);
  free(z->node_point);
  free(z->edge_first);
  free(z->edge);
  free(z->edge_end);
}

void network_clear(struct network *n)
{
  for (uint32_t i = 0; i < n->zones; i++)
    clear_zone(&n->zone[i]);
  for (uint32_t i = 0; i < n->points; i++)
    free(n->point[i].name);
  for (uint32_t i = 0; i < n->links; i++)
    free(n->link[i].name);
  free(n->zone);
  free(n->point);
  free(n->clusters);
  free(n->link);
  free(n->route);
  free(n->pool);
  free(n->order);
  free(n->host_of);
  index_clear(&n->point_names);
  index_clear(&n->link_names);
  index_clear(&n->router_names);
  *n = (struct network){0};
}

/* --- points ----------------------------------------------------------------------------------- */

static bool cluster_before_point(const void *key, size_t i)
{
  const struct network *n = ((const void *const *)key)[0];
  const uint32_t point = *(const uint32_t *)((const void *const *)key)[1];
  return n->zone[n->clusters[i]].first_point <= point;
}

/* Index of the last cluster that begins at or before @p point; NETWORK_NONE if there is none. */
static uint32_t cluster_at(const struct network *n, uint32_t point)
{
  const void *key[] = {n, &point};
  const size_t i = search(0, n->cluster_count, cluster_before_point, key);
  return i == 0 ? NETWORK_NONE : (uint32_t)i - 1;
}

static const struct zone *cluster_of_point(const struct network *n, uint32_t point)
{
  const uint32_t i = cluster_at(n, point);
  const struct zone *z = i == NETWORK_NONE ? NULL : &n->zone[n->clusters[i]];
  return z != NULL && point - z->first_point < z->points ? z : NULL;
}

struct point *network_point(const struct network *n, uint32_t point)
{
  if (cluster_of_point(n, point) != NULL)
    return NULL;
  const uint32_t i = cluster_at(n, point);
  uint32_t record = point;
  if (i != NETWORK_NONE)
    record -= n->zone[n->clusters[i]].before + n->zone[n->clusters[i]].points;
  return &n->point[record];
}

uint32_t network_zone_of(const struct network *n, uint32_t point, uint32_t *id)
{
  const struct zone *z = cluster_of_point(n, point);
  if (z != NULL) {
    *id = point - z->first_point;
    return (uint32_t)(z - n->zone);
  }
  const struct point *p = network_point(n, point);
  *id = p->id;
  return p->zone;
}

const char *network_point_name(const struct network *n, uint32_t point, char *name, size_t size)
{
  const struct zone *z = cluster_of_point(n, point);
  if (z == NULL)
    return network_point(n, point)->name;
  const uint32_t host = point - z->first_point;
  if (host == z->cluster->topology->hosts)
    return z->cluster->router;
  cluster_host_name(z->cluster, host, name, size);
  return name;
}

/* The router of a cluster has the number after its hosts.  An empty router name means no router. */
static bool find_in_clusters(const struct network *n, const char *name, uint32_t *point)
{
  uint32_t i = index_find(&n->router_names, index_text(name), same_router, n, name), host = 0;
  if (i != INDEX_NONE && name[0] != '\0')
    host = nth_cluster(n, i)->topology->hosts;
  else
    for (i = 0; i < n->cluster_count && !cluster_find_host(nth_cluster(n, i), name, &host);)
      i++;
  if (i == n->cluster_count)
    return false;
  *point = n->zone[n->clusters[i]].first_point + host;
  return true;
}

bool network_find_point(const struct network *n, const char *name, uint32_t *point)
{
  const uint32_t record = index_find(&n->point_names, index_text(name), same_point, n->point, name);
  if (record != INDEX_NONE) {
    *point = n->point[record].number;
    return true;
  }
  return find_in_clusters(n, name, point);
}

static enum status fail_second(const char *name, struct err *e)
{
  return err_set(e, "a second host, router or zone named '%.80s'", name);
}

enum status network_add_point(struct network *n, const char *name, enum point_kind kind,
                              struct point **out, struct err *e)
{
  uint32_t unused;
  if (network_find_point(n, name, &unused))
    return fail_second(name, e);
  if (n->points >= NETWORK_MOST_NAMED)
    return err_set(e, "more than %u hosts, routers and zones", NETWORK_MOST_NAMED);
  if (MEM_GROW(n->point, n->point_room, n->points + 1, e) != OK ||
      index_reserve(&n->point_names, n->points, hash_point, n->point, e) != OK)
    return FAIL;
  char *copy = mem_strdup(name, e);
  if (copy == NULL)
    return FAIL;
  struct zone *z = n->zones == 0 ? NULL : &n->zone[n->current];
  struct point *p = &n->point[n->points];
  *p = (struct point){.name = copy,
                      .zone = z == NULL ? NETWORK_NONE : n->current,
                      .id = z == NULL ? 0 : z->points++,
                      .kind = kind,
                      .number = n->numbers++};
  index_add(&n->point_names, index_text(copy), n->points++);
  *out = p;
  return OK;
}

/* --- zones ------------------------------------------------------------------------------------ */

enum status network_zone_begin(struct network *n, const char *name, enum zone_routing routing,
                               struct err *e)
{
  struct point *p;
  if (MEM_GROW(n->zone, n->zone_room, n->zones + 1, e) != OK ||
      network_add_point(n, name, POINT_ZONE, &p, e) != OK)
    return FAIL;
  p->inner = n->zones;
  const uint32_t parent = n->zones == 0 ? NETWORK_NONE : n->current;
  if (parent != NETWORK_NONE)
    n->zone[parent].recursive = true;
  n->zone[n->zones] = (struct zone){.routing = routing, .parent = parent, .self = p->number};
  n->current = n->zones++;
  return OK;
}

void network_zone_end(struct network *n)
{
  const uint32_t parent = n->zone[n->current].parent;
  n->current = parent == NETWORK_NONE ? 0 : parent;
}

/* Fails if a host name of the cluster is already in use.  Checks the declared names, and the
 * clusters with the same prefix and suffix. */
static enum status check_names(const struct network *n, const struct cluster *c, struct err *e)
{
  char name[512];
  uint32_t unused;
  for (uint32_t i = 0; i < n->points; i++)
    if (cluster_find_host(c, n->point[i].name, &unused))
      return fail_second(n->point[i].name, e);
  for (uint32_t i = 0; i < n->cluster_count; i++) {
    const struct cluster *other = n->zone[n->clusters[i]].cluster;
    if (strcmp(c->prefix, other->prefix) != 0 || strcmp(c->suffix, other->suffix) != 0)
      continue;
    for (uint32_t h = 0; h < c->topology->hosts; h++) {
      cluster_host_name(c, h, name, sizeof name);
      if (cluster_find_host(other, name, &unused))
        return fail_second(name, e);
    }
  }
  return OK;
}

static void count_on(struct network *n, const struct topology *t)
{
  const char *kind = t->kind->simgrid;
  if (kind != NULL && strcmp(kind, "FAT_TREE") == 0) {
    n->fat_trees.hosts += t->hosts;
    n->fat_trees.cables += t->link_ids / 2;
  } else if (kind != NULL && strcmp(kind, "DRAGONFLY") == 0) {
    n->dragonflies.cables += t->link_ids / 2;
  }
}

enum status network_add_cluster(struct network *n, struct cluster *c, struct err *e)
{
  const uint32_t outer = n->current;
  const uint32_t points = c->topology->hosts + (c->router[0] != '\0');
  uint32_t unused;
  if (n->numbers + (uint64_t)points > MOST)
    return err_set(e, "more than %u hosts, routers and zones", MOST);
  if (MEM_GROW(n->clusters, n->cluster_room, n->cluster_count + 1, e) != OK ||
      index_reserve(&n->router_names, n->cluster_count, hash_router, n, e) != OK ||
      network_zone_begin(n, c->id, ROUTING_CLUSTER, e) != OK || check_names(n, c, e) != OK)
    return FAIL;
  if (c->router[0] != '\0' && network_find_point(n, c->router, &unused))
    return fail_second(c->router, e);
  struct zone *z = &n->zone[n->current];
  z->points = points;
  z->first_point = n->numbers;
  for (uint32_t i = 0; i < n->cluster_count; i++)
    z->before += n->zone[n->clusters[i]].points;
  n->numbers += points;
  count_on(n, c->topology);
  z->cluster = c;
  n->clusters[n->cluster_count] = n->current;
  if (c->router[0] != '\0')
    index_add(&n->router_names, index_text(c->router), n->cluster_count);
  n->cluster_count++;
  z->no_inbound = c->no_inbound;
  if (z->parent != NETWORK_NONE)
    n->current = outer;
  return OK;
}

/* --- links and routes ------------------------------------------------------------------------- */

static enum status add_link(struct network *n, const char *name, const struct link_info *info,
                            struct err *e)
{
  if (MEM_GROW(n->link, n->link_room, n->links + 1, e) != OK ||
      index_reserve(&n->link_names, n->links, hash_link, n->link, e) != OK)
    return FAIL;
  char *copy = mem_strdup(name, e);
  if (copy == NULL)
    return FAIL;
  n->link[n->links] =
      (struct link){.name = copy, .zone = n->zones == 0 ? NETWORK_NONE : n->current, .info = *info};
  index_add(&n->link_names, index_text(copy), n->links++);
  return OK;
}

enum status network_add_link(struct network *n, const char *name, const struct link_info *info,
                             bool split, struct err *e)
{
  static const char *const ENDS[] = {"", "_UP", "_DOWN"};
  enum status s = n->links < MOST ? OK : err_set(e, "more than %u links", MOST);
  for (size_t i = split ? 1 : 0; s == OK && i < (split ? 3 : 1); i++) {
    uint32_t unused;
    OWNED char *full = mem_printf(e, "%s%s", name, ENDS[i]);
    if (full == NULL)
      return FAIL;
    s = network_find_link(n, full, &unused) ? err_set(e, "a second link named '%.80s'", full)
                                            : add_link(n, full, info, e);
  }
  return s;
}

bool network_find_link(const struct network *n, const char *name, uint32_t *link)
{
  *link = index_find(&n->link_names, index_text(name), same_link, n->link, name);
  return *link != INDEX_NONE;
}

/* Finds a link of a cluster by name.  Only fat trees and dragonflies have link names that do not
 * begin with the id of the cluster. */
static bool find_in_links(const struct cluster *c, const char *name, uint32_t *link)
{
  char other[512];
  if (c->topology->kind->switch_id == NULL && strncmp(name, c->id, strlen(c->id)) != 0)
    return false;
  for (uint32_t l = 0; l < cluster_links(c); l++) {
    if (!cluster_has_link(c, l))
      continue;
    cluster_link_name(c, l, other, sizeof other);
    if (strcmp(name, other) == 0) {
      *link = l;
      return true;
    }
  }
  return false;
}

bool network_is_cluster_link(const struct network *n, const char *name)
{
  uint32_t unused;
  if (network_find_link(n, name, &unused))
    return false;
  for (uint32_t i = 0; i < n->cluster_count; i++)
    if (find_in_links(n->zone[n->clusters[i]].cluster, name, &unused))
      return true;
  return false;
}

enum status network_route_link(struct network *n, const char *name, enum way way, struct err *e)
{
  uint32_t link;
  OWNED char *full = mem_printf(e, "%s%s", name, way == WAY_NONE ? "" : "_UP");
  if (full == NULL)
    return FAIL;
  const bool found = network_find_link(n, full, &link);
  if (!found)
    return err_set(e, "no link '%.80s'%s", name,
                   way == WAY_NONE ? "" : " that is split (sharing_policy SPLITDUPLEX)");
  if (n->pooled >= MOST)
    return err_set(e, "more than %u links in routes", MOST);
  if (MEM_GROW(n->pool, n->pool_room, (size_t)n->pooled + 1, e) != OK)
    return FAIL;
  n->pool[n->pooled++] = link * 4 + (way != WAY_NONE) * 2 + (way == WAY_DOWN);
  return OK;
}

/* Number of links appended since the last route. */
static uint32_t links_of_route(const struct network *n)
{
  return n->pooled - n->routed;
}

static enum status put_route(struct network *n, const struct route *r, uint32_t *number,
                             struct err *e)
{
  if (MEM_GROW(n->route, n->route_room, n->routes + 1, e) != OK)
    return FAIL;
  *number = n->routes;
  n->route[n->routes++] = *r;
  return OK;
}

/* Adds a route between its end points.  Refuses a second route between them. */
static enum status enter(struct network *n, struct pairs *pairs, uint32_t **table, size_t *room,
                         const struct route *r, struct err *e)
{
  uint32_t pair, number;
  if (pairs_find(pairs, r->src, r->dst) != PAIRS_NONE) {
    char src[512], dst[512];
    return err_set(e, "a second route from '%.80s' to '%.80s'",
                   network_point_name(n, r->src, src, sizeof src),
                   network_point_name(n, r->dst, dst, sizeof dst));
  }
  if (put_route(n, r, &number, e) != OK || pairs_add(pairs, r->src, r->dst, &pair, e) != OK ||
      mem_enlarge(table, room, (size_t)pair + 1, sizeof **table, e) != OK)
    return FAIL;
  (*table)[pair] = number;
  return OK;
}

/* Sets *out to the spoke of a point in zone @p z, which is valid until the next call. */
static enum status make_spoke(const struct network *n, struct zone *z, uint32_t point,
                              struct spoke **out, struct err *e)
{
  const size_t before = z->spokes;
  uint32_t id;
  network_zone_of(n, point, &id);
  if (MEM_GROW(z->spoke, z->spokes, (size_t)id + 1, e) != OK)
    return FAIL;
  memset(z->spoke + before, 0, (z->spokes - before) * sizeof *z->spoke);
  *out = &z->spoke[id];
  return OK;
}

static enum status add_loopback(struct network *n, struct zone *z, const struct route *r,
                                struct err *e)
{
  struct spoke *spoke;
  uint32_t number;
  if (r->src != r->dst)
    return err_set(e, "in a zone of routing Cluster, a route must lead from a host to itself");
  if (make_spoke(n, z, r->src, &spoke, e) != OK || put_route(n, r, &number, e) != OK)
    return FAIL;
  spoke->loopback = number + 1;
  return OK;
}

enum status network_add_route(struct network *n, const struct route *declared, enum route_use use,
                              struct err *e)
{
  struct zone *z = &n->zone[n->current];
  struct route r = *declared;
  r.first = n->routed;
  r.links = links_of_route(n);
  r.to_self = r.src == r.dst;
  n->routed = n->pooled;
  if (r.links == 0)
    return err_set(e, "a route without links");
  if (use == ROUTE_BYPASS)
    return enter(n, &z->bypasses, &z->bypass, &z->bypass_room, &r, e);
  if (z->routing == ROUTING_STAR)
    return add_loopback(n, z, &r, e);
  if (enter(n, &z->pairs, &z->route, &z->route_room, &r, e) != OK)
    return FAIL;
  if (use != ROUTE_SYMMETRIC || r.src == r.dst)
    return OK;
  const struct route back = {.src = r.dst,
                             .dst = r.src,
                             .first = r.first,
                             .links = r.links,
                             .reversed = true,
                             .gateway = {r.gateway[1], r.gateway[0]}};
  return enter(n, &z->pairs, &z->route, &z->route_room, &back, e);
}

enum status network_add_spoke(struct network *n, uint32_t point, uint32_t ups, struct err *e)
{
  struct zone *z = &n->zone[n->current];
  const uint32_t first = n->routed, links = links_of_route(n);
  const struct route up = {.src = point, .dst = point, .first = first, .links = ups},
                     down = {
                         .src = point, .dst = point, .first = first + ups, .links = links - ups};
  struct spoke *spoke;
  uint32_t number[2];
  n->routed = n->pooled;
  if (make_spoke(n, z, point, &spoke, e) != OK || put_route(n, &up, &number[0], e) != OK ||
      put_route(n, &down, &number[1], e) != OK)
    return FAIL;
  spoke->up = number[0] + 1;
  spoke->down = number[1] + 1;
  return OK;
}

static bool cluster_before_link(const void *key, size_t i)
{
  const struct network *n = ((const void *const *)key)[0];
  const uint32_t link = *(const uint32_t *)((const void *const *)key)[1];
  return n->zone[n->clusters[i]].first_link <= link;
}

static uint32_t cluster_zone_of_link(const struct network *n, uint32_t link)
{
  const void *key[] = {n, &link};
  return n->clusters[search(0, n->cluster_count, cluster_before_link, key) - 1];
}

uint32_t network_link_zone(const struct network *n, uint32_t link)
{
  if (link == n->loopback)
    return NETWORK_NONE;
  return link < n->links ? n->link[link].zone : cluster_zone_of_link(n, link);
}

const struct cluster *network_link_cluster(const struct network *n, uint32_t link, uint32_t *own)
{
  if (link < n->links)
    return NULL;
  const struct zone *z = &n->zone[cluster_zone_of_link(n, link)];
  *own = link - z->first_link;
  return z->cluster;
}
