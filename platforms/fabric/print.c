/* Writes fabrics as SimGrid's XML: a zone of hosts and links.  A tree with a single cable between
 * each node and its parent has a single route between two hosts, which SimGrid finds itself.  Other
 * fabrics need the route of each pair of hosts. */
#include "platforms/fabric/print.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "platforms/fabric/fabric.h"
#include "platforms/platform_internal.h"
#include "platforms/xml/put.h"

/* Maximum number of hosts if the file has a route for each pair. */
enum { MOST_LISTED = 256 };

static bool is_simple_tree(const struct topology *t)
{
  return fabric_of(t)->cables + 1 == t->hosts + t->switches;
}

enum status fabric_check_print(const struct topology *t, struct err *e)
{
  if (is_simple_tree(t) || t->hosts <= MOST_LISTED)
    return OK;
  return err_set(e,
                 "%s: SimGrid would need a route for each pair of %" PRIu32
                 " hosts, which haichi writes for up to %d hosts; trees with one cable between "
                 "switches need no routes",
                 topology_spec(t), t->hosts, MOST_LISTED);
}

static void put_links(FILE *f, const struct platform *p)
{
  const struct topology *t = p->one->topology;
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t c = 0; c < fabric_of(t)->cables; c++) {
    const struct link_info info = cluster_link(p->one, 2 * c);
    fabric_link_name(t, 2 * c, "", 0, name, sizeof name);
    put_link(f, name, info.bandwidth, info.latency, "SPLITDUPLEX");
  }
  for (uint32_t h = 0; h < t->hosts; h++) {
    const struct link_info info = cluster_link(p->one, t->link_ids + h);
    snprintf(name, sizeof name, "%s-loopback", fabric_host_name(t, h));
    put_link(f, name, info.bandwidth, info.latency, "FATPIPE");
  }
}

static void begin_route(FILE *f, const char *src, const char *dst, bool both)
{
  fputs("    <route", f);
  put_text(f, "src", src);
  put_text(f, "dst", dst);
  fputs(both ? ">" : " symmetrical=\"NO\">", f);
}

static void put_way(FILE *f, const struct topology *t, const uint32_t *link, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    char name[PLATFORM_NAME_SIZE];
    fabric_link_name(t, link[i], "", 0, name, sizeof name);
    fputs("<link_ctn", f);
    put_text(f, "id", name);
    fprintf(f, " direction=\"%s\"/>", link[i] % 2 == 0 ? "UP" : "DOWN");
  }
  fputs("</route>\n", f);
}

static void put_loopbacks(FILE *f, const struct topology *t)
{
  for (uint32_t h = 0; h < t->hosts; h++) {
    char name[PLATFORM_NAME_SIZE];
    const char *host = fabric_host_name(t, h);
    snprintf(name, sizeof name, "%s-loopback", host);
    begin_route(f, host, host, false);
    fputs("<link_ctn", f);
    put_text(f, "id", name);
    fputs("/></route>\n", f);
  }
}

static void put_cables(FILE *f, const struct fabric *x)
{
  for (uint32_t c = 0; c < x->cables; c++) {
    const uint32_t link = 2 * c;
    begin_route(f, x->name[x->cable[c].end[0]], x->name[x->cable[c].end[1]], true);
    put_way(f, &x->base, &link, 1);
  }
}

/* True if the route back has the same cables. */
static bool is_reverse(const uint32_t *there, const uint32_t *back, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (there[i] != (back[n - 1 - i] ^ 1))
      return false;
  return true;
}

static void put_pair(FILE *f, const struct topology *t, uint32_t a, uint32_t b, uint32_t *link)
{
  uint32_t *back = link + t->diameter;
  const uint32_t n = topology_route(t, a, b, link), m = topology_route(t, b, a, back);
  const bool both = n == m && is_reverse(link, back, n);
  begin_route(f, fabric_host_name(t, a), fabric_host_name(t, b), both);
  put_way(f, t, link, n);
  if (both)
    return;
  begin_route(f, fabric_host_name(t, b), fabric_host_name(t, a), false);
  put_way(f, t, back, m);
}

enum status fabric_print(const struct platform *p, FILE *f, struct err *e)
{
  const struct topology *t = p->one->topology;
  const struct fabric *x = fabric_of(t);
  uint32_t *link = mem_array(2 * (size_t)t->diameter, sizeof *link, e);
  if (link == NULL)
    return FAIL;
  for (uint32_t h = 0; h < t->hosts; h++)
    put_host(f, fabric_host_name(t, h), platform_host_speed(p, h), platform_host_cores(p, h));
  for (uint32_t s = 0; is_simple_tree(t) && s < t->switches; s++) {
    fputs("    <router", f);
    put_text(f, "id", x->name[t->hosts + s]);
    fputs("/>\n", f);
  }
  put_links(f, p);
  put_loopbacks(f, t);
  if (is_simple_tree(t))
    put_cables(f, x);
  for (uint32_t a = 0; !is_simple_tree(t) && a < t->hosts; a++)
    for (uint32_t b = a + 1; b < t->hosts; b++)
      put_pair(f, t, a, b, link);
  free(link);
  return OK;
}

const char *fabric_routing(const struct topology *t)
{
  return is_simple_tree(t) ? "DijkstraCache" : "Full";
}
