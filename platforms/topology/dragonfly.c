/* Dragonflies, as built and routed by DragonflyZone of SimGrid 3.32
 * (src/kernel/routing/DragonflyZone.cpp): groups of chassis of routers with hosts, minimal routing.
 *
 * Green links join the routers of a chassis.  Black links join routers with the same number in the
 * chassis of a group.  Blue links join groups: router i of group j and router j of group i.  The
 * number of links of a colour multiplies its bandwidth.
 *
 * SimGrid 3.32 reads past the end of its tables if there are more groups than routers in a chassis.
 * Here the routes to these groups follow the rule for the other groups.  Inside its group, a route
 * to a router in another chassis takes a green link to the router with the same number in its own
 * chassis, then a black link.
 *
 * Cables are numbered as in SimGrid: host cables, green, black, blue.  Link ids are 2 * cable + (1
 * if downward). */
#include <inttypes.h>

#include "common/spec.h"
#include "platforms/topology/kind.h"

enum { MOST = 65536, LONGEST = 7 /* maximum links of a route */ };

enum { BLUE, BLACK, GREEN, COLOURS };

struct dragonfly {
  struct topology base;
  uint32_t groups, chassis, routers, nodes; /* chassis per group, routers per chassis, ... */
  uint32_t width[COLOURS];
  uint32_t green, black, blue; /* first cable of each colour; host cables come first */
  struct topology_counters before;
};

struct place {
  uint32_t group, chassis, router, node;
};

extern const struct topology_kind topology_dragonfly;

static const struct dragonfly *fly_of(const struct topology *t)
{
  return (const struct dragonfly *)t;
}

/* --- building --------------------------------------------------------------------------------- */

static uint64_t pairs(uint64_t n)
{
  return n * (n - 1) / 2;
}

static enum status count(struct dragonfly *d, struct err *e)
{
  const uint64_t routers = (uint64_t)d->groups * d->chassis * d->routers;
  const uint64_t hosts = routers <= TOPOLOGY_MAX_HOSTS ? routers * d->nodes : UINT64_MAX;
  if (hosts > TOPOLOGY_MAX_HOSTS)
    return err_set(e, "more than %u hosts", TOPOLOGY_MAX_HOSTS);
  if (d->groups > d->chassis * d->routers)
    return err_set(e, "%" PRIu32 " groups, but a group has %" PRIu32 " routers to link them",
                   d->groups, d->chassis * d->routers);
  const uint64_t green = hosts, black = green + d->groups * d->chassis * pairs(d->routers),
                 blue = black + d->groups * pairs(d->chassis) * d->routers,
                 cables = blue + pairs(d->groups);
  if (cables > TOPOLOGY_MAX_HOSTS * UINT64_C(8))
    return err_set(e, "more than %" PRIu64 " cables", TOPOLOGY_MAX_HOSTS * UINT64_C(8));
  d->green = (uint32_t)green;
  d->black = (uint32_t)black;
  d->blue = (uint32_t)blue;
  d->base.hosts = (uint32_t)hosts;
  d->base.switches = (uint32_t)routers;
  d->base.link_ids = d->base.links = (uint32_t)(2 * cables);
  const uint32_t local = (d->routers > 1) + (d->chassis > 1);
  d->base.diameter = hosts == 1 ? 0 : 2 + local + (d->groups > 1 ? 1 + local : 0);
  return OK;
}

static void write_spec(struct dragonfly *d)
{
  static const char *const NAMES[] = {"blue", "black", "green"};
  char *spec = d->base.spec;
  const size_t size = sizeof d->base.spec;
  size_t n = (size_t)snprintf(spec, size,
                              "dragonfly:groups=%" PRIu32 ",chassis=%" PRIu32 ",routers=%" PRIu32
                              ",nodes=%" PRIu32,
                              d->groups, d->chassis, d->routers, d->nodes);
  for (size_t i = 0; i < COLOURS; i++)
    if (d->width[i] > 1)
      n += (size_t)snprintf(spec + n, size - n, ",%s=%" PRIu32, NAMES[i], d->width[i]);
}

