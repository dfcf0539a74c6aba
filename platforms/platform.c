#include "platforms/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/network/finder.h"
#include "platforms/part.h"
#include "platforms/platform_internal.h"
#include "platforms/topology/grid.h"
#include "platforms/topology/kind.h"

bool platform_is_spec(const char *text)
{
  return topology_kind_of(text) != NULL;
}

static void free_hosts(struct platform_host *host, uint32_t n)
{
  for (uint32_t h = 0; host != NULL && h < n; h++)
    free((char *)host[h].name);
  free(host);
}

void platform_drop_profiles(struct platform *p)
{
  for (uint32_t i = 0; i < p->profiles; i++)
    profile_clear(&p->profile[i]);
  for (size_t i = 0; i < p->files; i++)
    free(p->file[i]);
  free(p->file);
  free(p->profile);
  free(p->scale);
  p->profile = NULL;
  p->scale = NULL;
  p->profiles = 0;
  p->profile_room = 0;
  p->file = NULL;
  p->files = p->file_room = 0;
}

void platform_free(struct platform *p)
{
  if (p == NULL)
    return;
  inside_free(p->inside);
  free(p->nodes);
  if (p->whole != NULL) {
    pairs_clear(&p->part);
    topology_free(p->box);
    free(p);
    return;
  }
  if (p->router.close != NULL)
    p->router.close(p->router.data);
  network_clear(&p->n);
  free_hosts(p->host, p->hosts);
  free(p->by_name);
  platform_drop_profiles(p);
  host_names_clear(&p->names);
  free(p->naming);
  free(p->name);
  free(p->xml);
  free(p);
}

const char *platform_factor_option(enum platform_factor which)
{
  static const char *const OPTION[PLATFORM_FACTORS] = {"smpi/lat-factor", "smpi/bw-factor"};
  return OPTION[which];
}

const struct factors *platform_factors(const struct platform *p, enum platform_factor which)
{
  return &p->factors[which];
}

void platform_set_factors(struct platform *p, enum platform_factor which, const struct factors *x)
{
  p->factors[which] = *x;
}

const struct topology *platform_topology(const struct platform *p)
{
  if (p->whole != NULL)
    return p->box;
  if (p->inside != NULL)
    return NULL;
  return p->one == NULL ? NULL : p->one->topology;
}

enum status platform_need_grid(const struct platform *p, const char *what,
                               const struct topology **out, struct err *e)
{
  const struct topology *t = platform_topology(p);
  if (t == NULL || !topology_is_grid(t))
    return err_set(e, "%s: %s needs a torus, mesh or hypercube, and this platform is %s", p->name,
                   what, t == NULL ? "not a single cluster" : "none");
  *out = t;
  return OK;
}

uint32_t platform_profiles(const struct platform *p)
{
  return p->profiles;
}

const struct profile *platform_profile(const struct platform *p, uint32_t i)
{
  return &p->profile[i];
}

enum status platform_need_lasting(const struct platform *p, struct err *e)
{
  if (p->failing.name == NULL)
    return OK;
  return err_at(e, p->name, p->failing.line, "%s: hosts and links that fail are not simulated",
                p->failing.name);
}

bool platform_is_opaque(const struct platform *p)
{
  return p->opaque;
}

enum status platform_need_routes(const struct platform *p, const char *what, struct err *e)
{
  if (!p->opaque)
    return OK;
  return err_set(e,
                 "%s: %s needs known routes, and the platform is opaque: only SimGrid knows its "
                 "routes",
                 p->name, what);
}

const char *platform_file(const struct platform *p, size_t i)
{
  return i < p->files ? p->file[i] : NULL;
}

const char *platform_name(const struct platform *p)
{
  return p->name;
}

bool platform_has_firewalls(const struct platform *p)
{
  for (uint32_t z = 0; z < p->n.zones; z++)
    if (p->n.zone[z].no_inbound)
      return true;
  return false;
}

bool platform_is_bare(const struct platform *p)
{
  return p->bare;
}

const char *platform_path(const struct platform *p)
{
  return p->of_file ? p->name : NULL;
}

uint32_t platform_hosts(const struct platform *p)
{
  if (p->whole != NULL)
    return p->part.count;
  if (p->inside != NULL)
    return platform_hosts(p->nodes) * p->inside->cores;
  return p->opaque ? p->hosts : p->n.hosts;
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(((const struct platform_name *)a)->text, ((const struct platform_name *)b)->text);
}

