/* A random geometric graph.  Ranks are points in a square or a cube, uniform and in no order; ranks
 * within a radius of each other exchange messages.  Resembles an unstructured mesh without a good
 * order of its cells.  Coordinates are integers, so that the graph is the same on all machines. */
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/rng.h"
#include "traces/generators/patterns/pattern.h"

enum { SIDE_BITS = 30 /* of the square or cube */ };

struct geometric {
  struct pattern base;
  uint32_t dimensions;
  size_t *first; /* by rank, with one more entry at the end: index of its neighbours in peer[],
                    which are ascending */
  uint32_t *peer;
};

static const struct spec_option OPTIONS[] = {
    PATTERN_RANKS,
    PATTERN_COMMON,
    PATTERN_DEGREE,
    {"dimensions", SPEC_U32, offsetof(struct geometric, dimensions), "2",
     .help = "2 or 3: dimensions of the space in which the ranks are points", .least = 2,
     .most = 3},
    PATTERN_HALO,
    PATTERN_SEED,
    {.name = NULL},
};

/* The points, sorted into cells no smaller than the radius: the neighbours of a point are in its
 * own cell or in an adjacent one. */
struct points {
  uint32_t n;
  uint32_t cells[3]; /* number along each axis; 1 along the third in a square */
  uint64_t reach;    /* the square of the radius */
  uint32_t (*at)[3]; /* coordinates by rank; the third is 0 in a square */
  uint32_t *first;   /* by cell, with one more entry at the end: index in rank[] */
  uint32_t *rank;    /* ranks, sorted by cell */
};

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  const struct geometric *g = (const struct geometric *)p;
  const size_t at = g->first[rank] + i;
  const uint32_t peer = at < g->first[rank + 1] ? g->peer[at] : PATTERN_NONE;
  return (struct pattern_peers){.dst = peer, .src = peer};
}

static uint32_t cell_along(const struct points *p, uint32_t rank, int axis)
{
  return (uint32_t)((uint64_t)p->at[rank][axis] * p->cells[axis] >> SIDE_BITS);
}

static uint32_t cell_of(const struct points *p, uint32_t rank)
{
  return (cell_along(p, rank, 2) * p->cells[1] + cell_along(p, rank, 1)) * p->cells[0] +
         cell_along(p, rank, 0);
}

static void fill_cells(struct points *p)
{
  for (uint32_t r = 0; r < p->n; r++)
    p->first[cell_of(p, r)]++;
  for (uint32_t c = 1; c <= p->cells[0] * p->cells[1] * p->cells[2]; c++)
    p->first[c] += p->first[c - 1];
  for (uint32_t r = p->n; r-- > 0;)
    p->rank[--p->first[cell_of(p, r)]] = r;
}

static bool are_near(const struct points *p, uint32_t a, uint32_t b)
{
  uint64_t sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    const int64_t d = (int64_t)p->at[a][axis] - p->at[b][axis];
    sum += (uint64_t)(d * d);
  }
  return a != b && sum <= p->reach;
}

/* Counts the neighbours of a rank in cells first..last, and writes them to @p peer if it is not
 * NULL. */
static size_t find_in(const struct points *p, uint32_t rank, uint32_t first, uint32_t last,
                      uint32_t *peer)
{
  size_t n = 0;
  for (uint32_t k = p->first[first]; k < p->first[last + 1]; k++) {
    if (!are_near(p, rank, p->rank[k]))
      continue;
    if (peer != NULL)
      peer[n] = p->rank[k];
    n++;
  }
  return n;
}

static size_t find_near(const struct points *p, uint32_t rank, uint32_t *peer)
{
  uint32_t low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    const uint32_t at = cell_along(p, rank, axis);
    low[axis] = at > 0 ? at - 1 : 0;
    high[axis] = at + 1 < p->cells[axis] ? at + 1 : at;
  }
  size_t n = 0;
  for (uint32_t z = low[2]; z <= high[2]; z++)
    for (uint32_t y = low[1]; y <= high[1]; y++) {
      const uint32_t row = (z * p->cells[1] + y) * p->cells[0];
      n += find_in(p, rank, row + low[0], row + high[0], peer == NULL ? NULL : peer + n);
    }
  return n;
}

static enum status link_points(struct geometric *g, const struct points *p, struct err *e)
{
  if ((g->first = mem_array((size_t)p->n + 1, sizeof *g->first, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < p->n; r++) {
    const size_t near = find_near(p, r, NULL);
    g->first[r + 1] = g->first[r] + near;
    g->base.messages = near > g->base.messages ? (uint32_t)near : g->base.messages;
  }
  if ((g->peer = mem_array(g->first[p->n], sizeof *g->peer, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < p->n; r++) {
    const size_t near = find_near(p, r, g->peer + g->first[r]);
    qsort(g->peer + g->first[r], near, sizeof *g->peer, rising_u32);
  }
  return OK;
}

/* The radius as a share of the side.  A circle or ball of this radius holds `degree' points on
 * average. */
static double radius(const struct geometric *g)
{
  const double share = (double)g->base.options.degree / g->base.base.ranks;
  return g->dimensions == 2 ? sqrt(share / M_PI) : cbrt(share * 3 / (4 * M_PI));
}

static enum status scatter(struct points *p, const struct geometric *g, struct err *e)
{
  const double r = radius(g), most = 1 + pow(p->n, 1.0 / g->dimensions);
  const uint32_t cells = r * most < 1 ? (uint32_t)most : r < 1 ? (uint32_t)(1 / r) : 1;
  const double reach = r * (1u << SIDE_BITS);
  p->reach = (uint64_t)(reach * reach);
  p->cells[0] = p->cells[1] = cells;
  p->cells[2] = g->dimensions == 2 ? 1 : cells;
  if ((p->at = mem_array(p->n, sizeof *p->at, e)) == NULL ||
      (p->rank = mem_array(p->n, sizeof *p->rank, e)) == NULL ||
      (p->first = mem_array((size_t)cells * cells * p->cells[2] + 1, sizeof *p->first, e)) == NULL)
    return FAIL;
  struct rng rng = rng_new(g->base.options.seed, 0);
  for (uint32_t k = 0; k < p->n; k++)
    for (uint32_t axis = 0; axis < g->dimensions; axis++)
      p->at[k][axis] = (uint32_t)(rng_next(&rng) >> (64 - SIDE_BITS));
  fill_cells(p);
  return OK;
}

static void clear(struct pattern *p)
{
  struct geometric *g = (struct geometric *)p;
  free(g->first);
  free(g->peer);
}

static enum status draw(struct geometric *g, struct err *e)
{
  struct points p = {.n = g->base.base.ranks};
  enum status s = pattern_check_degree(&g->base, e);
  if (s == OK)
    s = scatter(&p, g, e);
  if (s == OK)
    s = link_points(g, &p, e);
  free(p.at);
  free(p.rank);
  free(p.first);
  return s;
}

static enum status set_up(struct pattern *p, struct err *e)
{
  p->one_tag = true;
  p->peers = peers;
  p->clear = clear;
  if (draw((struct geometric *)p, e) != OK)
    return FAIL;
  p->window = p->messages > 0 ? p->messages : 1;
  return OK;
}

const struct generator_kind pattern_geometric = {
    .name = "geometric",
    .example = "geometric:64:degree=8,dimensions=3",
    .help = "ranks are random points of a square or a cube and exchange messages with near points",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct geometric),
    .set_up = set_up,
};
