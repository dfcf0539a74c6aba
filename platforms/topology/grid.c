#include "platforms/topology/grid.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/spec.h"
#include "platforms/topology/kind.h"

extern const struct topology_kind topology_torus, topology_mesh, topology_hypercube;

struct grid {
  struct topology base;
  enum grid_kind kind;
  uint32_t ndims;
  uint32_t side[GRID_MAX_DIMS];
};

static const struct grid *grid_of(const struct topology *t)
{
  assert(topology_is_grid(t));
  return (const struct grid *)t;
}

enum grid_kind grid_kind(const struct topology *t)
{
  return grid_of(t)->kind;
}

const uint32_t *grid_sides(const struct topology *t, uint32_t *ndims)
{
  *ndims = grid_of(t)->ndims;
  return grid_of(t)->side;
}

/* --- specs ------------------------------------------------------------------------------------ */

struct options {
  struct spec_list sides;
  uint32_t dimensions; /* of a hypercube */
};

#define AT(FIELD) offsetof(struct options, FIELD)
#define SIDES(SEPARATOR, ENDS)                                                                     \
  {                                                                                                \
    {"sides",                                                                                      \
     SPEC_LIST,                                                                                    \
     AT(sides),                                                                                    \
     NULL,                                                                                         \
     .help = "hosts along each dimension",                                                         \
     .least = 1,                                                                                   \
     .most = TOPOLOGY_MAX_HOSTS,                                                                   \
     .separator = SEPARATOR,                                                                       \
     .ends = ENDS},                                                                                \
    {                                                                                              \
      .name = NULL                                                                                 \
    }                                                                                              \
  }

static const struct spec_option OPTIONS[] = SIDES('x', ','), SIMGRID_OPTIONS[] = SIDES(',', ';'),
                                CUBE_OPTIONS[] = {{"dimensions", SPEC_U32, AT(dimensions), NULL,
                                                   .help = "number of dimensions", .least = 1,
                                                   .most = GRID_MAX_DIMS, .ends = ','},
                                                  {.name = NULL}};

_Static_assert(GRID_MAX_DIMS == SPEC_LIST_MOST, "a list has as many sides as a grid");

/* Sets the dimensions and sides. */
static enum status parse(struct grid *g, const struct spec_option *options, const char *text,
                         struct err *e)
{
  struct options o = {.dimensions = 0};
  if (spec_parse(NULL, options, text, &o, e) != OK)
    return FAIL;
  g->ndims = options == CUBE_OPTIONS ? o.dimensions : o.sides.count;
  for (uint32_t d = 0; d < g->ndims; d++)
    g->side[d] = options == CUBE_OPTIONS ? 2 : o.sides.value[d];
  return OK;
}

static uint32_t carrier_side(const struct grid *g, uint32_t dim)
{
  return g->kind == GRID_MESH ? 2 * g->side[dim] - 1 : g->side[dim];
}

/* Checks the size of the carrier, which is never smaller than the topology. */
static enum status set_size(struct grid *g, struct err *e)
{
  uint64_t carrier = 1;
  g->base.hosts = 1;
  for (uint32_t d = 0; d < g->ndims; d++) {
    carrier *= carrier_side(g, d);
    if (carrier > TOPOLOGY_MAX_HOSTS)
      return err_set(e, "more than %u hosts%s", TOPOLOGY_MAX_HOSTS,
                     g->kind == GRID_MESH ? " in the torus that carries the mesh" : "");
    g->base.hosts *= g->side[d];
  }
  return OK;
}

static void write_spec(struct grid *g, const char *name)
{
  char *spec = g->base.spec;
  const size_t size = sizeof g->base.spec;
  size_t n = (size_t)snprintf(spec, size, "%s:", name);
  if (g->kind == GRID_HYPERCUBE) {
    snprintf(spec + n, size - n, "%u", g->ndims);
    return;
  }
  for (uint32_t d = 0; d < g->ndims; d++)
    n += (size_t)snprintf(spec + n, size - n, d == 0 ? "%u" : "x%u", g->side[d]);
}

/* True if the hosts along dimension @p d form a path.  A ring of 2 counts as a path, since routes
 * use only one of its two links per direction. */
static bool is_path(const struct grid *g, uint32_t d)
{
  return g->kind == GRID_MESH || g->side[d] <= 2;
}

static enum status finish(struct topology **out, struct grid *g, const struct topology_kind *kind,
                          struct err *e)
{
  if (set_size(g, e) != OK)
    return FAIL;
  struct topology *t = &g->base;
  t->link_ids = t->hosts * g->ndims * 2;
  for (uint32_t d = 0; d < g->ndims; d++) {
    const uint32_t k = g->side[d];
    t->links += t->hosts / k * 2 * (is_path(g, d) ? k - 1 : k);
    t->diameter += is_path(g, d) ? k - 1 : k / 2;
  }
  write_spec(g, kind->name);
  t->kind = kind;
  *out = t;
  return OK;
}

