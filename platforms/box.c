#include "platforms/box.h"

#include <string.h>

#include "common/arena.h"

/* Maximum number of cells that a search visits, which takes a few seconds. */
#define MOST_CELLS (UINT64_C(1) << 28)

/* The longest side that box_is_likely() examines. */
enum { LONGEST_SIDE = 4096 };

struct search {
  const struct topology *t;
  uint32_t ndims;
  const uint32_t *side;
  uint32_t limit[GRID_MAX_DIMS];  /* of the sides of a box */
  uint32_t stride[GRID_MAX_DIMS]; /* in hosts */
  uint32_t cell[GRID_MAX_DIMS];   /* in cells; a cell is an offset along all axes but X */
  uint32_t cells;
  uint32_t *run;   /* by host: successive hosts of the set along X from it on, at most limit[0] */
  uint32_t *least; /* by cell: the shortest run of the rows from the corner to the cell */
  struct box best;
  uint32_t sum; /* of its sides */
};

/* The longest side of a box whose routes stay inside.  On a ring, two hosts must be nearer inside
 * the box than around it. */
static uint32_t limit_of(const struct topology *t, uint32_t side)
{
  return grid_kind(t) == GRID_TORUS && side > 2 ? (side + 1) / 2 : side;
}

/* Number of cells of a search. */
static uint64_t count_cells(const struct topology *t)
{
  uint32_t ndims;
  uint64_t cells = 1;
  const uint32_t *side = grid_sides(t, &ndims);
  for (uint32_t d = 1; d < ndims; d++)
    cells *= limit_of(t, side[d]);
  return cells;
}

bool box_is_searchable(const struct topology *t, uint32_t n)
{
  return count_cells(t) * n <= MOST_CELLS;
}

static uint32_t coordinate(const struct search *s, uint32_t h, uint32_t d)
{
  return h / s->stride[d] % s->side[d];
}

/* The host @p steps further along an axis; UINT32_MAX past the end of a mesh. */
static uint32_t step(const struct search *s, uint32_t h, uint32_t d, uint32_t steps)
{
  const uint32_t at = coordinate(s, h, d), to = at + steps;
  if (to < s->side[d])
    return h + steps * s->stride[d];
  return grid_kind(s->t) == GRID_TORUS ? h - (s->side[d] - steps) * s->stride[d] : UINT32_MAX;
}

static enum status set_up(struct search *s, const uint32_t *host, uint32_t n, struct arena *mem)
{
  uint64_t cells = 1;
  s->side = grid_sides(s->t, &s->ndims);
  for (uint32_t d = 0; d < s->ndims; d++) {
    s->limit[d] = limit_of(s->t, s->side[d]);
    s->stride[d] = d == 0 ? 1 : s->stride[d - 1] * s->side[d - 1];
    s->cell[d] = (uint32_t)cells;
    cells *= d == 0 ? 1 : s->limit[d];
  }
  s->cells = (uint32_t)cells;
  s->run = arena_array(mem, topology_hosts(s->t), sizeof *s->run);
  s->least = arena_array(mem, cells, sizeof *s->least);
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    s->run[host[i]] = 1;
  return OK;
}

/* Counts the runs.  Goes over each row twice, so that the runs of a ring include its wrap-around.
 */
static void count_runs(struct search *s)
{
  const uint32_t side = s->side[0], hosts = topology_hosts(s->t);
  for (uint32_t row = 0; row < hosts; row += side) {
    uint32_t run = 0;
    for (uint32_t i = 2 * side; i-- > 0;) {
      const uint32_t h = row + i % side;
      if (i + 1 == side && grid_kind(s->t) != GRID_TORUS)
        run = 0;
      run = s->run[h] == 0 ? 0 : run < s->limit[0] ? run + 1 : run;
      if (i < side && s->run[h] != 0)
        s->run[h] = run;
    }
  }
}

/* The length along X of the longest box from @p corner to @p cell: the shortest run of its rows.
 * Needs the results of the cells before. */
static uint32_t shortest(const struct search *s, uint32_t corner, uint32_t cell)
{
  uint32_t host = corner, least = UINT32_MAX;
  for (uint32_t d = 1; d < s->ndims; d++) {
    const uint32_t offset = cell / s->cell[d] % s->limit[d];
    if (offset > 0 && s->least[cell - s->cell[d]] < least)
      least = s->least[cell - s->cell[d]];
    if (least > 0 && (host = step(s, host, d, offset)) == UINT32_MAX)
      return 0;
  }
  return least > 0 && s->run[host] < least ? s->run[host] : least;
}

/* Keeps the smallest box of at least @p least hosts from @p corner to @p cell if it is better. */
static void offer(struct search *s, uint32_t corner, uint32_t cell, uint32_t least)
{
  struct box b = {.low = corner, .hosts = 1};
  uint32_t sum = 0;
  for (uint32_t d = 1; d < s->ndims; d++) {
    b.side[d] = cell / s->cell[d] % s->limit[d] + 1;
    b.hosts *= b.side[d];
    sum += b.side[d];
  }
  b.side[0] = (least + b.hosts - 1) / b.hosts;
  if (b.side[0] > s->least[cell])
    return;
  b.hosts *= b.side[0];
  sum += b.side[0];
  if (s->best.hosts == 0 || b.hosts < s->best.hosts || (b.hosts == s->best.hosts && sum < s->sum)) {
    s->best = b;
    s->sum = sum;
  }
}

struct box box_whole(const struct topology *t)
{
  struct box b = {.hosts = topology_hosts(t)};
  uint32_t ndims;
  const uint32_t *side = grid_sides(t, &ndims);
  memcpy(b.side, side, ndims * sizeof *side);
  return b;
}

enum status box_find(struct box *out, const struct topology *t, const uint32_t *host, uint32_t n,
                     uint32_t least, struct err *e)
{
  ARENA(mem, e);
  struct search s = {.t = t};
  if (!box_is_searchable(t, n))
    return err_set(e, "%s: %u hosts are too many to search for boxes", topology_spec(t), n);
  if (set_up(&s, host, n, &mem) != OK)
    return FAIL;
  count_runs(&s);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t cell = 0; cell < s.cells; cell++) {
      s.least[cell] = shortest(&s, host[i], cell);
      if (s.least[cell] > 0)
        offer(&s, host[i], cell, least);
    }
  *out = s.best.hosts == 0 && n == topology_hosts(t) ? box_whole(t) : s.best;
  return OK;
}

bool box_is_likely(const struct topology *t, const uint32_t *host, uint32_t n)
{
  uint32_t ndims, stride = 1;
  uint64_t product = 1;
  const uint32_t *side = grid_sides(t, &ndims);
  for (uint32_t d = 0; d < ndims; d++) {
    uint32_t seen = 0;
    uint64_t used[LONGEST_SIDE / 64] = {0};
    if (side[d] > LONGEST_SIDE)
      return false;
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t at = host[i] / stride % side[d];
      seen += (used[at / 64] >> at % 64 & 1) == 0;
      used[at / 64] |= UINT64_C(1) << at % 64;
    }
    product *= seen;
    stride *= side[d];
  }
  return product == n;
}

uint32_t box_host(const struct box *b, const struct topology *t, uint32_t h)
{
  uint32_t ndims, stride = 1, host = 0;
  const uint32_t *side = grid_sides(t, &ndims);
  for (uint32_t d = 0; d < ndims; d++) {
    const uint32_t at = b->low / stride % side[d] + h % b->side[d];
    host += at % side[d] * stride;
    h /= b->side[d];
    stride *= side[d];
  }
  return host;
}
