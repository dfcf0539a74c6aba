#include "platforms/network/cluster.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/search.h"
#include "common/num.h"
#include "platforms/topology/grid.h"
#include "platforms/topology/star.h"

double cluster_scale(double speed, double fastest)
{
  const double near = speed / fastest;
  if (near < DBL_MIN)
    return 0;
  const double tries[] = {near, nextafter(near, 0.0), nextafter(near, INFINITY)};
  for (size_t i = 0; i < 3; i++)
    if (fastest * tries[i] == speed)
      return tries[i];
  return near;
}

void cluster_clear(struct cluster *c)
{
  topology_free(c->topology);
  free(c->range);
}

/* --- hosts ------------------------------------------------------------------------------------ */

static bool range_before_host(const void *key, size_t i)
{
  const struct cluster *c = ((const void *const *)key)[0];
  const uint32_t host = *(const uint32_t *)((const void *const *)key)[1];
  return c->range[i].host <= host;
}

/* The K in the name of a host. */
static uint32_t number_of(const struct cluster *c, uint32_t host)
{
  if (topology_is_grid(c->topology) && c->range == NULL)
    return grid_carrier_host(c->topology, host);
  if (c->range == NULL)
    return host;
  const void *key[] = {c, &host};
  const struct cluster_range *r = &c->range[search(0, c->ranges, range_before_host, key) - 1];
  return r->first + (host - r->host);
}

/* The host with number @p number in its name.  Ranges may be in any order, so all are searched. */
static bool host_of_number(const struct cluster *c, uint32_t number, uint32_t *host)
{
  if (c->range == NULL && topology_is_grid(c->topology))
    return grid_from_carrier(c->topology, number, host);
  *host = number;
  if (c->range == NULL)
    return number < c->topology->hosts;
  for (uint32_t i = 0; i < c->ranges; i++)
    if (number >= c->range[i].first && number <= c->range[i].last) {
      *host = c->range[i].host + (number - c->range[i].first);
      return true;
    }
  return false;
}

void cluster_host_name(const struct cluster *c, uint32_t host, char *name, size_t size)
{
  if (c->topology->kind->host_name != NULL)
    snprintf(name, size, "%s", c->topology->kind->host_name(c->topology, host));
  else
    snprintf(name, size, "%s%" PRIu32 "%s", c->prefix, number_of(c, host), c->suffix);
}

/* Parses the K of "PREFIX K SUFFIX".  False if the name has another form. */
static bool read_number(const struct cluster *c, const char *name, uint32_t *number)
{
  const size_t prefix = strlen(c->prefix), suffix = strlen(c->suffix), length = strlen(name);
  char digits[16];
  struct err ignored;
  uint64_t value;
  if (length <= prefix + suffix || length - prefix - suffix >= sizeof digits ||
      strncmp(name, c->prefix, prefix) != 0 || strcmp(name + length - suffix, c->suffix) != 0)
    return false;
  const size_t n = length - prefix - suffix;
  memcpy(digits, name + prefix, n);
  digits[n] = '\0';
  if ((n > 1 && digits[0] == '0') || num_u64(digits, UINT32_MAX, &value, &ignored) != OK)
    return false;
  *number = (uint32_t)value;
  return true;
}

bool cluster_find_host(const struct cluster *c, const char *name, uint32_t *host)
{
  uint32_t number;
  if (c->topology->kind->find_host != NULL)
    return c->topology->kind->find_host(c->topology, name, host);
  return read_number(c, name, &number) && host_of_number(c, number, host);
}

bool cluster_carries(const struct cluster *c, const char *name)
{
  uint32_t number;
  return topology_is_grid(c->topology) && c->range == NULL && read_number(c, name, &number) &&
         number < grid_carrier_hosts(c->topology);
}

/* --- links ------------------------------------------------------------------------------------ */

static uint32_t limiters(const struct cluster *c)
{
  return c->limiter > 0 ? c->topology->hosts + c->topology->switches : 0;
}

uint32_t cluster_links(const struct cluster *c)
{
  return c->topology->link_ids + c->topology->hosts + limiters(c);
}

bool cluster_is_loopback(const struct cluster *c, uint32_t link)
{
  return link >= c->topology->link_ids && link - c->topology->link_ids < c->topology->hosts;
}

bool cluster_has_link(const struct cluster *c, uint32_t link)
{
  const struct topology *t = c->topology;
  if (link >= t->link_ids)
    return !cluster_is_loopback(c, link) || c->loopback_bandwidth > 0;
  return topology_has_link(t, link) && (c->split || t->kind->link(t, link).up == link);
}