static enum status build(struct topology **out, enum grid_kind kind,
                         const struct spec_option *options, const char *text, struct err *e)
{
  static const struct topology_kind *const ROWS[] = {&topology_torus, &topology_mesh,
                                                     &topology_hypercube};
  struct grid *g = mem_array(1, sizeof *g, e);
  if (g == NULL)
    return FAIL;
  g->kind = kind;
  enum status s = parse(g, options, text, e);
  if (s == OK)
    s = finish(out, g, ROWS[kind], e);
  if (s != OK)
    free(g);
  return s;
}

static enum status parse_torus(struct topology **out, const char *fields, struct err *e)
{
  return build(out, GRID_TORUS, OPTIONS, fields, e);
}

static enum status parse_mesh(struct topology **out, const char *fields, struct err *e)
{
  return build(out, GRID_MESH, OPTIONS, fields, e);
}

static enum status parse_hypercube(struct topology **out, const char *fields, struct err *e)
{
  return build(out, GRID_HYPERCUBE, CUBE_OPTIONS, fields, e);
}

/* --- SimGrid ---------------------------------------------------------------------------------- */

/* Refuses two sides of 1, for which SimGrid would declare the link from a host to itself twice. */
static enum status parse_simgrid(struct topology **out, const char *parameters, uint32_t hosts,
                                 const struct topology_counters *before, struct err *e)
{
  (void)before;
  (void)hosts;
  struct topology *t;
  if (build(&t, GRID_TORUS, SIMGRID_OPTIONS, parameters, e) != OK)
    return FAIL;
  uint32_t ones = 0;
  for (uint32_t d = 0; d < grid_of(t)->ndims; d++)
    ones += grid_of(t)->side[d] == 1;
  if (ones <= 1) {
    *out = t;
    return OK;
  }
  topology_free(t);
  return err_set(e, "two sides of 1, for which SimGrid declares the same link twice");
}

/* Omits sides of 1, which change neither routes nor names.  With two of them SimGrid would declare
 * the link from a host to itself twice and refuse the file. */
static void print_simgrid(const struct topology *t, FILE *f)
{
  const struct grid *g = grid_of(t);
  const char *separator = "";
  for (uint32_t d = 0; d < g->ndims; d++) {
    if (carrier_side(g, d) == 1)
      continue;
    fprintf(f, "%s%u", separator, carrier_side(g, d));
    separator = ",";
  }
  if (*separator == '\0')
    fputs("1", f);
}

uint32_t grid_carrier_hosts(const struct topology *t)
{
  uint32_t hosts = 1;
  if (!topology_is_grid(t))
    return t->hosts;
  for (uint32_t d = 0; d < grid_of(t)->ndims; d++)
    hosts *= carrier_side(grid_of(t), d);
  return hosts;
}

uint32_t grid_carrier_host(const struct topology *t, uint32_t h)
{
  const struct grid *g = grid_of(t);
  uint32_t carrier = 0, stride = 1;
  for (uint32_t d = 0; d < g->ndims; d++) {
    carrier += h % g->side[d] * stride;
    stride *= carrier_side(g, d);
    h /= g->side[d];
  }
  return carrier;
}

bool grid_from_carrier(const struct topology *t, uint32_t carrier, uint32_t *h)
{
  const struct grid *g = grid_of(t);
  uint32_t host = 0, stride = 1;
  for (uint32_t d = 0; d < g->ndims; d++) {
    const uint32_t k = carrier_side(g, d), at = carrier % k;
    if (at >= g->side[d])
      return false;
    host += at * stride;
    stride *= g->side[d];
    carrier /= k;
  }
  if (carrier != 0)
    return false;
  *h = host;
  return true;
}

/* --- links and routes ------------------------------------------------------------------------- */

static bool has_link(const struct topology *t, uint32_t link)
{
  const struct grid *g = grid_of(t);
  const bool down = link % 2 == 1;
  const uint32_t d = link / 2 % g->ndims;
  if (!is_path(g, d))
    return true;
  uint32_t at = link / 2 / g->ndims;
  for (uint32_t i = 0; i < d; i++)
    at /= g->side[i];
  at %= g->side[d];
  return down ? at > 0 : at + 1 < g->side[d];
}

/* Upward hops from coordinate @p a to @p b on a ring of k, including the wrap-around. */
static uint32_t steps_up(uint32_t a, uint32_t b, uint32_t k)
{
  return b >= a ? b - a : b + k - a;
}

/* True if SimGrid goes up from coordinate @p a to @p b != @p a.  It takes the shorter direction; on
 * a tie (distance k/2) it goes up, except from k/2 to 0: TorusZone::get_local_route in
 * src/kernel/routing/TorusZone.cpp. */
static bool goes_up(const struct grid *g, uint32_t d, uint32_t a, uint32_t b)
{
  if (is_path(g, d))
    return b > a;
  const uint32_t k = g->side[d], up = steps_up(a, b, k);
  return up == k - up ? b != 0 : up < k - up;
}

