#include "platforms/clusters/clusters.h"

#include <stdlib.h>

#include "common/mem.h"
#include "platforms/platform_internal.h"

/* By zone: whether it has hosts of its own, and whether it has hosts at any depth. */
struct holders {
  bool *own, *any;
};

/* Goes through the zones backwards, since a zone has a higher number than its parent. */
static void mark_holders(const struct platform *p, struct holders *h)
{
  for (uint32_t i = 0; i < platform_hosts(p); i++)
    h->own[platform_zone_of_host(p, i)] = true;
  for (uint32_t z = p->n.zones; z-- > 0;) {
    h->any[z] = h->any[z] || h->own[z];
    if (h->any[z] && p->n.zone[z].parent != NETWORK_NONE)
      h->any[p->n.zone[z].parent] = true;
  }
}

/* If @p zone has no hosts of its own and only one inner zone with hosts, returns that inner zone;
 * otherwise returns @p zone. */
static uint32_t step_inside(const struct network *n, const struct holders *h, uint32_t zone)
{
  uint32_t child = zone;
  for (uint32_t i = 0; i < n->zones; i++) {
    if (n->zone[i].parent != zone || !h->any[i])
      continue;
    if (child != zone)
      return zone;
    child = i;
  }
  return h->own[zone] ? zone : child;
}

static uint32_t outermost(const struct network *n, const struct holders *h)
{
  uint32_t root = 0, inner;
  while ((inner = step_inside(n, h, root)) != root)
    root = inner;
  return root;
}

/* Numbers the clusters in the order of declaration of their zones. */
static void number(struct platform_clusters *c, const struct holders *h, uint32_t root)
{
  const struct network *n = &c->p->n;
  for (uint32_t i = 0; i < n->zones; i++) {
    const uint32_t parent = n->zone[i].parent;
    c->of_zone[i] = CLUSTERS_NONE;
    if (i == root ? h->own[i] : parent == root && h->any[i]) {
      c->name[c->count] = network_point(n, n->zone[i].self)->name;
      c->of_zone[i] = c->count++;
    } else if (parent != NETWORK_NONE && parent != root) {
      c->of_zone[i] = c->of_zone[parent];
    }
  }
}

static bool is_closed(const struct network *n, uint32_t zone)
{
  while (zone != NETWORK_NONE && !n->zone[zone].no_inbound)
    zone = n->zone[zone].parent;
  return zone != NETWORK_NONE;
}

static void fill(struct platform_clusters *c)
{
  for (uint32_t h = 0; h < platform_hosts(c->p); h++) {
    const uint32_t zone = platform_zone_of_host(c->p, h), cluster = c->of_zone[zone];
    c->of_host[h] = cluster;
    c->no_inbound[h] = is_closed(&c->p->n, zone);
    if (c->hosts[cluster]++ == 0)
      c->first[cluster] = h;
  }
}

enum status platform_clusters_find(struct platform_clusters *out, const struct platform *p,
                                   struct err *e)
{
  const uint32_t zones = p->n.zones, hosts = platform_hosts(p);
  struct holders h = {mem_array(zones, sizeof *h.own, e), mem_array(zones, sizeof *h.any, e)};
  *out = (struct platform_clusters){.p = p};
  enum status s = OK;
  if (h.own == NULL || h.any == NULL ||
      (out->name = mem_array(zones, sizeof *out->name, e)) == NULL ||
      (out->hosts = mem_array(zones, sizeof *out->hosts, e)) == NULL ||
      (out->first = mem_array(zones, sizeof *out->first, e)) == NULL ||
      (out->of_zone = mem_array(zones, sizeof *out->of_zone, e)) == NULL ||
      (out->of_host = mem_array(hosts, sizeof *out->of_host, e)) == NULL ||
      (out->no_inbound = mem_array(hosts, sizeof *out->no_inbound, e)) == NULL)
    s = FAIL;
  if (s == OK) {
    mark_holders(p, &h);
    number(out, &h, outermost(&p->n, &h));
    fill(out);
  } else {
    platform_clusters_clear(out);
  }
  free(h.own);
  free(h.any);
  return s;
}

void platform_clusters_clear(struct platform_clusters *c)
{
  free(c->name);
  free(c->hosts);
  free(c->first);
  free(c->of_zone);
  free(c->of_host);
  free(c->no_inbound);
  *c = (struct platform_clusters){0};
}

uint32_t platform_clusters_of_link(const struct platform_clusters *c, uint32_t link)
{
  const uint32_t zone = network_link_zone(&c->p->n, link);
  return zone == NETWORK_NONE ? CLUSTERS_NONE : c->of_zone[zone];
}

void platform_clusters_link_group(const struct platform_clusters *c, uint32_t link, char *name,
                                  size_t size)
{
  const uint32_t cluster = platform_clusters_of_link(c, link);
  if (c->p->one != NULL)
    cluster_link_group(c->p->one, link, name, size);
  else if (c->count > 1 && cluster != CLUSTERS_NONE)
    snprintf(name, size, "%s", c->name[cluster]);
  else {
    char composed[PLATFORM_NAME_SIZE];
    snprintf(name, size, "%s", platform_link_name(c->p, link, composed, sizeof composed));
  }
}