struct link_info cluster_link(const struct cluster *c, uint32_t link)
{
  const struct topology *t = c->topology;
  if (cluster_is_loopback(c, link))
    return (struct link_info){c->loopback_bandwidth, c->loopback_latency, true};
  if (link >= t->link_ids)
    return (struct link_info){.bandwidth = c->limiter};
  const struct topology_link l = t->kind->link(t, link);
  if (l.bandwidth_Bps > 0)
    return (struct link_info){l.bandwidth_Bps, l.latency_s < 0 ? c->latency : l.latency_s, l.fat};
  return (struct link_info){c->bandwidth * l.width, c->latency, false};
}

/* The number in the name of a limiter.  Stars: the number in the name of the host.  Other
 * topologies: the index of the host, or the SimGrid id of the switch. */
static uint32_t limiter_number(const struct cluster *c, uint32_t node)
{
  const struct topology *t = c->topology;
  if (node >= t->hosts)
    return t->kind->switch_id(t, node - t->hosts);
  return t->kind->link_host != NULL ? number_of(c, node) : node;
}

void cluster_link_name(const struct cluster *c, uint32_t link, char *name, size_t size)
{
  const struct topology *t = c->topology;
  if (cluster_is_loopback(c, link) && t->kind->host_name != NULL) {
    snprintf(name, size, "%s-loopback", t->kind->host_name(t, link - t->link_ids));
    return;
  }
  if (cluster_is_loopback(c, link)) {
    snprintf(name, size, "%s_link_%" PRIu32 "_loopback", c->id, number_of(c, link - t->link_ids));
    return;
  }
  if (link >= t->link_ids) {
    snprintf(name, size, "%s_link_%" PRIu32 "_limiter", c->id,
             limiter_number(c, link - t->link_ids - t->hosts));
    return;
  }
  const struct topology_link l = t->kind->link(t, link);
  const uint32_t number =
      t->kind->link_host == NULL ? 0 : number_of(c, t->kind->link_host(t, link));
  t->kind->link_name(t, link, c->id, number, name, size);
  const size_t n = strlen(name);
  if (c->split && !l.single && n < size)
    snprintf(name + n, size - n, "%s", l.up == link ? "_UP" : "_DOWN");
}

void cluster_link_group(const struct cluster *c, uint32_t link, char *name, size_t size)
{
  const struct topology *t = c->topology;
  if (link >= t->link_ids)
    snprintf(name, size, "%s", cluster_is_loopback(c, link) ? "loopbacks" : "limiters");
  else if (t->kind->link_group == NULL)
    snprintf(name, size, "%s", t->kind->name);
  else
    t->kind->link_group(t, link, name, size);
}

/* --- routes ----------------------------------------------------------------------------------- */

/* For cables with one link for both directions: replaces each link by the upward link of its cable,
 * which stands for both.  On a star, a route contains each link only once. */
static void join_ways(const struct cluster *c, uint32_t first, struct topology_path *p)
{
  const struct topology *t = c->topology;
  uint32_t kept = first;
  for (uint32_t i = first; i < p->links; i++) {
    const uint32_t link = p->link[i];
    const uint32_t up = link < t->link_ids ? t->kind->link(t, link).up : link;
    bool twice = false;
    for (uint32_t k = first; k < kept && t->kind->link_host != NULL; k++)
      twice = twice || p->link[k] == up;
    if (!twice)
      p->link[kept++] = up;
  }
  p->links = kept;
}

/* Only stars have a router.  On other topologies SimGrid's route to the router is empty. */
void cluster_route(const struct cluster *c, uint32_t src, uint32_t dst, struct topology_path *p,
                   double *latency_s)
{
  const struct topology *t = c->topology;
  if (src == dst && src < t->hosts && c->loopback_bandwidth > 0) {
    topology_add(p, t->link_ids + src);
    *latency_s += c->loopback_latency;
    return;
  }
  const uint32_t first = p->links;
  t->kind->route(t, src, dst, p);
  if (!c->split)
    join_ways(c, first, p);
  const struct star_backbone *b = topology_backbone(t);
  for (uint32_t i = first; i < p->links; i++)
    if (b != NULL && p->link[i] == 2 * t->hosts)
      *latency_s += b->latency_s;
    else if (p->link[i] < t->link_ids) /* a limiter has no latency */
      *latency_s += c->latency;
}
