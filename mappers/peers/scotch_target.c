#include "mappers/peers/scotch_target.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/memfile.h"
#include "common/mem.h"
#include "mappers/inside/tree.h"
#include "platforms/distances.h"
#include "platforms/topology/grid.h"

/* MOST_SIDES: limit of Scotch's tori and meshes (ARCHMESHDIMNMAX).  MOST_LEVELS: limit for fat
 * trees here. */
enum { MOST_SIDES = 5, MOST_LEVELS = 32 };

/* Largest distance of a target described by distances: products with the traffic must fit in
 * Scotch's sums. */
enum { FARTHEST = 255 };

/* A decomposition of this number of levels or more gets no additional level: its table would be too
 * large. */
enum { PLENTY_OF_LEVELS = 12 };

static enum status refused(int status, struct err *e)
{
  return status == 0 ? OK : err_set(e, "Scotch cannot build its target architecture");
}

/* --- Scotch's own shapes ---------------------------------------------------------------------- */

/* True if Scotch has a grid of these sides.  Sides of one host do not count. */
static bool has_grid(const struct topology *t)
{
  uint32_t ndims, longer = 0;
  const uint32_t *side = grid_sides(t, &ndims);
  bool cube = true;
  for (uint32_t d = 0; d < ndims; d++) {
    longer += side[d] > 1;
    cube &= side[d] <= 2;
  }
  return cube || longer <= MOST_SIDES;
}

/* Scotch bisects its meshes of 2 and 3 sides better than meshes of any number of sides and all
 * tori: hop-bytes of geometric graphs differ by 4 to 25 %. */
static int make_mesh(const struct scotch_target *out, const struct scotch_api *s,
                     const SCOTCH_Num *sides, SCOTCH_Num n)
{
  if (n == 2)
    return s->SCOTCH_archMesh2(out->arch, sides[0], sides[1]);
  if (n == 3)
    return s->SCOTCH_archMesh3(out->arch, sides[0], sides[1], sides[2]);
  return s->SCOTCH_archMeshX(out->arch, n, sides);
}

static int make_grid(const struct scotch_target *out, const struct scotch_api *s,
                     const struct topology *t)
{
  SCOTCH_Num sides[GRID_MAX_DIMS], n = 0;
  uint32_t ndims;
  const uint32_t *side = grid_sides(t, &ndims);
  bool cube = true;
  for (uint32_t d = 0; d < ndims; d++)
    if (side[d] > 1) {
      cube &= side[d] == 2;
      sides[n++] = (SCOTCH_Num)side[d];
    }
  if (cube)
    return s->SCOTCH_archHcub(out->arch, n);
  return grid_kind(t) == GRID_MESH ? make_mesh(out, s, sides, n)
                                   : s->SCOTCH_archTorusX(out->arch, n, sides);
}

/* A tree: by level, the outermost first. */
struct leaves {
  SCOTCH_Num levels, children[MOST_LEVELS + INSIDE_MOST_LEVELS];
  SCOTCH_Num cost[MOST_LEVELS + INSIDE_MOST_LEVELS];
};

/* Adds the levels of a fat tree.  A fat tree looks the same from every host, and the distances from
 * host 0 to hosts 1, 2, ...  never decrease, so a subtree ends where the distance grows. */
static void add_network(struct leaves *x, const struct topology *t)
{
  uint32_t end[MOST_LEVELS], hops[MOST_LEVELS], levels = 0, last = 0;
  const uint32_t hosts = topology_hosts(t);
  for (uint32_t h = 1; h <= hosts; h++) {
    const uint32_t next = h == hosts ? UINT32_MAX : topology_hops(t, 0, h);
    if (h > 1 && next != last && levels < MOST_LEVELS) {
      end[levels] = h;
      hops[levels++] = last;
    }
    last = next;
  }
  for (uint32_t l = 0; l < levels; l++) {
    const uint32_t below = levels - 1 - l;
    x->children[x->levels] = (SCOTCH_Num)(end[below] / (below == 0 ? 1 : end[below - 1]));
    x->cost[x->levels++] = (SCOTCH_Num)hops[below];
  }
}

static int make_tree(const struct scotch_target *out, const struct scotch_api *s,
                     const struct topology *t)
{
  struct leaves x = {.levels = 0};
  add_network(&x, t);
  return s->SCOTCH_archTleaf(out->arch, x.levels, x.children, x.cost);
}

static bool is_kind(const struct topology *t, const char *kind)
{
  return t != NULL && strncmp(topology_spec(t), kind, strlen(kind)) == 0;
}

/* --- by distances ----------------------------------------------------------------------------- */

struct deco {
  struct distances *distances;
  uint32_t hosts;
  uint32_t *terminal;   /* by host: its number in the decomposition */
  double unit, longest; /* unit: the shortest distance, but at least longest / FARTHEST */
};

