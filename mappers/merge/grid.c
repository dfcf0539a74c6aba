#include "mappers/merge/grid.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

void merge_grid_clear(struct merge_grid *g)
{
  arena_clear(&g->mem);
  matrix_clear(&g->own);
  *g = (struct merge_grid){.units = 0};
}

/* Allocates units, each in its own group. */
static enum status make_units(struct merge_grid *g, uint32_t units, struct err *e)
{
  g->mem.e = e;
  g->units = g->groups = units;
  g->group = arena_array(&g->mem, units, sizeof *g->group);
  g->cell = arena_array(&g->mem, units, sizeof *g->cell);
  g->start = arena_array(&g->mem, (size_t)units + 1, sizeof *g->start);
  g->unit_at = arena_array(&g->mem, units, sizeof *g->unit_at);
  g->row = arena_array(&g->mem, (size_t)units + 1, sizeof *g->row);
  if (arena_status(&g->mem) != OK)
    return FAIL;
  for (uint32_t u = 0; u < units; u++)
    g->group[u] = g->start[u] = g->unit_at[u] = u;
  g->start[units] = units;
  return OK;
}

enum status merge_grid_tasks(struct merge_grid *g, uint32_t tasks, const struct matrix *m,
                             struct err *e)
{
  struct merge_grid made = {.traffic = m};
  if (make_units(&made, tasks, e) != OK) {
    merge_grid_clear(&made);
    return FAIL;
  }
  for (size_t i = 0; i < m->count; i++)
    made.row[matrix_at(m, i).src + 1]++;
  for (uint32_t u = 0; u < tasks; u++)
    made.row[u + 1] += made.row[u];
  *g = made;
  return OK;
}

static int by_destination(const void *a, const void *b)
{
  return RISING(((const struct matrix_entry *)a)->dst, ((const struct matrix_entry *)b)->dst);
}

/* Appends the traffic from a new unit to other new units to own[], from index @p out on, and
 * returns the end.  where[dst] is one past the index of the last entry to dst, which is from this
 * unit if where[dst] > start. */
static size_t unite_rows(struct merge_grid *g, const struct merge_grid *from, uint32_t unit,
                         size_t out, size_t *where)
{
  const struct matrix *traffic = merge_grid_traffic(from);
  struct matrix_entry *own = g->own.entry;
  const size_t start = out;
  for (uint32_t k = from->start[unit]; k < from->start[unit + 1]; k++) {
    const uint32_t old = from->unit_at[k];
    for (size_t i = from->row[old]; i < from->row[old + 1]; i++) {
      const struct matrix_entry x = matrix_in_row(traffic, old, i);
      const uint32_t dst = from->group[x.dst];
      if (dst == unit || x.bytes == 0)
        continue;
      if (where[dst] <= start) {
        own[out] = (struct matrix_entry){unit, dst, 0, 0};
        where[dst] = ++out;
      }
      own[where[dst] - 1].bytes += x.bytes;
      own[where[dst] - 1].messages += x.messages;
    }
  }
  qsort(own + start, out - start, sizeof *own, by_destination);
  return out;
}

/* Upper bound of the number of entries after uniting. */
static size_t most_entries(const struct merge_grid *g, const struct merge_grid *from)
{
  const size_t old = from->row[from->units], all = (size_t)g->units * g->units;
  return old < all ? old : all;
}

static enum status unite_traffic(struct merge_grid *g, const struct merge_grid *from, struct err *e)
{
  ARENA(mem, e);
  struct matrix *own = &g->own;
  size_t *where = arena_array(&mem, g->units, sizeof *where);
  if (where == NULL ||
      (own->entry = mem_array(most_entries(g, from), sizeof *own->entry, e)) == NULL)
    return FAIL;
  size_t n = 0;
  for (uint32_t u = 0; u < g->units; u++)
    g->row[u + 1] = n = unite_rows(g, from, u, n, where);
  struct matrix_entry *entry = realloc(own->entry, (n == 0 ? 1 : n) * sizeof *entry);
  own->entry =
      entry == NULL ? own->entry : entry; /* if shrinking fails, the longer array is kept */
  own->count = n;
  own->ranks = g->units;
  return OK;
}

enum status merge_grid_coarsen(struct merge_grid *g, const struct merge_grid *from, uint32_t level,
                               struct err *e)
{
  struct merge_grid made = {.level = level};
  if (make_units(&made, from->groups, e) != OK || unite_traffic(&made, from, e) != OK) {
    merge_grid_clear(&made);
    return FAIL;
  }
  *g = made;
  return OK;
}