static uint32_t hops_along(const struct grid *g, uint32_t d, uint32_t a, uint32_t b)
{
  if (is_path(g, d))
    return b > a ? b - a : a - b;
  const uint32_t up = steps_up(a, b, g->side[d]), down = g->side[d] - up;
  return up < down ? up : down;
}

static uint32_t hops(const struct topology *t, uint32_t src, uint32_t dst)
{
  const struct grid *g = (const struct grid *)t;
  uint32_t sum = 0;
  for (uint32_t d = 0; d < g->ndims; d++) {
    const uint32_t k = g->side[d];
    sum += hops_along(g, d, src % k, dst % k);
    src /= k;
    dst /= k;
  }
  return sum;
}

/* Number of links in the best cut of @p hosts hosts across sides outside the bit set @p done.  A
 * cut across an even side halves every line along it.  A cut across an odd side leaves out the
 * middle layer, which is then cut across another side. */
static uint64_t best_cut(const struct grid *g, uint32_t done, uint64_t hosts)
{
  uint64_t best = 0;
  for (uint32_t d = 0; d < g->ndims; d++) {
    const uint32_t k = g->side[d], bit = (uint32_t)1 << d;
    if (k == 1 || (done & bit) != 0)
      continue;
    uint64_t cut = hosts / k * (is_path(g, d) ? 2 : 4);
    if (k % 2 == 1)
      cut += best_cut(g, done | bit, hosts / k);
    if (best == 0 || cut < best)
      best = cut;
  }
  return best;
}

static double bisection(const struct topology *t)
{
  return (double)best_cut(grid_of(t), 0, t->hosts);
}

static void route(const struct topology *t, uint32_t src, uint32_t dst, struct topology_path *p)
{
  const struct grid *g = (const struct grid *)t;
  uint32_t host = src, stride = 1;
  for (uint32_t d = 0; src != dst; stride *= g->side[d++]) {
    const uint32_t k = g->side[d], to = dst % k;
    uint32_t at = src % k;
    const bool up = at != to && goes_up(g, d, at, to);
    src /= k;
    dst /= k;
    while (at != to) {
      topology_add_limiter(t, p, host);
      topology_add(p, (host * g->ndims + d) * 2 + !up);
      const uint32_t before = at;
      at = up ? (at + 1 == k ? 0 : at + 1) : (at == 0 ? k : at) - 1;
      host += (at - before) * stride;
    }
  }
  topology_add_limiter(t, p, host);
}

/* The hosts at the lower and upper end of the cable of a link. */
static void ends(const struct grid *g, uint32_t link, uint32_t *lower, uint32_t *upper)
{
  const uint32_t d = link / 2 % g->ndims, leaves = link / 2 / g->ndims;
  const bool down = link % 2 == 1;
  uint32_t stride = 1;
  for (uint32_t i = 0; i < d; i++)
    stride *= g->side[i];
  const uint32_t k = g->side[d], at = leaves / stride % k;
  const uint32_t next = down ? (at + k - 1) % k : (at + 1) % k;
  const uint32_t enters = leaves - at * stride + next * stride;
  *lower = down ? enters : leaves;
  *upper = down ? leaves : enters;
}

static struct topology_link describe_link(const struct topology *t, uint32_t link)
{
  const struct grid *g = grid_of(t);
  uint32_t lower, upper;
  ends(g, link, &lower, &upper);
  return (struct topology_link){.up = (lower * g->ndims + link / 2 % g->ndims) * 2, .width = 1};
}

/* SimGrid names the link between a host and its upper neighbour after the lower host:
 * TorusZone::create_torus_links in src/kernel/routing/TorusZone.cpp. */
static void link_name(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                      char *name, size_t size)
{
  uint32_t lower, upper;
  (void)number;
  ends(grid_of(t), link, &lower, &upper);
  snprintf(name, size, "%s_link_from_%u_to_%u", id, grid_carrier_host(t, lower),
           grid_carrier_host(t, upper));
}

/* SimGrid simulates meshes and hypercubes on a torus. */
#define GRID                                                                                       \
  .simgrid = "TORUS", .print_simgrid = print_simgrid, .has_link = has_link, .hops = hops,          \
  .route = route, .bisection = bisection, .link = describe_link, .link_name = link_name

const struct topology_kind topology_torus = {
    .name = "torus",
    .example = "torus:8x8x4",
    .help = "torus of 1 to 20 sides of 1 or more hosts, X first",
    .parse = parse_torus,
    .parse_simgrid = parse_simgrid,
    GRID,
};

const struct topology_kind topology_mesh = {
    .name = "mesh",
    .example = "mesh:16x16",
    .help = "mesh of 1 to 20 sides, a torus without the wrap-around",
    .parse = parse_mesh,
    GRID,
};

const struct topology_kind topology_hypercube = {
    .name = "hypercube",
    .example = "hypercube:9",
    .help = "hypercube of 1 to 20 dimensions",
    .parse = parse_hypercube,
    GRID,
};

bool topology_is_grid(const struct topology *t)
{
  return t->kind == &topology_torus || t->kind == &topology_mesh || t->kind == &topology_hypercube;
}
