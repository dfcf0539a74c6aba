#include "platforms/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/registry.h"
#include "platforms/platform_internal.h"

bool platform_is_spec(const char *text)
{
  return topology_is_spec(text);
}

/* The factor with which SimGrid gets exactly @p speed from @p fastest, where one exists; else the
 * nearest. */
static double scale_for(double speed, double fastest)
{
  const double near = speed / fastest;
  const double tries[] = {near, nextafter(near, 0.0), nextafter(near, INFINITY)};
  for (size_t i = 0; i < 3; i++)
    if (fastest * tries[i] == speed)
      return tries[i];
  return near;
}

/* Gives each host its speed in flop/s; the fastest becomes the cluster's. */
static enum status set_speeds(struct platform *p, const double *speeds, struct err *e)
{
  const uint32_t n = topology_hosts(p->topology);
  double fastest = 0.0;
  for (uint32_t h = 0; h < n; h++)
    fastest = fmax(fastest, speeds[h]);
  double *scale = mem_array(n, sizeof *scale, e);
  if (scale == NULL)
    return FAIL;
  bool equal = true;
  for (uint32_t h = 0; h < n; h++) {
    scale[h] = scale_for(speeds[h], fastest);
    equal = equal && speeds[h] == fastest;
    if (scale[h] > 0)
      continue;
    free(scale);
    return err_set(e, "speeds of %g and %g flop/s are too far apart", speeds[h], fastest);
  }
  if (equal) {
    free(scale);
    scale = NULL;
  }
  free(p->scale);
  p->scale = scale;
  p->speed = fastest;
  return OK;
}

/* Errors name the option that has the value. */
static enum status set_quantity(double *out, const char *option, const char *text,
                                const char *fallback, enum num_unit unit, struct err *e)
{
  struct err why;
  if (num_quantity(text == NULL ? fallback : text, unit, out, &why) == OK)
    return OK;
  return err_set(e, "--%s: %s", option, why.text);
}

static enum status set_params(struct platform *p, const struct platform_params *q, struct err *e)
{
  if (set_quantity(&p->speed, "speed", q->speed, "1Gf", NUM_SPEED, e) != OK ||
      set_quantity(&p->bandwidth, "bandwidth", q->bandwidth, "1.25GBps", NUM_BANDWIDTH, e) != OK ||
      set_quantity(&p->latency, "latency", q->latency, "100ns", NUM_TIME, e) != OK ||
      set_quantity(&p->loopback_bandwidth, "loopback-bandwidth", q->loopback_bandwidth, "10GBps",
                   NUM_BANDWIDTH, e) != OK ||
      set_quantity(&p->loopback_latency, "loopback-latency", q->loopback_latency, "50ns", NUM_TIME,
                   e) != OK)
    return FAIL;
  if (q->speeds == NULL)
    return OK;
  double *speeds;
  if (platform_speeds_parse(&speeds, q->speeds, topology_hosts(p->topology), e) != OK)
    return FAIL;
  const enum status s = set_speeds(p, speeds, e);
  free(speeds);
  return s;
}

enum status platform_from_spec(struct platform **out, const char *spec,
                               const struct platform_params *params, struct err *e)
{
  static const struct platform_params defaults = {0};
  struct platform *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  snprintf(p->id, sizeof p->id, "haichi");
  snprintf(p->prefix, sizeof p->prefix, "node-");
  if (topology_new(&p->topology, spec, e) != OK ||
      set_params(p, params == NULL ? &defaults : params, e) != OK) {
    platform_free(p);
    return FAIL;
  }
  *out = p;
  return OK;
}

static void free_hosts(struct platform_host *host, uint32_t n)
{
  for (uint32_t h = 0; host != NULL && h < n; h++)
    free((char *)host[h].name);
  free(host);
}

void platform_free(struct platform *p)
{
  if (p == NULL)
    return;
  if (p->router.close != NULL)
    p->router.close(p->router.data);
  topology_free(p->topology);
  free_hosts(p->host, p->hosts);
  free(p->by_name);
  free(p->scale);
  free(p->path);
  free(p);
}

const struct topology *platform_topology(const struct platform *p)
{
  return p->topology;
}

enum status platform_need_topology(const struct platform *p, const char *what,
                                   const struct topology **out, struct err *e)
{
  if (p->topology == NULL)
    return err_set(e,
                   "%s: %s needs a torus, mesh or hypercube, and this platform is not one "
                   "torus cluster with links of its own each way",
                   p->path, what);
  *out = p->topology;
  return OK;
}

const char *platform_path(const struct platform *p)
{
  return p->path;
}

uint32_t platform_hosts(const struct platform *p)
{
  return p->topology == NULL ? p->hosts : topology_hosts(p->topology);
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(((const struct platform_name *)a)->text, ((const struct platform_name *)b)->text);
}

/* The hosts sorted by name; NULL with @p e filled when two names are equal or memory is short. */
static struct platform_name *index_names(const struct platform_host *host, uint32_t n,
                                         struct err *e)
{
  struct platform_name *index = mem_array(n, sizeof *index, e);
  if (index == NULL)
    return NULL;
  for (uint32_t h = 0; h < n; h++)
    index[h] = (struct platform_name){host[h].name, h};
  qsort(index, n, sizeof *index, compare_names);
  for (uint32_t i = 1; i < n; i++)
    if (compare_names(&index[i - 1], &index[i]) == 0) {
      err_set(e, "two hosts are named '%.80s'", index[i].text);
      free(index);
      return NULL;
    }
  return index;
}

