#include "mappers/general/recognise/lattice.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_SEEDS = 4,    /* tasks from which a lattice is grown */
  MOST_PASSES = 100, /* passes over the rim, or over unplaced tasks, before giving up */
  FEW_PLACED = 20,   /* placed tasks up to which is_skew() does not judge */
  MOST_FAULTS = 8,   /* edges of a task beyond two per axis; with more, it is not placed by edges */
  LEAST_RING = 5     /* in shorter rings, the two neighbours of a task share another neighbour */
};

/* The share of the tasks that growth must place, and the share of the edges that must be steps,
 * which means one cell long. */
#define LEAST_PLACED 0.8
#define LEAST_STEPS  0.7

/* If at least this share of the edges are steps, no better lattice is searched for. */
#define ENOUGH_STEPS 0.9

/* A lattice stops growing if its edges of two or three steps exceed this multiple of its edges of
 * one step. */
#define MOST_SKEW 0.25

/* An outer layer is cut off if it has fewer tasks than this share of the mean layer. */
#define THIN 0.25

/* An axis is a ring if the edges from its end to its start number at least this share of the tasks
 * in a mean layer. */
#define CLOSED 0.4

static uint32_t degree(const struct edge_classes *p, uint32_t v)
{
  return p->first[v + 1] - p->first[v];
}

/* True if the task has few enough edges to be placed by them. */
static bool has_few(const struct lattice *l, uint32_t v)
{
  return degree(l->p, v) <= 2 * l->naxes + MOST_FAULTS;
}

/* --- tasks by their coordinates --------------------------------------------------------------- */

static uint32_t hash(const struct lattice *l, const int32_t *at)
{
  uint64_t h = 0;
  for (uint32_t a = 0; a < l->naxes; a++)
    h = (h ^ (uint32_t)at[a]) * 0x9e3779b97f4a7c15;
  return (uint32_t)(h >> 32) & l->mask;
}

/* The index in the table of the task at these coordinates, or of the entry that is free for it. */
static uint32_t find(const struct lattice *l, const int32_t *at)
{
  uint32_t i = hash(l, at);
  while (l->table[i] != 0 && memcmp(l->at[l->table[i] - 1], at, l->naxes * sizeof *at) != 0)
    i = (i + 1) & l->mask;
  return i;
}

static bool is_free(const struct lattice *l, const int32_t *at)
{
  return l->table[find(l, at)] == 0;
}

/* --- growth ----------------------------------------------------------------------------------- */

/* Steps between two cells. */
static uint32_t distance(const struct lattice *l, const int32_t *x, const int32_t *y)
{
  uint32_t d = 0;
  for (uint32_t a = 0; a < l->naxes; a++)
    d += (uint32_t)abs(x[a] - y[a]);
  return d;
}

/* Places a task and appends its unplaced neighbours to the queue, which ends at @p end.  Returns
 * the new end. */
static uint32_t place(struct lattice *l, uint32_t v, const int32_t *at, uint32_t end)
{
  const struct edge_classes *p = l->p;
  memcpy(l->at[v], at, sizeof l->at[v]);
  l->table[find(l, at)] = v + 1;
  l->is_placed[v] = 1;
  l->rim[l->rim_count++] = v;
  l->placed++;
  for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++) {
    const uint32_t w = p->to[a], d = l->is_placed[w] ? distance(l, at, l->at[w]) : 0;
    l->straight += d == 1;
    l->skew += d == 2 || d == 3;
    if (!l->is_placed[w])
      l->queue[end++] = w;
  }
  return end;
}

/* True if the graph is no lattice: too many edges connect cells that are near but not adjacent,
 * whereas faults lead to random cells. */
static bool is_skew(const struct lattice *l)
{
  return l->placed > FEW_PLACED && l->skew > MOST_SKEW * l->straight;
}

/* Counts the neighbours of a task that are placed next to a cell. */
static uint32_t count_next(const struct lattice *l, uint32_t v, const int32_t *at)
{
  const struct edge_classes *p = l->p;
  uint32_t n = 0;
  for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++)
    n += l->is_placed[p->to[a]] && distance(l, l->at[p->to[a]], at) == 1;
  return n;
}

/* Finds the free cell next to the most neighbours of a task.  False if several cells tie, or if the
 * cell is next to fewer than two neighbours. */