static void find_unit(struct deco *d)
{
  d->unit = INFINITY;
  for (uint32_t h = 1; h < d->hosts; h++)
    for (uint32_t k = 0; k < h; k++) {
      const double far = distances_mean(d->distances, h, k);
      d->unit = far > 0 && far < d->unit ? far : d->unit;
      d->longest = far > d->longest ? far : d->longest;
    }
  d->unit = d->unit < INFINITY ? fmax(d->unit, d->longest / FARTHEST) : 1;
}

/* Scotch requires integers above 0. */
static uint32_t distance(const struct deco *d, uint32_t a, uint32_t b)
{
  const double units = distances_mean(d->distances, a, b) / d->unit;
  return units < 1.5 ? 1 : (uint32_t)(units + 0.5);
}

/* The index at which to cut the hosts [low, high) in two parts of at most @p most hosts: between
 * the two consecutive hosts that are furthest apart; ties: closest to the middle. */
static uint32_t cut(const struct deco *d, uint32_t low, uint32_t high, uint32_t most)
{
  const uint32_t middle = low + (high - low) / 2;
  const uint32_t first = high - low > most ? high - most : low + 1;
  const uint32_t last = high - low > most ? low + most : high - 1;
  uint32_t best = middle, far = distance(d, middle - 1, middle);
  for (uint32_t i = first; i <= last; i++) {
    const uint32_t here = distance(d, i - 1, i);
    const uint32_t off = i < middle ? middle - i : i - middle;
    const uint32_t best_off = best < middle ? middle - best : best - middle;
    if (here > far || (here == far && off < best_off)) {
      best = i;
      far = here;
    }
  }
  return best;
}

/* The number of levels of the decomposition.  Scotch's table grows with the square of 2^levels.
 * One level more than the hosts need lets cuts follow clusters of unequal sizes. */
static uint32_t count_levels(uint32_t hosts)
{
  uint32_t levels = 1;
  while (1u << levels < hosts)
    levels++;
  return levels < PLENTY_OF_LEVELS ? levels + 1 : levels;
}

/* Numbers the terminals of the hosts [low, high), at most 2^levels.  The halves of domain i are 2i
 * and 2i + 1. */
static void decompose(struct deco *d, uint32_t low, uint32_t high, uint32_t domain, uint32_t levels)
{
  if (high - low == 1) {
    d->terminal[low] = domain;
    return;
  }
  const uint32_t at = cut(d, low, high, 1u << (levels - 1));
  decompose(d, low, at, 2 * domain, levels - 1);
  decompose(d, at, high, 2 * domain + 1, levels - 1);
}

static void print_deco(const struct deco *d, FILE *f)
{
  uint32_t largest = 0;
  for (uint32_t h = 0; h < d->hosts; h++)
    largest = d->terminal[h] > largest ? d->terminal[h] : largest;
  fprintf(f, "deco 0\n%" PRIu32 " %" PRIu32 "\n", d->hosts, largest);
  for (uint32_t h = 0; h < d->hosts; h++)
    fprintf(f, "%" PRIu32 " 1 %" PRIu32 "\n", h, d->terminal[h]);
  for (uint32_t h = 1; h < d->hosts; h++)
    for (uint32_t k = 0; k < h; k++)
      fprintf(f, "%" PRIu32 "%c", distance(d, h, k), k + 1 == h ? '\n' : ' ');
}

static enum status load_deco(const struct scotch_target *out, const struct scotch_api *s,
                             const struct deco *d, struct err *e)
{
  struct memfile m;
  if (memfile_open(&m, "Scotch's target", e) != OK)
    return FAIL;
  print_deco(d, m.f);
  enum status status = memfile_flush(&m, e);
  rewind(m.f);
  if (status == OK)
    status = refused(s->SCOTCH_archLoad(out->arch, m.f), e);
  memfile_close(&m);
  return status;
}

static enum status make_deco(struct scotch_target *out, const struct scotch_api *s,
                             const struct platform *p, struct err *e)
{
  struct deco d = {.hosts = platform_hosts(p)};
  if (d.hosts > SCOTCH_TARGET_MOST)
    return err_set(
        e, "Scotch's table of distances between %" PRIu32 " hosts: at most %d are supported",
        d.hosts, SCOTCH_TARGET_MOST);
  if (distances_new(&d.distances, p, DISTANCE_USUAL, e) != OK)
    return FAIL;
  d.terminal = mem_array(d.hosts, sizeof *d.terminal, e);
  enum status status = d.terminal == NULL ? FAIL : distances_fill(d.distances, e);
  if (status == OK) {
    find_unit(&d);
    decompose(&d, 0, d.hosts, 1, count_levels(d.hosts));
    out->diameter = fmax(1, ceil(d.longest / d.unit));
    status = load_deco(out, s, &d, e);
  }
  free(d.terminal);
  distances_free(d.distances);
  return status;
}

/* --- cores ------------------------------------------------------------------------------------ */

