/* Stars: each host has a cable to one switch, which is either a crossbar without limit or a
 * backbone that carries all traffic: <cluster topology="FLAT"> and StarZone of SimGrid 3.32
 * (src/kernel/routing/StarZone.cpp, src/surf/sg_platf.cpp).
 *
 * Link ids are 2 * host + (1 if downward), then the backbone. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/spec.h"
#include "platforms/topology/kind.h"
#include "platforms/topology/star.h"

struct star {
  struct topology base;
  struct star_backbone backbone;
};

extern const struct topology_kind topology_star;

static const struct star *star_of(const struct topology *t)
{
  return (const struct star *)t;
}

bool topology_is_star(const struct topology *t)
{
  return t->kind == &topology_star;
}

const struct star_backbone *topology_backbone(const struct topology *t)
{
  return t->kind == &topology_star && star_of(t)->backbone.bandwidth_Bps > 0 ? &star_of(t)->backbone
                                                                             : NULL;
}

enum status topology_star_new(struct topology **out, uint32_t hosts,
                              const struct star_backbone *backbone, struct err *e)
{
  struct star *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  const bool has = backbone->bandwidth_Bps > 0;
  s->backbone = *backbone;
  s->base = (struct topology){.kind = &topology_star,
                              .hosts = hosts,
                              .link_ids = 2 * hosts + has,
                              .links = 2 * hosts + has,
                              .diameter = hosts == 1 ? 0 : 2 + has};
  char *spec = s->base.spec;
  const size_t size = sizeof s->base.spec;
  size_t n = (size_t)snprintf(spec, size, "star:%" PRIu32, hosts);
  if (has)
    n += (size_t)snprintf(spec + n, size - n, ",backbone=%.17gBps", backbone->bandwidth_Bps);
  if (has && backbone->latency_s > 0)
    n += (size_t)snprintf(spec + n, size - n, ",latency=%.17gs", backbone->latency_s);
  if (has && backbone->fat)
    snprintf(spec + n, size - n, ",fat=1");
  *out = &s->base;
  return OK;
}

struct options {
  double bandwidth_Bps, latency_s;
  uint32_t hosts, fat;
};

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"hosts", SPEC_U32, AT(hosts), NULL, .help = "number of hosts", .least = 1,
     .most = TOPOLOGY_MAX_HOSTS, .ends = ','},
    {"backbone", SPEC_BANDWIDTH, AT(bandwidth_Bps), "", .help = "bandwidth of the backbone"},
    {"latency", SPEC_TIME, AT(latency_s), "", .help = "latency of the backbone"},
    {"fat", SPEC_U32, AT(fat), "", .help = "1: every flow has its full bandwidth", .least = 1,
     .most = 1},
    {.name = NULL},
};

/* Parses "64" or "64,backbone=10GBps,latency=1us,fat=1". */
static enum status parse(struct topology **out, const char *text, struct err *e)
{
  struct options o;
  struct spec s;
  if (spec_parse(&s, OPTIONS, text, &o, e) != OK)
    return FAIL;
  const bool latency = spec_given(&s, "latency");
  spec_clear(&s);
  if (o.bandwidth_Bps <= 0 && (latency || o.fat > 0))
    return err_set(e, "%s without backbone", latency ? "latency" : "fat");
  const struct star_backbone b = {o.bandwidth_Bps, o.latency_s, o.fat > 0};
  if (topology_star_new(out, o.hosts, &b, e) != OK)
    return FAIL;
  snprintf((*out)->spec, sizeof(*out)->spec, "star:%" PRIu32 "%s", o.hosts,
           text + strcspn(text, ","));
  return OK;
}

/* The number after the last host is the router of SimGrid's cluster, at the switch.  A link that
 * would occur twice is added once (StarZone::add_links_to_route()): the backbone, and the limiter
 * of a host that sends to itself. */
static void route(const struct topology *t, uint32_t src, uint32_t dst, struct topology_path *p)
{
  if (src < t->hosts) {
    topology_add_limiter(t, p, src);
    topology_add(p, 2 * src);
  }
  if (topology_backbone(t) != NULL && (src < t->hosts || dst < t->hosts))
    topology_add(p, 2 * t->hosts);
  if (dst < t->hosts) {
    topology_add(p, 2 * dst + 1);
    if (src != dst)
      topology_add_limiter(t, p, dst);
  }
}

static uint32_t hops(const struct topology *t, uint32_t src, uint32_t dst)
{
  (void)src;
  (void)dst;
  return t->diameter;
}

static double bisection(const struct topology *t)
{
  return 2.0 * (t->hosts / 2);
}

static struct topology_link describe_link(const struct topology *t, uint32_t link)
{
  const struct star_backbone *b = &star_of(t)->backbone;
  if (link < 2 * t->hosts)
    return (struct topology_link){.up = link & ~1u, .width = 1};
  return (struct topology_link){.up = link,
                                .width = 1,
                                .bandwidth_Bps = b->bandwidth_Bps,
                                .latency_s = b->latency_s,
                                .fat = b->fat,
                                .single = true};
}

static uint32_t link_host(const struct topology *t, uint32_t link)
{
  return link < 2 * t->hosts ? link / 2 : 0;
}

static void link_name(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                      char *name, size_t size)
{
  if (link < 2 * t->hosts)
    snprintf(name, size, "%s_link_%" PRIu32, id, number);
  else
    snprintf(name, size, "%s_backbone", id);
}

static void link_group(const struct topology *t, uint32_t link, char *name, size_t size)
{
  snprintf(name, size, "%s", link == 2 * t->hosts ? "backbone" : link % 2 == 0 ? "up" : "down");
}

static uint32_t group(const struct topology *t, uint32_t host)
{
  (void)t;
  (void)host;
  return 0;
}

static bool own_cables(const struct topology *t)
{
  (void)t;
  return true;
}

const struct topology_kind topology_star = {
    .name = "star",
    .example = "star:64",
    .help = "hosts on one switch; backbone=10GBps,latency=1us: a link for all traffic",
    .simgrid = "FLAT",
    .parse = parse,
    .hops = hops,
    .route = route,
    .bisection = bisection,
    .link = describe_link,
    .link_name = link_name,
    .link_host = link_host,
    .group = group,
    .own_cables = own_cables,
    .link_group = link_group,
};