static bool find_cell(const struct lattice *l, uint32_t v, int32_t *cell)
{
  const struct edge_classes *p = l->p;
  uint32_t best = 1;
  bool alone = false;
  if (!has_few(l, v))
    return false;
  for (uint32_t i = p->first[v]; i < p->first[v + 1]; i++) {
    int32_t at[FOLD_MOST_AXES];
    if (!l->is_placed[p->to[i]])
      continue;
    memcpy(at, l->at[p->to[i]], sizeof at);
    for (uint32_t s = 0; s < 2 * l->naxes; s++) {
      const int32_t before = at[s / 2];
      at[s / 2] += s % 2 == 0 ? 1 : -1;
      const uint32_t n = count_next(l, v, at);
      if (n >= best && is_free(l, at) && (n > best || memcmp(at, cell, sizeof at) != 0)) {
        alone = n > best;
        best = n;
        memcpy(cell, at, sizeof at);
      }
      at[s / 2] = before;
    }
  }
  return best > 1 && alone;
}

/* True if a free cell is next to both cells. */
static bool has_between(const struct lattice *l, const int32_t *x, const int32_t *y)
{
  if (distance(l, x, y) != 2)
    return false;
  for (uint32_t a = 0; a < l->naxes; a++) {
    int32_t at[FOLD_MOST_AXES];
    memcpy(at, x, sizeof at);
    at[a] += (y[a] > x[a]) - (y[a] < x[a]);
    if (at[a] != x[a] && is_free(l, at))
      return true;
  }
  return false;
}

/* Counts the evidence that task @p v belongs in a cell: the neighbours of @p v next to the cell;
 * and, for each unplaced neighbour w of @p v, the placed neighbours of w that are two steps from
 * the cell with a free cell between, where w may belong. */
static uint32_t count_beyond(const struct lattice *l, uint32_t v, const int32_t *at)
{
  const struct edge_classes *p = l->p;
  uint32_t n = count_next(l, v, at);
  for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++) {
    const uint32_t w = p->to[a];
    for (uint32_t b = p->first[w]; b < p->first[w + 1] && !l->is_placed[w] && has_few(l, w); b++)
      n += l->is_placed[p->to[b]] && has_between(l, at, l->at[p->to[b]]);
  }
  return n;
}

/* Finds the free cell next to task @p x with the most evidence for its neighbour @p v.  False if
 * several cells tie, or if the evidence is below @p least. */
static bool find_beyond(const struct lattice *l, uint32_t x, uint32_t v, uint32_t least,
                        int32_t *cell)
{
  int32_t at[FOLD_MOST_AXES];
  uint32_t best = least - 1;
  bool alone = false;
  memcpy(at, l->at[x], sizeof at);
  for (uint32_t s = 0; s < 2 * l->naxes; s++) {
    const int32_t before = at[s / 2];
    at[s / 2] += s % 2 == 0 ? 1 : -1;
    const uint32_t n = is_free(l, at) ? count_beyond(l, v, at) : 0;
    if (n >= best) {
      alone = n > best;
      best = n;
      memcpy(cell, at, sizeof at);
    }
    at[s / 2] = before;
  }
  return alone;
}

/* Places the tasks of the queue by find_cell(), and then their neighbours. */
static void spread(struct lattice *l, uint32_t end)
{
  int32_t cell[FOLD_MOST_AXES] = {0};
  for (uint32_t i = 0; i < end && !is_skew(l); i++)
    if (!l->is_placed[l->queue[i]] && find_cell(l, l->queue[i], cell))
      end = place(l, l->queue[i], cell, end);
}

/* Places tasks beyond the rim by find_beyond().  Tasks stay on the rim while they have unplaced
 * neighbours.  Returns false if no task was placed. */
static bool step_out(struct lattice *l, uint32_t least)
{
  const struct edge_classes *p = l->p;
  const uint32_t before = l->placed;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->rim_count; i++) {
    const uint32_t x = l->rim[i];
    bool inside = true;
    for (uint32_t a = p->first[x]; a < p->first[x + 1] && has_few(l, x); a++) {
      const uint32_t v = p->to[a];
      int32_t cell[FOLD_MOST_AXES];
      if (!l->is_placed[v] && has_few(l, v) && find_beyond(l, x, v, least, cell))
        spread(l, place(l, v, cell, 0));
      inside = inside && l->is_placed[v];
    }
    l->rim[kept] = x;
    kept += !inside;
  }
  l->rim_count = kept;
  return l->placed > before;
}