/* The hosts sorted by name.  NULL with @p e filled if two names are equal or memory is short. */
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
  if (!p->opaque)
    return err_set(e, "the platform has hosts of its own");
  struct platform_host *copy = copy_hosts(hosts, n, e);
  if (copy == NULL)
    return FAIL;
  struct host_names names = {0};
  struct platform_name *index = index_names(copy, n, e);
  if (index == NULL || (p->naming != NULL && host_names_read(&names, p->naming, n, e) != OK)) {
    free(index);
    free_hosts(copy, n);
    return FAIL;
  }
  free_hosts(p->host, p->hosts);
  free(p->by_name);
  host_names_clear(&p->names);
  p->host = copy;
  p->by_name = index;
  p->names = names;
  p->hosts = n;
  return OK;
}

void platform_set_router(struct platform *p, struct platform_router router)
{
  p->router = router;
}

/* --- nodes with an inside --------------------------------------------------------------------- */

const struct inside *platform_inside(const struct platform *p)
{
  return p->inside;
}

const struct platform *platform_nodes(const struct platform *p)
{
  return p->inside == NULL ? p : p->nodes;
}

uint32_t platform_node(const struct platform *p, uint32_t h)
{
  return p->inside == NULL ? h : h / p->inside->cores;
}

enum status platform_set_inside(struct platform *p, const char *text, struct err *e)
{
  struct inside *in;
  if (p->opaque)
    return platform_need_routes(p, "node=", e);
  if (inside_new(&in, text, e) != OK)
    return FAIL;
  const uint64_t nodes = platform_hosts(p), links = p->n.link_ids + nodes * inside_links(in);
  enum status s = OK;
  if (nodes * in->cores > TOPOLOGY_MAX_HOSTS || links > UINT32_MAX)
    s = err_set(e, "%s: nodes of %u cores make more than %u cores in all", p->name, in->cores,
                TOPOLOGY_MAX_HOSTS);
  else if (in->file != NULL)
    s = platform_keep_file(p, in->file, e);
  if (s == OK && (p->nodes = mem_array(1, sizeof *p->nodes, e)) != NULL) {
    *p->nodes = *p;
    p->nodes->nodes = NULL;
    p->nodes->node_cores = in->cores;
    p->inside = in;
    return OK;
  }
  inside_free(in);
  return FAIL;
}

/* --- routes ----------------------------------------------------------------------------------- */

struct platform_finder {
  const struct platform *p;
  uint32_t *link; /* links of the route on a platform that is one cluster */
  struct finder *finder;
  uint32_t inner[INSIDE_MOST_LINKS]; /* links of a route within a node */
};

enum status platform_finder_new(struct platform_finder **out, const struct platform *p,
                                struct err *e)
{
  struct platform_finder *f = mem_array(1, sizeof *f, e);
  if (f == NULL)
    return FAIL;
  f->p = p;
  if (p->one != NULL)
    f->link = mem_array(topology_longest(p->one->topology), sizeof *f->link, e);
  if (p->one != NULL ? f->link == NULL : !p->opaque && finder_new(&f->finder, &p->n, e) != OK) {
    platform_finder_free(f);
    return FAIL;
  }
  *out = f;
  return OK;
}

void platform_finder_free(struct platform_finder *f)
{
  if (f == NULL)
    return;
  finder_free(f->finder);
  free(f->link);
  free(f);
}

/* The route between two cores of a node. */
static void route_inside(struct platform_finder *f, uint32_t src, uint32_t dst,
                         struct platform_route *out)
{
  const struct inside *in = f->p->inside;
  const uint32_t first = f->p->n.link_ids + src / in->cores * inside_links(in);
  out->links = inside_route(in, src % in->cores, dst % in->cores, f->inner, &out->latency_s);
  out->link = f->inner;
  for (uint32_t i = 0; i < out->links; i++)
    f->inner[i] += first;
}

enum status platform_route(struct platform_finder *f, uint32_t src, uint32_t dst,
                           struct platform_route *out, struct err *e)
{
  const struct platform *p = f->p;
  if (p->inside != NULL && src != dst && platform_node(p, src) == platform_node(p, dst)) {
    route_inside(f, src, dst, out);
    return OK;
  }
  src = platform_own_host(p, src);
  dst = platform_own_host(p, dst);
  if (p->opaque)
    return p->router.route(p->router.data, src, dst, out, e);
  if (p->one == NULL)
    return finder_find(f->finder, p->n.order[src], p->n.order[dst], &out->link, &out->links,
                       &out->latency_s, e);
  struct topology_path path = {.link = f->link, .limiters = p->one->limiter > 0};
  out->latency_s = 0;
  cluster_route(p->one, src, dst, &path, &out->latency_s);
  out->link = f->link;
  out->links = path.links;
  return OK;
}

