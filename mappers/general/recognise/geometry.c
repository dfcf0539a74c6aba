#include "mappers/general/recognise/geometry.h"

#include <string.h>

#include "mappers/general/cut/median_cut.h"
#include "mappers/general/recognise/axes.h"
#include "mappers/general/recognise/fold.h"
#include "mappers/general/recognise/mds.h"

enum {
  COLUMNS = 2 * MDS_COMPONENTS, /* MDS components, then coordinates derived from them */
  SMOOTH = 20                   /* smoothing steps for the second set of coordinates */
};

/* Edges are dropped only if paths become longer by at least this factor. */
#define LONGER 1.07

/* Bits of drop[]: a light edge; a shortcut; a shortcut whose ends are near each other without it.
 */
enum { LIGHT = 1, SHORTCUT = 2, NEAR = 4 };

struct geometry {
  struct placement *p;
  const struct graph *g;
  const struct target *m;
  uint8_t *drop; /* by arc; not 0: dropped */
  double *raw;   /* MDS_COMPONENTS per task */
  double *x;     /* COLUMNS columns, each by task */
  double extent[MDS_COMPONENTS];
  uint32_t *list, *cell, *slot, *fill; /* scratch */
  struct err *e;
};

/* --- shortcuts -------------------------------------------------------------------------------- */

/* Drops the light edges if they have at most 5 % of the weight. */
static void drop_light(struct geometry *x)
{
  const struct graph *g = x->g;
  const double threshold = graph_threshold(g);
  uint64_t all = 0, light = 0;
  for (uint32_t a = 0; a < g->first[g->n]; a++) {
    all += g->weight[a];
    light += g->weight[a] < threshold ? g->weight[a] : 0;
  }
  for (uint32_t a = 0; a < g->first[g->n] && light <= 0.05 * all; a++)
    x->drop[a] = g->weight[a] < threshold ? LIGHT : 0;
}

/* Drops edges in no triangle and no cycle of four tasks: in a graph that is nearly a grid these are
 * shortcuts.  paths[]: scratch, 0 before and after; by task: paths of two edges from v to it. */
static void drop_shortcuts(struct geometry *x, uint32_t *paths)
{
  const struct graph *g = x->g;
  for (uint32_t v = 0; v < g->n; v++) {
    for (int sign = 1; sign >= -1; sign -= 2) {
      for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
        for (uint32_t b = g->first[g->to[a]]; b < g->first[g->to[a] + 1] && !(x->drop[a] & LIGHT);
             b++)
          paths[g->to[b]] += x->drop[b] & LIGHT ? 0 : (uint32_t)sign;
      for (uint32_t a = g->first[v]; a < g->first[v + 1] && sign == 1; a++) {
        const uint32_t w = g->to[a];
        bool closed = x->drop[a] || paths[w] > 0;
        for (uint32_t b = g->first[w]; b < g->first[w + 1] && !closed; b++)
          closed = g->to[b] != v && !(x->drop[b] & LIGHT) && paths[g->to[b]] > 1;
        if (!closed)
          x->drop[a] |= SHORTCUT;
      }
    }
  }
}

/* Marks all tasks within two kept edges of @p v with @p mark.  Returns whether one of them had the
 * other mark. */
static bool mark_ball(const struct geometry *x, uint32_t v, uint32_t mark, uint32_t *seen)
{
  const struct graph *g = x->g;
  bool met = false;
  for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
    if (x->drop[a])
      continue;
    met = met || (seen[g->to[a]] | mark) == 3;
    seen[g->to[a]] = mark;
    for (uint32_t b = g->first[g->to[a]]; b < g->first[g->to[a] + 1]; b++) {
      met = met || (!x->drop[b] && (seen[g->to[b]] | mark) == 3);
      seen[g->to[b]] = x->drop[b] ? seen[g->to[b]] : mark;
    }
  }
  return met;
}

/* Restores shortcuts whose ends are near each other without them: at most four kept edges apart.
 * seen[]: scratch, 0 before and after. */
static void keep_near(struct geometry *x, uint32_t *seen)
{
  const struct graph *g = x->g;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      if (!(x->drop[a] & SHORTCUT))
        continue;
      mark_ball(x, v, 1, seen);
      seen[v] = 1;
      if (mark_ball(x, g->to[a], 2, seen))
        x->drop[a] |= NEAR;
      mark_ball(x, v, 0, seen);
      mark_ball(x, g->to[a], 0, seen);
      seen[v] = 0;
    }
  for (uint32_t a = 0; a < g->first[g->n]; a++)
    x->drop[a] = x->drop[a] & NEAR ? 0 : x->drop[a];
}