/* Counts the common neighbours of two tasks, without task @p but. */
static uint32_t count_common(const struct edge_classes *p, uint32_t v, uint32_t w, uint32_t but)
{
  uint32_t n = 0;
  for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++)
    for (uint32_t b = p->first[w]; b < p->first[w + 1]; b++)
      n += p->to[a] == p->to[b] && p->to[a] != but;
  return n;
}

/* The number of axes of a grid in which a task without faults near it would have these neighbours;
 * 0: there is no such grid.  Two neighbours on different axes have another common neighbour.
 * Sets opposite[i] to the index of the neighbour on the other side of the task, on the axis of
 * neighbour i; to i if there is none. */
static uint32_t count_axes(const struct edge_classes *p, uint32_t v, uint32_t *opposite)
{
  const uint32_t n = degree(p, v), *to = p->to + p->first[v];
  uint32_t axes = 0;
  if (n > 2 * FOLD_MOST_AXES)
    return 0;
  for (uint32_t i = 0; i < n; i++) {
    opposite[i] = i;
    if (degree(p, to[i]) > n + MOST_FAULTS)
      return 0;
    for (uint32_t k = 0; k < n; k++) {
      const uint32_t common = k == i ? 1 : count_common(p, to[i], to[k], v);
      if (common > 1 || (common == 0 && opposite[i] != i))
        return 0;
      opposite[i] = common == 0 ? k : opposite[i];
    }
    axes += opposite[i] >= i;
  }
  return axes < n && axes > 1 && axes <= FOLD_MOST_AXES ? axes : 0;
}

/* Grows from a seed until no more tasks are placed. */
static void grow(struct lattice *l, uint32_t seed, const uint32_t *opposite)
{
  const struct edge_classes *p = l->p;
  const uint32_t n = p->g->n, *to = p->to + p->first[seed];
  int32_t cell[FOLD_MOST_AXES] = {0};
  uint32_t axis = 0;
  l->rim_count = l->placed = l->straight = l->skew = 0;
  memset(l->is_placed, 0, n);
  memset(l->table, 0, ((size_t)l->mask + 1) * sizeof *l->table);
  uint32_t end = place(l, seed, cell, 0);
  for (uint32_t i = 0; i < degree(p, seed); i++) {
    if (opposite[i] < i)
      continue;
    cell[axis] = 1;
    end = place(l, to[i], cell, end);
    cell[axis] = -1;
    if (opposite[i] > i)
      end = place(l, to[opposite[i]], cell, end);
    cell[axis++] = 0;
  }
  spread(l, end);
  const uint32_t all = 2 * l->naxes - 1; /* evidence in a lattice without faults: the task on the
                                            rim, and the tasks beside it */
  uint32_t least = all;
  for (int pass = 0; pass < MOST_PASSES && least > 1 && !is_skew(l); pass++)
    least = step_out(l, least) ? all : least - 1;
}

/* --- the shape -------------------------------------------------------------------------------- */

/* The length of the ring that an axis forms, or 0.  The axis is a ring of length n if many edges
 * along it are n - 1 steps long. */
static uint32_t ring_length(struct lattice *l, uint32_t axis, uint32_t extent)
{
  const struct edge_classes *p = l->p;
  uint32_t length = 0;
  memset(l->steps, 0, extent * sizeof *l->steps);
  for (uint32_t v = 0; v < p->g->n; v++)
    for (uint32_t a = p->first[v]; a < p->first[v + 1] && l->is_placed[v]; a++) {
      const uint32_t w = p->to[a];
      const int32_t step = l->is_placed[w] ? l->at[w][axis] - l->at[v][axis] : 0;
      if (step > 0 && distance(l, l->at[v], l->at[w]) == (uint32_t)step)
        l->steps[step]++;
    }
  for (uint32_t s = LEAST_RING - 1; s < extent; s++)
    if (length == 0 || l->steps[s] > l->steps[length - 1])
      length = s + 1;
  return length > 0 && l->steps[length - 1] >= CLOSED * l->placed / length ? length : 0;
}