enum status platform_route_needed(struct platform_finder *f, uint32_t src, uint32_t dst,
                                  struct platform_route *out, struct err *e)
{
  char a[PLATFORM_NAME_SIZE], b[PLATFORM_NAME_SIZE];
  if (platform_route(f, src, dst, out, e) != OK)
    return FAIL;
  if (out->links > 0 || out->latency_s > 0)
    return OK;
  return err_set(e, "%s: no route from host '%s' to host '%s'", platform_name(f->p),
                 platform_host_name(f->p, src, a, sizeof a),
                 platform_host_name(f->p, dst, b, sizeof b));
}

/* --- links ------------------------------------------------------------------------------------ */

uint32_t platform_link_ids(const struct platform *p)
{
  return p->inside == NULL ? p->n.link_ids
                           : p->n.link_ids + platform_hosts(p->nodes) * inside_links(p->inside);
}

bool platform_is_inside(const struct platform *p, uint32_t link)
{
  return p->inside != NULL && link >= p->n.link_ids;
}

/* The node of a link inside; *own is its number there. */
static uint32_t node_of_link(const struct platform *p, uint32_t link, uint32_t *own)
{
  const uint32_t each = inside_links(p->inside);
  *own = (link - p->n.link_ids) % each;
  return (link - p->n.link_ids) / each;
}

bool platform_has_link(const struct platform *p, uint32_t link)
{
  uint32_t own;
  if (platform_is_inside(p, link))
    return true;
  const struct cluster *c = network_link_cluster(&p->n, link, &own);
  return c == NULL || cluster_has_link(c, own);
}

bool platform_is_loopback(const struct platform *p, uint32_t link)
{
  uint32_t own;
  if (platform_is_inside(p, link))
    return false;
  const struct cluster *c = network_link_cluster(&p->n, link, &own);
  return c == NULL ? link == p->n.loopback || p->n.link[link].loopback
                   : cluster_is_loopback(c, own);
}

struct platform_link platform_link(const struct platform *p, uint32_t link)
{
  uint32_t own;
  if (p->opaque)
    return *p->router.link(p->router.data, link);
  if (platform_is_inside(p, link)) {
    struct platform_link l = {.name = NULL};
    node_of_link(p, link, &own);
    l.bandwidth = inside_link(p->inside, own, &l.latency_s, &l.fat);
    return l;
  }
  const struct cluster *c = network_link_cluster(&p->n, link, &own);
  const struct link_info info = c == NULL ? p->n.link[link].info : cluster_link(c, own);
  return (struct platform_link){
      .bandwidth = info.bandwidth, .latency_s = info.latency, .fat = info.fat};
}

const char *platform_link_name(const struct platform *p, uint32_t link, char *name, size_t size)
{
  uint32_t own;
  if (p->opaque)
    return p->router.link(p->router.data, link)->name;
  if (platform_is_inside(p, link)) {
    char buffer[PLATFORM_NAME_SIZE];
    const char *node =
        platform_host_name(p->nodes, node_of_link(p, link, &own), buffer, sizeof buffer);
    inside_link_name(p->inside, own, node, name, size);
    return name;
  }
  const struct cluster *c = network_link_cluster(&p->n, link, &own);
  if (c == NULL)
    return p->n.link[link].name;
  cluster_link_name(c, own, name, size);
  return name;
}

/* --- hosts ------------------------------------------------------------------------------------ */

uint32_t platform_point_of_host(const struct platform *p, uint32_t h)
{
  h = platform_own_host(p, h);
  return p->n.order == NULL ? p->n.zone[p->n.clusters[0]].first_point + h : p->n.order[h];
}

uint32_t platform_zone_of_host(const struct platform *p, uint32_t h)
{
  uint32_t unused;
  return network_zone_of(&p->n, platform_point_of_host(p, h), &unused);
}

/* The cluster of a host; NULL if the host is declared by name. */
static const struct cluster *cluster_of(const struct platform *p, uint32_t h)
{
  return p->one != NULL ? p->one : p->n.zone[platform_zone_of_host(p, h)].cluster;
}