static struct platform_host *copy_hosts(const struct platform_host *hosts, uint32_t n,
                                        struct err *e)
{
  struct platform_host *copy = mem_array(n, sizeof *copy, e);
  for (uint32_t h = 0; copy != NULL && h < n; h++) {
    copy[h] = hosts[h];
    if ((copy[h].name = mem_strdup(hosts[h].name, e)) == NULL) {
      free_hosts(copy, h);
      return NULL;
    }
  }
  return copy;
}

enum status platform_set_hosts(struct platform *p, const struct platform_host *hosts, uint32_t n,
                               struct err *e)
{
  if (p->topology != NULL)
    return err_set(e, "the hosts of %s are those of its cluster", topology_spec(p->topology));
  struct platform_host *copy = copy_hosts(hosts, n, e);
  if (copy == NULL)
    return FAIL;
  struct platform_name *index = index_names(copy, n, e);
  if (index == NULL) {
    free_hosts(copy, n);
    return FAIL;
  }
  free_hosts(p->host, p->hosts);
  free(p->by_name);
  p->host = copy;
  p->by_name = index;
  p->hosts = n;
  return OK;
}

void platform_set_router(struct platform *p, struct platform_router router)
{
  p->router = router;
}

enum status platform_route(const struct platform *p, uint32_t src, uint32_t dst,
                           struct platform_route *out, struct err *e)
{
  return p->router.route(p->router.data, src, dst, out, e);
}

const struct platform_link *platform_link(const struct platform *p, uint32_t link)
{
  return p->router.link(p->router.data, link);
}

const char *platform_host_name(const struct platform *p, uint32_t h, char *name, size_t size)
{
  if (p->topology == NULL)
    return p->host[h].name;
  snprintf(name, size, "%s%u%s", p->prefix, topology_carrier_host(p->topology, h), p->suffix);
  return name;
}

bool platform_carrier_index(const struct platform *p, const char *name, uint32_t *carrier)
{
  const size_t prefix = strlen(p->prefix), suffix = strlen(p->suffix), length = strlen(name);
  char digits[16];
  if (length <= prefix + suffix || length - prefix - suffix >= sizeof digits ||
      strncmp(name, p->prefix, prefix) != 0 || strcmp(name + length - suffix, p->suffix) != 0)
    return false;
  const size_t n = length - prefix - suffix;
  memcpy(digits, name + prefix, n);
  digits[n] = '\0';
  uint32_t hosts = 1, ndims;
  topology_sides(p->topology, &ndims);
  for (uint32_t d = 0; d < ndims; d++)
    hosts *= topology_carrier_side(p->topology, d);
  struct err ignored;
  uint64_t value;
  if ((n > 1 && digits[0] == '0') || num_u64(digits, hosts - 1, &value, &ignored) != OK)
    return false;
  *carrier = (uint32_t)value;
  return true;
}

bool platform_find_host(const struct platform *p, const char *name, uint32_t *h)
{
  if (p->topology != NULL) {
    uint32_t carrier;
    return platform_carrier_index(p, name, &carrier) &&
           topology_from_carrier(p->topology, carrier, h);
  }
  if (p->hosts == 0)
    return false;
  const struct platform_name key = {name, 0};
  const struct platform_name *found =
      bsearch(&key, p->by_name, p->hosts, sizeof key, compare_names);
  if (found == NULL)
    return false;
  *h = found->host;
  return true;
}

/* SimGrid names the link between a host and its upper neighbour after the lower of the two, and
 * adds the direction: TorusZone::create_torus_links in src/kernel/routing/TorusZone.cpp. */
void platform_link_name(const struct platform *p, uint32_t link, char *name, size_t size)
{
  uint32_t ndims, stride = 1;
  const uint32_t *side = topology_sides(p->topology, &ndims);
  const uint32_t d = link / 2 % ndims, leaves = link / 2 / ndims;
  const bool down = link % 2 == 1;
  for (uint32_t i = 0; i < d; i++)
    stride *= side[i];
  const uint32_t k = side[d], at = leaves / stride % k;
  const uint32_t next = down ? (at + k - 1) % k : (at + 1) % k;
  const uint32_t enters = leaves - at * stride + next * stride;
  const uint32_t from = topology_carrier_host(p->topology, down ? enters : leaves);
  const uint32_t to = topology_carrier_host(p->topology, down ? leaves : enters);
  snprintf(name, size, "%s_link_from_%u_to_%u_%s", p->id, from, to, down ? "DOWN" : "UP");
}

double platform_host_speed(const struct platform *p, uint32_t h)
{
  if (p->topology == NULL)
    return p->host[h].speed;
  return p->scale == NULL ? p->speed : p->speed * p->scale[h];
}

double platform_full_speed(const struct platform *p, uint32_t h)
{
  return p->topology == NULL ? p->host[h].speed : p->speed;
}

uint32_t platform_host_cores(const struct platform *p, uint32_t h)
{
  return p->topology == NULL ? p->host[h].cores : 1;
}

double platform_bandwidth(const struct platform *p)
{
  return p->bandwidth;
}

double platform_latency(const struct platform *p)
{
  return p->latency;
}

double platform_loopback_bandwidth(const struct platform *p)
{
  return p->loopback_bandwidth;
}

double platform_loopback_latency(const struct platform *p)
{
  return p->loopback_latency;
}