/* Completes a dragonfly whose parameters are set. */
static enum status finish(struct topology **out, struct dragonfly *d, struct err *e)
{
  d->base.kind = &topology_dragonfly;
  if (count(d, e) != OK)
    return FAIL;
  write_spec(d);
  return topology_keep(out, &d->base, sizeof *d, e);
}

#define AT(FIELD) offsetof(struct dragonfly, FIELD)
#define OPTION(NAME, FIELD, DEFAULT, ENDS, HELP)                                                   \
  {                                                                                                \
    NAME, SPEC_U32, AT(FIELD), DEFAULT, .help = HELP, .least = 1, .most = MOST, .ends = ENDS       \
  }

static const struct spec_option OPTIONS[] = {
    OPTION("groups", groups, NULL, 0, "groups"),
    OPTION("chassis", chassis, NULL, 0, "chassis of a group"),
    OPTION("routers", routers, NULL, 0, "routers of a chassis"),
    OPTION("nodes", nodes, NULL, 0, "hosts of a router"),
    OPTION("blue", width[BLUE], "1", 0, "links between two groups"),
    OPTION("black", width[BLACK], "1", 0, "links between two chassis, per router"),
    OPTION("green", width[GREEN], "1", 0, "links between two routers of a chassis"),
    {.name = NULL},
};

static const struct spec_option SIMGRID_OPTIONS[] = {
    OPTION("groups", groups, NULL, ',', ""),
    OPTION("links between groups", width[BLUE], NULL, ';', ""),
    OPTION("chassis", chassis, NULL, ',', ""),
    OPTION("links between chassis", width[BLACK], NULL, ';', ""),
    OPTION("routers", routers, NULL, ',', ""),
    OPTION("links between routers", width[GREEN], NULL, ';', ""),
    OPTION("nodes", nodes, NULL, ';', ""),
    {.name = NULL},
};

static enum status parse(struct topology **out, const char *text, struct err *e)
{
  struct dragonfly d = {.groups = 0};
  return spec_parse(NULL, OPTIONS, text, &d, e) == OK ? finish(out, &d, e) : FAIL;
}

/* Parses "GROUPS,BLUE;CHASSIS,BLACK;ROUTERS,GREEN;NODES". */
static enum status parse_simgrid(struct topology **out, const char *parameters, uint32_t hosts,
                                 const struct topology_counters *before, struct err *e)
{
  struct dragonfly d = {.before = *before};
  struct err why;
  (void)hosts;
  if (spec_parse(NULL, SIMGRID_OPTIONS, parameters, &d, &why) != OK)
    return err_set(e, "%s; expected GROUPS,LINKS;CHASSIS,LINKS;ROUTERS,LINKS;NODES", why.text);
  if (d.groups > d.routers)
    return err_set(e,
                   "%" PRIu32 " groups, but a chassis has %" PRIu32 " routers: SimGrid would read "
                   "past the end of its tables; haichi accepts such a dragonfly only as a spec",
                   d.groups, d.routers);
  return finish(out, &d, e);
}

static void print_simgrid(const struct topology *t, FILE *f)
{
  const struct dragonfly *d = fly_of(t);
  fprintf(f, "%" PRIu32 ",%" PRIu32 ";%" PRIu32 ",%" PRIu32 ";%" PRIu32 ",%" PRIu32 ";%" PRIu32,
          d->groups, d->width[BLUE], d->chassis, d->width[BLACK], d->routers, d->width[GREEN],
          d->nodes);
}

/* --- routes ----------------------------------------------------------------------------------- */

static struct place place_of(const struct dragonfly *d, uint32_t host)
{
  const uint32_t router = host / d->nodes;
  return (struct place){.node = host % d->nodes,
                        .router = router % d->routers,
                        .chassis = router / d->routers % d->chassis,
                        .group = router / d->routers / d->chassis};
}

static uint32_t router_of(const struct dragonfly *d, const struct place *p)
{
  return (p->group * d->chassis + p->chassis) * d->routers + p->router;
}

/* Number of the pair (a, b), a < b, in the list of all pairs of n sorted by a, then b. */
static uint32_t pair_number(uint32_t a, uint32_t b, uint32_t n)
{
  return (uint32_t)(a * (uint64_t)(2 * n - a - 1) / 2) + b - a - 1;
}