/* Marks in seen[] the tasks that kept edges connect with task @p from.  Returns their number. */
static uint32_t reach(const struct geometry *x, uint32_t from, uint32_t *queue, uint32_t *seen)
{
  const struct graph *g = x->g;
  uint32_t count = 1;
  seen[from] = from + 1;
  queue[0] = from;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t a = g->first[queue[i]]; a < g->first[queue[i] + 1]; a++)
      if (!x->drop[a] && !seen[g->to[a]]) {
        seen[g->to[a]] = from + 1;
        queue[count++] = g->to[a];
      }
  return count;
}

/* Restores all edges except the edges within the largest connected part. */
static void join_parts(struct geometry *x, uint32_t *queue, uint32_t *seen)
{
  const struct graph *g = x->g;
  uint32_t most = 0, largest = 0;
  memset(seen, 0, g->n * sizeof *seen);
  for (uint32_t v = 0; v < g->n; v++) {
    const uint32_t count = seen[v] ? 0 : reach(x, v, queue, seen);
    largest = count > most ? v + 1 : largest;
    most = count > most ? count : most;
  }
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (seen[v] != largest || seen[g->to[a]] != largest)
        x->drop[a] = 0;
}

/* The mean length of the paths from task 0 within its connected part. */
static double mean_path(struct geometry *x, const uint8_t *drop, uint32_t *queue, uint32_t *depth)
{
  const struct graph *g = x->g;
  uint32_t count = 1;
  double sum = 0;
  memset(depth, 0, g->n * sizeof *depth);
  depth[0] = 1;
  queue[0] = 0;
  for (uint32_t i = 0; i < count; i++) {
    sum += depth[queue[i]] - 1;
    for (uint32_t a = g->first[queue[i]]; a < g->first[queue[i] + 1]; a++)
      if ((drop == NULL || !drop[a]) && depth[g->to[a]] == 0) {
        depth[g->to[a]] = depth[queue[i]] + 1;
        queue[count++] = g->to[a];
      }
  }
  return sum / count;
}

/* Drops light edges and shortcuts, if paths become much longer without them. */
static void drop_edges(struct geometry *x)
{
  memset(x->cell, 0, x->g->n * sizeof *x->cell);
  drop_light(x);
  join_parts(x, x->list, x->fill);
  drop_shortcuts(x, x->cell);
  keep_near(x, x->cell);
  join_parts(x, x->list, x->fill);
  if (mean_path(x, x->drop, x->list, x->fill) < LONGER * mean_path(x, NULL, x->list, x->fill))
    memset(x->drop, 0, x->g->first[x->g->n]);
}

/* --- candidates ------------------------------------------------------------------------------- */

/* Cuts the coordinates from column @p first on, which have these extents, into a virtual grid.
 * host[]: host of each cell; NULL: cells are hosts. */
static void try_grid(struct geometry *x, const struct median_cut_grid *grid, uint32_t first,
                     const double *extent, const uint32_t *host)
{
  const uint32_t n = x->g->n;
  uint8_t column[MEDIAN_CUT_MOST_AXES];
  median_cut_match(grid, extent, grid->naxes, column);
  median_cut(grid, x->x + (size_t)first * n, column, x->list, n, x->cell);
  for (uint32_t v = 0; v < n && host != NULL; v++)
    x->cell[v] = host[x->cell[v]];
  target_slots(x->m, x->cell, n, x->fill, x->slot);
  placement_improve(x->p, x->slot);
}

/* Loads the first @p k MDS components and turns them. */
static void load_columns(struct geometry *x, uint32_t k)
{
  for (uint32_t v = 0; v < x->g->n; v++)
    for (uint32_t c = 0; c < k; c++)
      x->x[(size_t)c * x->g->n + v] = x->raw[(size_t)v * MDS_COMPONENTS + c];
  axes_turn(x->x, x->g->n, k, x->extent);
}

/* Pairs 2k columns by least mixed moments.  The phases of the pairs become the columns from
 * MDS_COMPONENTS on. */
static void make_phases(struct geometry *x, uint32_t k, double *extent)
{
  bool used[MDS_COMPONENTS] = {false};
  for (uint32_t i = 0; i < k; i++) {
    uint32_t pair[2] = {0, 0};
    double least = 1e300;
    for (uint32_t a = 0; a < 2 * k; a++)
      for (uint32_t b = a + 1; b < 2 * k; b++) {
        if (used[a] || used[b])
          continue;
        const double mixed = axes_mixed(x->x, x->g->n, a, b);
        if (mixed >= least)
          continue;
        least = mixed;
        pair[0] = a;
        pair[1] = b;
      }
    used[pair[0]] = used[pair[1]] = true;
    extent[i] = x->extent[pair[0]] + x->extent[pair[1]];
    axes_phase(x->x, x->g->n, pair[0], pair[1], MDS_COMPONENTS + i);
  }
}