/* Writes the name of a core, NODE.CORE. */
static const char *core_name(const struct platform *p, uint32_t h, const char *node, char *name,
                             size_t size)
{
  snprintf(name, size, "%s.%u", node, h % p->inside->cores);
  return name;
}

const char *platform_host_name(const struct platform *p, uint32_t h, char *name, size_t size)
{
  char node[PLATFORM_NAME_SIZE];
  if (p->inside != NULL)
    return core_name(p, h, platform_host_name(p->nodes, platform_node(p, h), node, sizeof node),
                     name, size);
  return p->names.list.count > 0 ? p->names.list.name[platform_own_host(p, h)]
                                 : platform_simgrid_host(p, h, name, size);
}

const char *platform_simgrid_host(const struct platform *p, uint32_t h, char *name, size_t size)
{
  char node[PLATFORM_NAME_SIZE];
  if (p->inside != NULL)
    return core_name(p, h, platform_simgrid_host(p->nodes, platform_node(p, h), node, sizeof node),
                     name, size);
  return p->opaque ? p->host[platform_own_host(p, h)].name
                   : network_point_name(&p->n, platform_point_of_host(p, h), name, size);
}

static bool find_point(const struct platform *p, const char *name, uint32_t *h)
{
  uint32_t point;
  if (!network_find_point(&p->n, name, &point))
    return false;
  *h = p->n.order == NULL ? point - p->n.zone[p->n.clusters[0]].first_point : p->n.host_of[point];
  return *h < p->n.hosts;
}

/* Finds a host of a part among its hosts on the whole platform. */
static bool find_in_part(const struct platform *p, const char *name, uint32_t *h)
{
  uint32_t own;
  if (!platform_find_host(p->whole, name, &own))
    return false;
  *h = platform_part_host(p, own);
  return *h != UINT32_MAX;
}

/* Finds the core called NODE.CORE.  @p find finds the node. */
static bool find_core(const struct platform *p, const char *name,
                      bool (*find)(const struct platform *, const char *, uint32_t *), uint32_t *h)
{
  char node[PLATFORM_NAME_SIZE];
  const char *dot = strrchr(name, '.');
  uint32_t n, core;
  if (dot == NULL || dot == name || (size_t)(dot - name) >= sizeof node)
    return false;
  memcpy(node, name, (size_t)(dot - name));
  node[dot - name] = '\0';
  if (!num_short(dot + 1, &core) || core >= p->inside->cores || !find(p->nodes, node, &n))
    return false;
  *h = n * p->inside->cores + core;
  return true;
}

bool platform_find_host(const struct platform *p, const char *name, uint32_t *h)
{
  if (p->inside != NULL)
    return find_core(p, name, platform_find_host, h);
  if (p->whole != NULL)
    return find_in_part(p, name, h);
  return p->names.list.count > 0 ? host_names_find(&p->names, name, h)
                                 : platform_find_simgrid_host(p, name, h);
}

bool platform_find_simgrid_host(const struct platform *p, const char *name, uint32_t *h)
{
  if (p->inside != NULL)
    return find_core(p, name, platform_find_simgrid_host, h);
  if (!p->opaque)
    return find_point(p, name, h);
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

double platform_full_speed(const struct platform *p, uint32_t h)
{
  if (p->opaque)
    return p->host[platform_own_host(p, h)].speed;
  const struct cluster *c = cluster_of(p, h);
  return c != NULL ? c->speed : network_point(&p->n, platform_point_of_host(p, h))->speed;
}

double platform_host_speed(const struct platform *p, uint32_t h)
{
  const double speed = platform_full_speed(p, h);
  return p->scale == NULL ? speed : speed * p->scale[platform_own_host(p, h)];
}

uint32_t platform_host_cores(const struct platform *p, uint32_t h)
{
  if (p->inside != NULL || p->node_cores > 0)
    return p->inside != NULL ? 1 : p->node_cores;
  if (p->opaque)
    return p->host[platform_own_host(p, h)].cores;
  const struct cluster *c = cluster_of(p, h);
  return c != NULL ? c->cores : network_point(&p->n, platform_point_of_host(p, h))->cores;
}

double platform_bandwidth(const struct platform *p)
{
  return p->one->bandwidth;
}

double platform_latency(const struct platform *p)
{
  return p->one->latency;
}

double platform_loopback_bandwidth(const struct platform *p)
{
  return p->one->loopback_bandwidth;
}

double platform_loopback_latency(const struct platform *p)
{
  return p->one->loopback_latency;
}