static uint32_t pair_cable(uint32_t a, uint32_t b, uint32_t n)
{
  return a < b ? pair_number(a, b, n) : pair_number(b, a, n);
}

/* In SimGrid the upward link starts at the side with the lower number. */
static void add_cable(struct topology_path *p, uint32_t cable, bool down)
{
  topology_add(p, 2 * cable + down);
}

static void add_limiter(const struct dragonfly *d, const struct place *at, struct topology_path *p)
{
  topology_add_limiter(&d->base, p, d->base.hosts + router_of(d, at));
}

static void go_green(const struct dragonfly *d, struct place *at, uint32_t router,
                     struct topology_path *p)
{
  if (at->router == router)
    return;
  const uint32_t first = (at->group * d->chassis + at->chassis) * (uint32_t)pairs(d->routers);
  add_limiter(d, at, p);
  add_cable(p, d->green + first + pair_cable(at->router, router, d->routers), at->router > router);
  at->router = router;
}

static void go_black(const struct dragonfly *d, struct place *at, uint32_t chassis,
                     struct topology_path *p)
{
  if (at->chassis == chassis)
    return;
  const uint32_t pair =
      at->group * (uint32_t)pairs(d->chassis) + pair_cable(at->chassis, chassis, d->chassis);
  add_limiter(d, at, p);
  add_cable(p, d->black + pair * d->routers + at->router, at->chassis > chassis);
  at->chassis = chassis;
}

static void go_blue(const struct dragonfly *d, struct place *at, uint32_t group,
                    struct topology_path *p)
{
  add_cable(p, d->blue + pair_cable(at->group, group, d->groups), at->group > group);
  add_limiter(d, at, p);
  at->router = at->group % d->routers;
  at->chassis = at->group / d->routers;
  at->group = group;
}

/* In the last group, SimGrid continues in chassis 0 after a green link of any chassis. */
static void route(const struct topology *t, uint32_t src, uint32_t dst, struct topology_path *p)
{
  const struct dragonfly *d = fly_of(t);
  const struct place to = place_of(d, dst);
  struct place at = place_of(d, src);
  topology_add_limiter(t, p, src);
  add_cable(p, src, false);
  if (at.group != to.group) {
    go_green(d, &at, to.group % d->routers, p);
    go_black(d, &at, to.group / d->routers, p);
    go_blue(d, &at, to.group, p);
  }
  if (at.router != to.router) {
    go_green(d, &at, to.router, p);
    at.chassis = 0;
  }
  go_black(d, &at, to.chassis, p);
  add_limiter(d, &to, p);
  add_cable(p, dst, true);
  topology_add_limiter(t, p, dst);
}

/* The number of links of route(), without the links. */
static uint32_t hops(const struct topology *t, uint32_t src, uint32_t dst)
{
  const struct dragonfly *d = fly_of(t);
  const struct place to = place_of(d, dst);
  struct place at = place_of(d, src);
  uint32_t n = 2;
  if (at.group != to.group) {
    n += 1 + (at.router != to.group % d->routers) + (at.chassis != to.group / d->routers);
    at.router = at.group % d->routers;
    at.chassis = at.group / d->routers;
  }
  if (at.router != to.router) {
    n++;
    at.chassis = 0;
  }
  return n + (at.chassis != to.chassis);
}

/* Number of cables between two halves of @p n nodes that are linked all to all. */
static double halves(uint32_t n)
{
  return (double)(n / 2) * (n - n / 2);
}

static double bisection(const struct topology *t)
{
  const struct dragonfly *d = fly_of(t);
  if (d->groups > 1)
    return 2 * halves(d->groups) * d->width[BLUE];
  if (d->chassis > 1)
    return 2 * halves(d->chassis) * d->routers * d->width[BLACK];
  return d->routers > 1 ? 2 * halves(d->routers) * d->width[GREEN] : 2.0 * (t->hosts / 2);
}

/* --- links ------------------------------------------------------------------------------------ */

static struct topology_link describe_link(const struct topology *t, uint32_t link)
{
  const struct dragonfly *d = fly_of(t);
  const uint32_t cable = link / 2;
  const uint32_t width = cable >= d->blue    ? d->width[BLUE]
                         : cable >= d->black ? d->width[BLACK]
                         : cable >= d->green ? d->width[GREEN]
                                             : 1;
  return (struct topology_link){.up = link & ~1u, .width = width};
}