/* Tries coordinates and phases, which are coordinates on rings, on one grid.  Phases save 6 % of
 * the hop-bytes on a stencil of 100x5 with wrong edges (make bench-faults). */
static void try_both(struct geometry *x, const struct median_cut_grid *grid, const uint32_t *host)
{
  double extent[MDS_COMPONENTS];
  load_columns(x, grid->naxes);
  try_grid(x, grid, 0, x->extent, host);
  if (2 * grid->naxes > MDS_COMPONENTS)
    return;
  load_columns(x, 2 * grid->naxes);
  make_phases(x, grid->naxes, extent);
  try_grid(x, grid, MDS_COMPONENTS, extent, host);
}

/* Tries a virtual grid with its best fold. */
static enum status try_folded(struct geometry *x, const struct fold_shape *shape)
{
  ARENA(mem, x->e);
  struct fold fold;
  uint32_t count;
  struct median_cut_grid grid = {.naxes = shape->naxes, .room = x->m->per_host};
  memcpy(grid.side, shape->side, sizeof grid.side);
  if (fold_find(x->m, shape, &fold, 1, &count, &mem) != OK)
    return FAIL;
  if (count > 0)
    try_both(x, &grid, fold.host);
  return OK;
}

/* The largest divisor d of @p n with d^2 <= n, or d^3 <= n if @p power is 3. */
static uint32_t root_divisor(uint32_t n, uint32_t power)
{
  uint32_t best = 1;
  for (uint64_t d = 1; (power == 3 ? d * d * d : d * d) <= n; d++)
    if (n % d == 0)
      best = (uint32_t)d;
  return best;
}

/* Tries a virtual grid of all hosts with @p naxes sides, as equal as possible, the longest first.
 * Saves 14 % on a stencil of 30x17 with wrong edges on a hypercube. */
static enum status try_virtual(struct geometry *x, uint32_t naxes)
{
  struct fold_shape shape = {.naxes = naxes};
  uint32_t left = x->m->hosts;
  for (uint32_t a = naxes; a-- > 0;) {
    shape.side[a] = a == 0 ? left : root_divisor(left, a + 1);
    left /= shape.side[a];
  }
  if (naxes > 1 && shape.side[naxes - 1] == 1)
    return OK;
  return try_folded(x, &shape);
}

static enum status try_all(struct geometry *x)
{
  struct median_cut_grid own = {.naxes = x->m->ndims, .room = x->m->per_host};
  if (x->m->ndims <= 3) {
    memcpy(own.side, x->m->side, own.naxes * sizeof *own.side);
    try_both(x, &own, NULL);
  }
  for (uint32_t naxes = 3; naxes > 0; naxes--)
    if (x->m->ndims > naxes && try_virtual(x, naxes) != OK)
      return FAIL;
  return OK;
}

/* --- all -------------------------------------------------------------------------------------- */

static enum status map(struct geometry *x, uint32_t pivots)
{
  drop_edges(x);
  if (mds_compute(x->g, x->drop, pivots, 0, x->raw, x->e) != OK)
    return FAIL;
  mds_smooth(x->g, x->drop, 1, x->raw, x->x);
  if (try_all(x) != OK)
    return FAIL;
  mds_smooth(x->g, x->drop, SMOOTH, x->raw, x->x); /* saves 10 % on 12x10x6 with wrong edges */
  return try_all(x);
}

enum status geometry_map(struct placement *p, uint32_t pivots, struct err *e)
{
  ARENA(mem, e);
  const struct graph *g = p->g;
  const size_t n = g->n, hosts = p->m->hosts;
  struct geometry x = {.p = p,
                       .g = g,
                       .m = p->m,
                       .drop = arena_array(&mem, g->first[n], 1),
                       .raw = arena_array(&mem, n * MDS_COMPONENTS, sizeof *x.raw),
                       .x = arena_array(&mem, n * COLUMNS, sizeof *x.x),
                       .list = arena_array(&mem, n, sizeof *x.list),
                       .cell = arena_array(&mem, n, sizeof *x.cell),
                       .slot = arena_array(&mem, n, sizeof *x.slot),
                       .fill = arena_array(&mem, n > hosts ? n : hosts, sizeof *x.fill),
                       .e = e};
  return arena_status(&mem) == OK ? map(&x, pivots) : FAIL;
}