/* Renumbers the coordinates of an axis from 0, modulo the length on a ring, and sets the side of
 * the shape.  On a path, tasks in nearly empty outer layers lose their place.  False if the side
 * is 1. */
static bool bound(struct lattice *l, uint32_t axis, struct fold_shape *shape)
{
  const uint32_t n = l->p->g->n;
  int32_t low = INT32_MAX, high = INT32_MIN;
  for (uint32_t v = 0; v < n; v++)
    if (l->is_placed[v]) {
      low = l->at[v][axis] < low ? l->at[v][axis] : low;
      high = l->at[v][axis] > high ? l->at[v][axis] : high;
    }
  const uint32_t extent = (uint32_t)(high - low) + 1, ring = ring_length(l, axis, extent);
  uint32_t *layer = l->steps, first = 0, last = extent - 1;
  memset(layer, 0, extent * sizeof *layer);
  for (uint32_t v = 0; v < n; v++)
    if (l->is_placed[v])
      layer[l->at[v][axis] - low]++;
  const double thin = THIN * l->placed / extent;
  while (ring == 0 && layer[first] < thin)
    first++;
  while (ring == 0 && layer[last] < thin)
    last--;
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t x = (uint32_t)l->at[v][axis] - (uint32_t)low;
    const bool inside = l->is_placed[v] && x >= first && x <= last;
    l->placed -= l->is_placed[v] && !inside;
    l->is_placed[v] = inside;
    l->at[v][axis] = (int32_t)(ring > 0 ? x % ring : x - first);
  }
  shape->ring[axis] = ring > 0;
  shape->side[axis] = ring > 0 ? ring : last - first + 1;
  return shape->side[axis] > 1;
}

/* --- all tasks -------------------------------------------------------------------------------- */

/* The number of the cell at these coordinates; UINT32_MAX outside of the shape. */
static uint32_t cell_of(const struct fold_shape *shape, const int32_t *at)
{
  uint32_t cell = 0;
  for (uint32_t a = shape->naxes; a-- > 0;) {
    const int32_t side = (int32_t)shape->side[a];
    const int32_t x = !shape->ring[a] ? at[a] : at[a] < 0 ? at[a] + side : at[a] % side;
    if (x < 0 || x >= side)
      return UINT32_MAX;
    cell = cell * shape->side[a] + (uint32_t)x;
  }
  return cell;
}

/* Steps between two cells of the shape. */
static uint32_t distance_in(const struct fold_shape *shape, const int32_t *x, const int32_t *y)
{
  uint32_t d = 0;
  for (uint32_t a = 0; a < shape->naxes; a++) {
    const uint32_t side = shape->side[a], step = (uint32_t)abs(x[a] - y[a]) % side;
    d += shape->ring[a] && side - step < step ? side - step : step;
  }
  return d;
}

/* The free cell next to the most neighbours of a task; UINT32_MAX if none is next to a neighbour.
 */
static uint32_t best_cell(const struct lattice *l, const struct fold_shape *shape, uint32_t v,
                          const uint32_t *cells)
{
  const struct edge_classes *p = l->p;
  uint32_t best = UINT32_MAX, most = 0;
  for (uint32_t i = p->first[v]; i < p->first[v + 1]; i++)
    for (uint32_t s = 0; s < 2 * shape->naxes && l->is_placed[p->to[i]]; s++) {
      int32_t at[FOLD_MOST_AXES];
      uint32_t n = 0;
      memcpy(at, l->at[p->to[i]], sizeof at);
      at[s / 2] += s % 2 == 0 ? 1 : -1;
      const uint32_t cell = cell_of(shape, at);
      if (cell == UINT32_MAX || cells[cell] != 0)
        continue;
      for (uint32_t k = p->first[v]; k < p->first[v + 1] && has_few(l, v); k++)
        n += l->is_placed[p->to[k]] && distance_in(shape, at, l->at[p->to[k]]) == 1;
      best = n > most || best == UINT32_MAX ? cell : best;
      most = n > most ? n : most;
    }
  return best;
}

/* Places a task in a cell of the shape. */
static void settle(struct lattice *l, const struct fold_shape *shape, uint32_t v, uint32_t cell,
                   uint32_t *cells)
{
  cells[cell] = 1;
  l->is_placed[v] = 1;
  for (uint32_t a = 0; a < shape->naxes; a++) {
    l->at[v][a] = (int32_t)(cell % shape->side[a]);
    cell /= shape->side[a];
  }
}

