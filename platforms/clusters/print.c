/* Writes several clusters as SimGrid XML: a zone of routing Full that contains a zone for each
 * cluster. */
#include <inttypes.h>

#include "platforms/clusters/multicluster.h"
#include "platforms/platform.h"
#include "platforms/topology/kind.h"
#include "platforms/xml/put.h"

static bool has_unequal_cores(const struct site *s)
{
  for (uint32_t i = 1; i < s->kinds; i++)
    if (s->kind[i].cores != s->kind[0].cores)
      return true;
  return false;
}

/* --- clusters --------------------------------------------------------------------------------- */

/* A <cluster> has a single speed, the speed of its fastest hosts.  Profiles slow down the other
 * hosts. */
static void put_scales(FILE *f, const struct site *s)
{
  uint32_t host = 0;
  for (uint32_t i = 0; i < s->kinds; i++)
    for (uint32_t k = 0; k < s->kind[i].hosts; k++, host++) {
      char name[PLATFORM_NAME_SIZE], id[PLATFORM_NAME_SIZE + 8];
      if (s->kind[i].speed == s->c.speed)
        continue;
      cluster_host_name(&s->c, host, name, sizeof name);
      snprintf(id, sizeof id, "speed-%s", name);
      put_scale(f, id, name, cluster_scale(s->kind[i].speed, s->c.speed));
    }
}

static void put_site_host(FILE *f, const struct site *s, const struct site_kind *k, uint32_t host)
{
  char name[PLATFORM_NAME_SIZE], link[PLATFORM_NAME_SIZE + 16];
  cluster_host_name(&s->c, host, name, sizeof name);
  put_host(f, name, k->speed, k->cores);
  snprintf(link, sizeof link, "%s-link", name);
  put_link(f, link, s->c.bandwidth, s->c.latency, "SPLITDUPLEX");
  snprintf(link, sizeof link, "%s-loopback", name);
  put_link(f, link, s->c.loopback_bandwidth, s->c.loopback_latency, "FATPIPE");
}

/* Writes a star host by host, in a zone with shortest-path routing.  A zone of routing Cluster
 * cannot be used: SimGrid has no route from a host to the router there. */
static void put_unequal_cores(FILE *f, const struct site *s)
{
  uint32_t host = 0;
  put_zone(f, s->c.id, "DijkstraCache");
  if (s->c.no_inbound)
    put_no_inbound(f);
  for (uint32_t i = 0; i < s->kinds; i++)
    for (uint32_t k = 0; k < s->kind[i].hosts; k++)
      put_site_host(f, s, &s->kind[i], host++);
  fprintf(f, "    <router id=\"%s\"/>\n", s->c.router);
  for (uint32_t h = 0; h < host; h++) {
    char name[PLATFORM_NAME_SIZE];
    cluster_host_name(&s->c, h, name, sizeof name);
    fprintf(f,
            "    <route src=\"%s\" dst=\"%s\"><link_ctn id=\"%s-link\" direction=\"UP\"/></route>\n"
            "    <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\"><link_ctn "
            "id=\"%s-loopback\"/></route>\n",
            name, s->c.router, name, name, name, name);
  }
  put_zone_end(f);
}

static void put_site(FILE *f, const struct site *s)
{
  char link[CLUSTER_PART_MAX + 16];
  if (has_unequal_cores(s))
    put_unequal_cores(f, s);
  else
    put_cluster(f, &s->c);
  snprintf(link, sizeof link, "uplink-%s", s->c.id);
  if (s->uplink_Bps > 0)
    put_link(f, link, s->uplink_Bps, 0, "SPLITDUPLEX");
}

/* --- wide-area links -------------------------------------------------------------------------- */

static void put_gateway(FILE *f, const char *attribute, const struct site *s)
{
  char name[PLATFORM_NAME_SIZE];
  if (s->c.router[0] != '\0')
    snprintf(name, sizeof name, "%s", s->c.router);
  else
    cluster_host_name(&s->c, s->gateway, name, sizeof name);
  put_text(f, attribute, name);
}

static void put_uplink(FILE *f, const struct site *s, const char *way)
{
  if (s->uplink_Bps > 0)
    fprintf(f, "<link_ctn id=\"uplink-%s\" direction=\"%s\"/>", s->c.id, way);
}

static void put_wan_link(FILE *f, const struct multicluster *m, uint32_t a, uint32_t b, double *all)
{
  const struct wan *w = multicluster_wan(m, a, b);
  char link[2 * CLUSTER_PART_MAX + 8];
  snprintf(link, sizeof link, "wan-%s-%s", m->site[a].c.id, m->site[b].c.id);
  put_link(f, link, w->bandwidth_Bps, w->rtt_s / 2,
           w->sharing == WAN_PAIR ? "SPLITDUPLEX" : "FATPIPE");
  if (w->sharing != WAN_ALL || *all > 0)
    return;
  *all = w->bandwidth_Bps;
  put_link(f, "wan", *all, 0, "SHARED");
}

static void put_route(FILE *f, const struct multicluster *m, uint32_t a, uint32_t b)
{
  const struct wan *w = multicluster_wan(m, a, b);
  const struct site *from = &m->site[a], *to = &m->site[b];
  fprintf(f, "    <zoneRoute src=\"%s\" dst=\"%s\"", from->c.id, to->c.id);
  put_gateway(f, "gw_src", from);
  put_gateway(f, "gw_dst", to);
  fputs(">", f);
  put_uplink(f, from, "UP");
  fprintf(f, "<link_ctn id=\"wan-%s-%s\"%s/>", from->c.id, to->c.id,
          w->sharing == WAN_PAIR ? " direction=\"UP\"" : "");
  if (w->sharing == WAN_ALL)
    fputs("<link_ctn id=\"wan\"/>", f);
  put_uplink(f, to, "DOWN");
  fputs("</zoneRoute>\n", f);
}

void multicluster_print(const struct multicluster *m, FILE *f)
{
  double all = 0;
  put_begin(f);
  put_zone(f, "haichi", "Full");
  for (uint32_t i = 0; i < m->sites; i++)
    put_site(f, &m->site[i]);
  for (uint32_t a = 0; a < m->sites; a++)
    for (uint32_t b = a + 1; b < m->sites; b++)
      put_wan_link(f, m, a, b, &all);
  for (uint32_t a = 0; a < m->sites; a++)
    for (uint32_t b = a + 1; b < m->sites; b++)
      put_route(f, m, a, b);
  put_zone_end(f);
  for (uint32_t i = 0; i < m->sites; i++)
    if (!has_unequal_cores(&m->site[i]))
      put_scales(f, &m->site[i]);
  put_end(f);
}