/* The inverse of pair_number(). */
static void pair_at(uint32_t number, uint32_t n, uint32_t *a, uint32_t *b)
{
  *a = 0;
  while (number >= n - 1 - *a)
    number -= n - 1 - (*a)++;
  *b = *a + 1 + number;
}

static void link_name(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                      char *name, size_t size)
{
  const struct dragonfly *d = fly_of(t);
  const uint32_t cable = link / 2, uid = d->before.cables + cable;
  uint32_t a, b;
  (void)id;
  (void)number;
  if (cable < d->green) {
    snprintf(name, size, "local_link_from_router_%" PRIu32 "_to_node_%" PRIu32 "_%" PRIu32,
             cable / d->nodes, cable % d->nodes, uid);
  } else if (cable < d->black) {
    const uint32_t each = (uint32_t)pairs(d->routers), chassis = (cable - d->green) / each;
    pair_at((cable - d->green) % each, d->routers, &a, &b);
    snprintf(name, size,
             "green_link_in_chassis_%" PRIu32 "_between_routers_%" PRIu32 "_and_%" PRIu32
             "_%" PRIu32,
             chassis % d->chassis, a, b, uid);
  } else if (cable < d->blue) {
    const uint32_t pair = (cable - d->black) / d->routers, each = (uint32_t)pairs(d->chassis);
    pair_at(pair % each, d->chassis, &a, &b);
    snprintf(name, size,
             "black_link_in_group_%" PRIu32 "_between_chassis_%" PRIu32 "_and_%" PRIu32
             "_blade_%" PRIu32 "_%" PRIu32,
             pair / each, a, b, (cable - d->black) % d->routers, uid);
  } else {
    pair_at(cable - d->blue, d->groups, &a, &b);
    const uint32_t each = d->chassis * d->routers;
    snprintf(name, size,
             "blue_link_between_group_%" PRIu32 "_and_%" PRIu32 "_routers_%" PRIu32 "_and_%" PRIu32
             "_%" PRIu32,
             a, b, a * each + b, b * each + a, uid);
  }
}

/* In SimGrid the limiters of routers have the numbers 2 * hosts - 1 and down. */
static uint32_t switch_id(const struct topology *t, uint32_t s)
{
  return 2 * t->hosts - 1 - s;
}

/* A blue link belongs to the group where it starts. */
static void link_group(const struct topology *t, uint32_t link, char *name, size_t size)
{
  const struct dragonfly *d = fly_of(t);
  const uint32_t cable = link / 2;
  if (cable < d->green) {
    snprintf(name, size, "group %" PRIu32 " hosts", cable / (d->nodes * d->routers * d->chassis));
  } else if (cable < d->black) {
    snprintf(name, size, "group %" PRIu32 " green",
             (cable - d->green) / (uint32_t)pairs(d->routers) / d->chassis);
  } else if (cable < d->blue) {
    snprintf(name, size, "group %" PRIu32 " black",
             (cable - d->black) / d->routers / (uint32_t)pairs(d->chassis));
  } else {
    uint32_t a, b;
    pair_at(cable - d->blue, d->groups, &a, &b);
    snprintf(name, size, "group %" PRIu32 " blue", link % 2 == 0 ? a : b);
  }
}

static uint32_t group(const struct topology *t, uint32_t host)
{
  return host / fly_of(t)->nodes;
}

static bool own_cables(const struct topology *t)
{
  (void)t;
  return true;
}

const struct topology_kind topology_dragonfly = {
    .name = "dragonfly",
    .example = "dragonfly:groups=4,chassis=3,routers=4,nodes=2",
    .help = "groups of chassis of routers; blue=, black=, green=: links between groups, chassis, "
            "routers (1)",
    .simgrid = "DRAGONFLY",
    .parse = parse,
    .parse_simgrid = parse_simgrid,
    .print_simgrid = print_simgrid,
    .hops = hops,
    .route = route,
    .bisection = bisection,
    .link = describe_link,
    .link_name = link_name,
    .switch_id = switch_id,
    .group = group,
    .own_cables = own_cables,
    .link_group = link_group,
};
