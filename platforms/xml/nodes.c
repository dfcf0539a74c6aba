#include "platforms/xml/nodes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "platforms/platform_internal.h"
#include "platforms/xml/put.h"

/* Maximum number of routes in the file. */
enum { MOST_ROUTES = 1 << 18 };

/* Bandwidth of the link between cores and router, in byte/s. */
#define UNLIMITED_BPS 1e18

struct printer {
  const struct platform *p;
  struct platform_finder *finder;
  FILE *f;
  uint32_t nodes, cores;
  struct err *e;
};

enum status nodes_check_print(const struct platform *p, struct err *e)
{
  const uint64_t cores = p->inside->cores, nodes = platform_hosts(p->nodes);
  if (nodes <= MOST_ROUTES && nodes * (nodes - 1) + nodes * cores * (cores + 3) / 2 <= MOST_ROUTES)
    return OK;
  return err_set(e,
                 "%s: SimGrid would need a route for each pair of %" PRIu64 " nodes and of %" PRIu64
                 " cores of a node, and haichi writes at most %d routes",
                 p->name, nodes, cores, MOST_ROUTES);
}

static const char *core_name(const struct printer *w, uint32_t node, uint32_t core, char *name,
                             size_t size)
{
  return platform_simgrid_host(w->p, node * w->cores + core, name, size);
}

/* Writes an attribute: the name of a node with @p suffix. */
static void put_node(const struct printer *w, const char *attribute, uint32_t node,
                     const char *suffix)
{
  char name[PLATFORM_NAME_SIZE], whole[PLATFORM_NAME_SIZE + 16];
  snprintf(whole, sizeof whole, "%s%s", platform_simgrid_host(w->p->nodes, node, name, sizeof name),
           suffix);
  put_text(w->f, attribute, whole);
}

/* --- links ------------------------------------------------------------------------------------ */

static void put_one_link(const struct printer *w, uint32_t link)
{
  char name[PLATFORM_NAME_SIZE];
  const struct platform_link l = platform_link(w->p, link);
  put_link(w->f, platform_link_name(w->p, link, name, sizeof name), l.bandwidth, l.latency_s,
           l.fat ? "FATPIPE" : "SHARED");
}

/* Writes the links of the network and the loopbacks of nodes in a zone of their own: the zones of
 * the nodes use them, and SimGrid wants zones before the links of their parent. */
static void put_network(const struct printer *w)
{
  put_zone(w->f, "network", "None");
  for (uint32_t link = 0; link < w->p->n.link_ids; link++)
    if (platform_has_link(w->p, link))
      put_one_link(w, link);
  put_zone_end(w->f);
}

static void put_inside(const struct printer *w, uint32_t node)
{
  const uint32_t each = inside_links(w->p->inside), first = w->p->n.link_ids + node * each;
  char name[PLATFORM_NAME_SIZE], port[PLATFORM_NAME_SIZE + 16];
  for (uint32_t i = 0; i < each; i++)
    put_one_link(w, first + i);
  snprintf(port, sizeof port, "%s-port",
           platform_simgrid_host(w->p->nodes, node, name, sizeof name));
  put_link(w->f, port, UNLIMITED_BPS, 0, "FATPIPE");
}

/* --- routes ----------------------------------------------------------------------------------- */

/* Writes the links from one core to another, and the end of the element @p tag. */
static enum status put_way(const struct printer *w, uint32_t src, uint32_t dst, const char *tag)
{
  struct platform_route route;
  char name[PLATFORM_NAME_SIZE];
  if (platform_route_needed(w->finder, src, dst, &route, w->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < route.links; i++) {
    fputs("<link_ctn", w->f);
    put_text(w->f, "id", platform_link_name(w->p, route.link[i], name, sizeof name));
    fputs("/>", w->f);
  }
  fprintf(w->f, "</%s>\n", tag);
  return OK;
}

/* Writes the route between two cores of a node.  The route back has the same links in reverse. */
static enum status put_pair(const struct printer *w, uint32_t node, uint32_t a, uint32_t b)
{
  char name[PLATFORM_NAME_SIZE];
  fputs("    <route", w->f);
  put_text(w->f, "src", core_name(w, node, a, name, sizeof name));
  put_text(w->f, "dst", core_name(w, node, b, name, sizeof name));
  fputs(a == b ? " symmetrical=\"NO\">" : ">", w->f);
  return put_way(w, node * w->cores + a, node * w->cores + b, "route");
}

/* Writes the route from a core to the router. */
static void put_port(const struct printer *w, uint32_t node, uint32_t core)
{
  char name[PLATFORM_NAME_SIZE];
  fputs("    <route", w->f);
  put_text(w->f, "src", core_name(w, node, core, name, sizeof name));
  put_node(w, "dst", node, "-router");
  fputs("><link_ctn", w->f);
  put_node(w, "id", node, "-port");
  fputs("/></route>\n", w->f);
}

static enum status put_zone_route(const struct printer *w, uint32_t a, uint32_t b)
{
  fputs("  <zoneRoute", w->f);
  put_node(w, "src", a, "-zone");
  put_node(w, "dst", b, "-zone");
  put_node(w, "gw_src", a, "-router");
  put_node(w, "gw_dst", b, "-router");
  fputs(" symmetrical=\"NO\">", w->f);
  return put_way(w, a * w->cores, b * w->cores, "zoneRoute");
}

/* --- nodes ------------------------------------------------------------------------------------ */

static enum status put_one_node(const struct printer *w, uint32_t node)
{
  char name[PLATFORM_NAME_SIZE];
  fputs("  <zone", w->f);
  put_node(w, "id", node, "-zone");
  fputs(" routing=\"Full\">\n", w->f);
  for (uint32_t c = 0; c < w->cores; c++)
    put_host(w->f, core_name(w, node, c, name, sizeof name), platform_host_speed(w->p->nodes, node),
             1);
  fputs("    <router", w->f);
  put_node(w, "id", node, "-router");
  fputs("/>\n", w->f);
  put_inside(w, node);
  for (uint32_t a = 0; a < w->cores; a++) {
    put_port(w, node, a);
    for (uint32_t b = a; b < w->cores; b++)
      if (put_pair(w, node, a, b) != OK)
        return FAIL;
  }
  put_zone_end(w->f);
  return OK;
}

static enum status put_nodes(const struct printer *w)
{
  put_network(w);
  for (uint32_t a = 0; a < w->nodes; a++)
    if (put_one_node(w, a) != OK)
      return FAIL;
  for (uint32_t a = 0; a < w->nodes; a++)
    for (uint32_t b = 0; b < w->nodes; b++)
      if (a != b && put_zone_route(w, a, b) != OK)
        return FAIL;
  return OK;
}

enum status nodes_print(const struct platform *p, FILE *f, struct err *e)
{
  struct printer w = {
      .p = p, .f = f, .nodes = platform_hosts(p->nodes), .cores = p->inside->cores, .e = e};
  if (platform_finder_new(&w.finder, p, e) != OK)
    return FAIL;
  const enum status s = put_nodes(&w);
  platform_finder_free(w.finder);
  return s;
}