uint32_t merge_grid_length(const struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                           uint32_t shape, uint32_t d)
{
  const uint32_t now = merge_plan_halvings(plan, i, d);
  if (g->level == 0)
    return (plan->side[d] >> now) + (shape >> d & 1);
  const uint32_t made = merge_plan_halvings(plan, merge_plan_round_start(plan, g->level), d);
  return (uint32_t)1 << (made - now);
}

/* A box of units that is copied into a larger box. */
struct piece {
  uint32_t ndims;
  uint32_t length[MERGE_PLAN_MAX_DIMS];
  uint32_t stride[MERGE_PLAN_MAX_DIMS]; /* in the larger box, in cells */
  uint32_t shift;                       /* index of its first cell in the larger box */
};

static void move(const struct piece *piece, const struct merge_pattern *p, const uint32_t *from,
                 uint32_t *to)
{
  uint32_t at[MERGE_PLAN_MAX_DIMS] = {0}, put[MERGE_PLAN_MAX_DIMS];
  for (uint32_t d = 0; d < piece->ndims;) {
    merge_pattern_apply(p, piece->ndims, piece->length, at, put);
    uint32_t cell = piece->shift;
    for (uint32_t k = 0; k < piece->ndims; k++)
      cell += put[k] * piece->stride[k];
    to[cell] = *from++;
    for (d = 0; d < piece->ndims && ++at[d] == piece->length[d]; d++)
      at[d] = 0;
  }
}

/* Input and output of the merges of one iteration. */
struct merging {
  const struct merge_grid *grid;
  const struct merge_plan *plan;
  uint32_t iteration;
  const uint8_t *shape;
  uint32_t *start, *unit_at; /* of the new groups */
};

static uint32_t size_of(const struct merge_grid *g, uint32_t group)
{
  return group == MERGE_SELECT_NONE ? 0 : g->start[group + 1] - g->start[group];
}

static void join_two(const struct merging *m, const struct merge_pair *p,
                     const struct merge_join *join, uint32_t *to)
{
  const uint32_t axis = m->plan->axis[m->iteration], half[2] = {p->first, p->second};
  struct piece piece = {.ndims = m->plan->ndims};
  uint32_t length[2] = {0};
  for (int h = 0; h < 2; h++)
    length[h] = merge_grid_length(m->grid, m->plan, m->iteration, m->shape[half[h]], axis);
  for (int h = 0; h < 2; h++) {
    uint32_t stride = 1;
    for (uint32_t d = 0; d < piece.ndims; d++) {
      piece.length[d] = merge_grid_length(m->grid, m->plan, m->iteration, m->shape[half[h]], d);
      piece.stride[d] = stride;
      stride *= d == axis ? length[0] + length[1] : piece.length[d];
    }
    piece.shift = h == 0 ? 0 : length[0] * piece.stride[axis];
    move(&piece, &join->pattern[h], m->grid->unit_at + m->grid->start[half[h]], to);
  }
}

static void merge_all(const struct merging *m, const struct merge_pair *pair,
                      const struct merge_join *join, uint32_t count)
{
  const struct merge_grid *g = m->grid;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *to = m->unit_at + m->start[i];
    const uint32_t size = size_of(g, pair[i].first) + size_of(g, pair[i].second);
    m->start[i + 1] = m->start[i] + size;
    if (pair[i].second == MERGE_SELECT_NONE)
      memcpy(to, g->unit_at + g->start[pair[i].first], size * sizeof *to);
    else
      join_two(m, &pair[i], &join[i], to);
    for (uint32_t cell = 0; cell < size; cell++) {
      g->group[to[cell]] = i;
      g->cell[to[cell]] = cell;
    }
  }
}

enum status merge_grid_merge(struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                             const uint8_t *shape, const struct merge_pair *pair,
                             const struct merge_join *join, uint32_t count, struct err *e)
{
  ARENA(mem, e);
  struct merging m = {.grid = g,
                      .plan = plan,
                      .iteration = i,
                      .shape = shape,
                      .start = arena_array(&mem, (size_t)count + 1, sizeof *m.start),
                      .unit_at = arena_array(&mem, g->units, sizeof *m.unit_at)};
  if (arena_status(&mem) != OK)
    return FAIL;
  merge_all(&m, pair, join, count);
  memcpy(g->start, m.start, ((size_t)count + 1) * sizeof *g->start);
  memcpy(g->unit_at, m.unit_at, g->units * sizeof *g->unit_at);
  g->groups = count;
  return OK;
}