/* The seconds of a byte over the slowest link between two hosts of the network. */
static enum status network_seconds(const struct platform *p, double *out, struct err *e)
{
  struct platform_finder *f;
  struct platform_route r;
  if (platform_finder_new(&f, p, e) != OK)
    return FAIL;
  const enum status s = platform_route(f, 0, platform_hosts(p) - 1, &r, e);
  *out = 0;
  for (uint32_t i = 0; s == OK && i < r.links; i++)
    *out = fmax(*out, 1 / platform_link(p, r.link[i]).bandwidth);
  platform_finder_free(f);
  return s;
}

/* Adds the levels inside a node.  Scales the costs of the levels of the network so that the
 * innermost of them stands for @p network, in seconds per byte. */
static void add_inside(struct leaves *x, const struct tree *t, double network)
{
  const struct inside *in = t->in;
  const double unit = tree_seconds(in, in->levels - 1) / 4;
  const SCOTCH_Num near = x->levels == 0 ? 1 : x->cost[x->levels - 1];
  const double most = fmin(FARTHEST, fmax(1, round(network / unit)));
  for (SCOTCH_Num l = 0; l < x->levels; l++)
    x->cost[l] = (SCOTCH_Num)(most * x->cost[l] / near);
  for (uint32_t l = 0; l < in->levels; l++) {
    const uint32_t inner = l + 1 < in->levels ? t->size[l + 1] : 1;
    if (t->size[l] == inner)
      continue;
    x->children[x->levels] = (SCOTCH_Num)(t->size[l] / inner);
    x->cost[x->levels++] = (SCOTCH_Num)fmin(FARTHEST, round(tree_seconds(in, l) / unit));
  }
}

static enum status make_cores(struct scotch_target *out, const struct scotch_api *s,
                              const struct platform *p, const struct tree *t, struct err *e)
{
  struct leaves x = {.levels = 0};
  double network = 0;
  const struct topology *topology = platform_topology(p);
  if (topology_hosts(topology) > 1) {
    add_network(&x, topology);
    if (network_seconds(p, &network, e) != OK)
      return FAIL;
  }
  add_inside(&x, t, network);
  if ((out->core = mem_array(t->in->cores, sizeof *out->core, e)) == NULL)
    return FAIL;
  memcpy(out->core, t->core, t->in->cores * sizeof *out->core);
  out->cores = t->in->cores;
  for (SCOTCH_Num l = 0; l < x.levels; l++)
    out->diameter = (uint32_t)x.cost[l] > out->diameter ? (uint32_t)x.cost[l] : out->diameter;
  return refused(s->SCOTCH_archTleaf(out->arch, x.levels, x.children, x.cost), e);
}

/* Makes a tree of cores if nodes with equal objects are on a star or fat tree.  Sets *made. */
static enum status try_cores(struct scotch_target *out, const struct scotch_api *s,
                             const struct platform *p, const struct inside *in, bool *made,
                             struct err *e)
{
  ARENA(mem, e);
  struct tree t;
  const struct topology *topology = platform_topology(p);
  *made = false;
  if (in == NULL || in->cores == 1 ||
      !(is_kind(topology, "star:") || is_kind(topology, "fattree:")))
    return OK;
  if (tree_make(&t, in, &mem) != OK)
    return FAIL;
  *made = t.even;
  return t.even ? make_cores(out, s, p, &t, e) : OK;
}

/* --- the target ------------------------------------------------------------------------------- */

static enum status fill(struct scotch_target *out, const struct scotch_api *s,
                        const struct platform *p, struct err *e)
{
  const struct topology *t = platform_topology(p);
  out->diameter = t == NULL ? 0 : topology_diameter(t);
  if (t != NULL && topology_is_grid(t) && has_grid(t))
    return refused(make_grid(out, s, t), e);
  if (is_kind(t, "star:"))
    return refused(s->SCOTCH_archCmplt(out->arch, (SCOTCH_Num)topology_hosts(t)), e);
  if (is_kind(t, "fattree:"))
    return refused(make_tree(out, s, t), e);
  return make_deco(out, s, p, e);
}

enum status scotch_target_make(struct scotch_target *out, const struct scotch_api *s,
                               const struct platform *p, const struct inside *in, struct err *e)
{
  struct scotch_target made = {.arch = s->SCOTCH_archAlloc(), .cores = 1};
  bool cores = false;
  if (made.arch == NULL || s->SCOTCH_archInit(made.arch) != 0) {
    s->SCOTCH_memFree(made.arch);
    return err_set(e, "out of memory");
  }
  if (try_cores(&made, s, p, in, &cores, e) != OK || (!cores && fill(&made, s, p, e) != OK)) {
    scotch_target_clear(&made, s);
    return FAIL;
  }
  *out = made;
  return OK;
}

void scotch_target_clear(struct scotch_target *t, const struct scotch_api *s)
{
  if (t->arch == NULL)
    return;
  free(t->core);
  s->SCOTCH_archExit(t->arch);
  s->SCOTCH_memFree(t->arch);
}