/* Puts unplaced tasks into free cells, beside a neighbour if possible. */
static void settle_rest(struct lattice *l, const struct fold_shape *shape, uint32_t *cells)
{
  const uint32_t n = l->p->g->n;
  bool more = true;
  for (int pass = 0; pass < MOST_PASSES && more; pass++) {
    more = false;
    for (uint32_t v = 0; v < n; v++) {
      const uint32_t cell = l->is_placed[v] ? UINT32_MAX : best_cell(l, shape, v, cells);
      if (cell == UINT32_MAX)
        continue;
      settle(l, shape, v, cell, cells);
      more = true;
    }
  }
  for (uint32_t v = 0, cell = 0; v < n; v++) {
    if (l->is_placed[v])
      continue;
    while (cells[cell] != 0)
      cell++;
    settle(l, shape, v, cell, cells);
  }
}

/* The share of the edges that are steps. */
static double steps_among_edges(const struct lattice *l, const struct fold_shape *shape)
{
  const struct edge_classes *p = l->p;
  uint32_t steps = 0;
  for (uint32_t v = 0; v < p->g->n; v++)
    for (uint32_t i = p->first[v]; i < p->first[v + 1]; i++)
      steps += distance_in(shape, l->at[v], l->at[p->to[i]]) == 1;
  return (double)steps / p->first[p->g->n];
}

/* Finds the shape of a grown lattice, and places the other tasks.  Returns the share of the edges
 * that are steps, or 0 if there is no shape of at most @p most cells. */
static double fill(struct lattice *l, uint64_t most, uint32_t *cells, struct fold_shape *shape)
{
  const uint32_t n = l->p->g->n;
  uint64_t count = 1;
  shape->naxes = l->naxes;
  for (uint32_t a = 0; a < l->naxes; a++) {
    if (!bound(l, a, shape))
      return 0;
    count *= shape->side[a];
    if (count > most)
      return 0;
  }
  if (count < n)
    return 0;
  memset(cells, 0, count * sizeof *cells);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t *cell = l->is_placed[v] ? &cells[cell_of(shape, l->at[v])] : NULL;
    l->is_placed[v] = cell != NULL && *cell == 0;
    if (cell != NULL)
      *cell = 1;
  }
  settle_rest(l, shape, cells);
  return steps_among_edges(l, shape);
}

void lattice_find(struct lattice *l, uint64_t most, uint32_t *cells, struct fold_shape *shape,
                  uint32_t *at)
{
  const uint32_t n = l->p->g->n;
  uint32_t opposite[2 * FOLD_MOST_AXES] = {0}, seeds = 0;
  double best = LEAST_STEPS;
  shape->naxes = 0;
  for (uint32_t v = 0; v < n && seeds < MOST_SEEDS && best < ENOUGH_STEPS; v++) {
    struct fold_shape found;
    l->naxes = count_axes(l->p, v, opposite);
    if (l->naxes == 0)
      continue;
    seeds++;
    grow(l, v, opposite);
    const double steps = l->placed < LEAST_PLACED * n ? 0 : fill(l, most, cells, &found);
    if (steps <= best)
      continue;
    best = steps;
    *shape = found;
    for (uint32_t w = 0; w < n; w++)
      for (uint32_t a = 0; a < found.naxes; a++)
        at[(size_t)w * FOLD_MOST_AXES + a] = (uint32_t)l->at[w][a];
  }
}

enum status lattice_new(struct lattice *l, const struct edge_classes *p, struct arena *mem)
{
  const size_t n = p->g->n;
  size_t size = 16;
  while (size < 2 * n)
    size *= 2;
  *l = (struct lattice){.p = p,
                        .at = arena_array(mem, n, sizeof *l->at),
                        .is_placed = arena_array(mem, n, sizeof *l->is_placed),
                        .table = arena_array(mem, size, sizeof *l->table),
                        .mask = (uint32_t)(size - 1),
                        .queue = arena_array(mem, 2 * (size_t)p->edges + 1, sizeof *l->queue),
                        .rim = arena_array(mem, n, sizeof *l->rim),
                        .steps = arena_array(mem, n + 1, sizeof *l->steps)};
  return arena_status(mem);
}
