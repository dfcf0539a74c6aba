#include "mappers/merge/objective/cost.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/merge/objective/descent.h"
#include "mappers/merge/objective/flows.h"

/* A row with at least this number of flows is summed up by coordinate before it is added. */
#define LONG_ROW 16

/* A growing array; count is its allocated length. */
struct room {
  uint64_t *v;
  size_t count;
};

struct merge_cost {
  const struct merge_case *c;
  struct merge_flows row[2];
  struct room at[2]; /* coordinates of the cells of a half: ndims x cells */
  /* A slice is the cells of a half with one coordinate on an axis.  Bytes between slices, by the
   * half of the source and by the half of the destination: axis a of the first half and axis b of
   * the second have length(a) x length(b) entries, from offset[a * ndims + b] on. */
  struct room slices[2][2], offset[2][2];
  bool sliced;          /* if false, slices would be too large and flows are added one by one */
  struct room cost;     /* [axis][axis of first][axis of second][2 * first + second is reflected] */
  struct room inner[2]; /* [axis][axis of the group] */
  struct room sum;      /* scratch: bytes of a row by coordinate */
  bool silent;
};

struct merge_cost *merge_cost_new(struct err *e)
{
  return mem_array(1, sizeof(struct merge_cost), e);
}

void merge_cost_free(struct merge_cost *s)
{
  if (s == NULL)
    return;
  for (int h = 0; h < 2; h++) {
    free(s->row[h].flow);
    free(s->at[h].v);
    free(s->inner[h].v);
    for (int to = 0; to < 2; to++) {
      free(s->slices[h][to].v);
      free(s->offset[h][to].v);
    }
  }
  free(s->cost.v);
  free(s->sum.v);
  free(s);
}

/* Makes an array of @p count zeros. */
static enum status clear(struct room *r, size_t count, struct err *e)
{
  if (MEM_GROW(r->v, r->count, count, e) != OK)
    return FAIL;
  memset(r->v, 0, count * sizeof *r->v);
  return OK;
}

/* True if a pattern can lay axis @p a of half @p h along axis @p d. */
static bool may_lie(const struct merge_case *c, int h, uint32_t a, uint32_t d)
{
  return c->patterns[h].kind[a] == c->patterns[h].kind[d];
}

static bool may_meet(const struct merge_case *c, int from, uint32_t a, int to, uint32_t b)
{
  if (from == to)
    return a == b;
  for (uint32_t d = 0; d < c->ndims; d++)
    if (may_lie(c, from, a, d) && may_lie(c, to, b, d))
      return true;
  return false;
}

static enum status reserve_slices(struct merge_cost *s, int from, int to, struct err *e)
{
  const struct merge_case *c = s->c;
  const uint32_t n = c->ndims;
  const size_t most = 8 * ((size_t)c->cells[0] + c->cells[1]) + 4096;
  if (clear(&s->offset[from][to], (size_t)n * n, e) != OK)
    return FAIL;
  size_t count = 0;
  for (uint32_t k = 0; k < n * n; k++) {
    s->offset[from][to].v[k] = count;
    if (may_meet(c, from, k / n, to, k % n))
      count += (size_t)c->length[from][k / n] * c->length[to][k % n];
  }
  s->sliced = s->sliced && count <= most;
  return s->sliced ? clear(&s->slices[from][to], count, e) : OK;
}

static enum status set_coordinates(struct merge_cost *s, int h, struct err *e)
{
  const struct merge_case *c = s->c;
  if (clear(&s->at[h], (size_t)c->ndims * c->cells[h], e) != OK)
    return FAIL;
  uint64_t *at = s->at[h].v;
  for (uint32_t a = 0, stride = 1; a < c->ndims; stride *= c->length[h][a++])
    for (uint32_t cell = 0; cell < c->cells[h]; cell++)
      *at++ = cell / stride % c->length[h][a];
  return OK;
}

static enum status reserve(struct merge_cost *s, struct err *e)
{
  const struct merge_case *c = s->c;
  const size_t n = c->ndims;
  size_t longest = 1;
  s->sliced = s->silent = true;
  for (int h = 0; h < 2; h++) {
    for (uint32_t a = 0; a < n; a++)
      longest = c->length[h][a] > longest ? c->length[h][a] : longest;
    if (set_coordinates(s, h, e) != OK || clear(&s->inner[h], n * n, e) != OK ||
        reserve_slices(s, h, 0, e) != OK || reserve_slices(s, h, 1, e) != OK)
      return FAIL;
  }
  return clear(&s->cost, n * n * n * 4, e) != OK ? FAIL : clear(&s->sum, longest, e);
}

static uint64_t hops(uint64_t a, uint64_t b, uint32_t length, bool ring)
{
  const uint64_t direct = a < b ? b - a : a - b;
  return ring && length - direct < direct ? length - direct : direct;
}

/* Adds the cost of bytes between coordinate @p i on axis @p a of the first half and coordinate @p j
 * on axis @p b of the second half, for all axes along which both may lie. */
static void add_cross(struct merge_cost *s, uint32_t a, uint32_t b, uint64_t i, uint64_t j,
                      uint64_t bytes)
{
  const struct merge_case *c = s->c;
  const uint32_t n = c->ndims;
  for (uint32_t d = 0; d < n; d++) {
    if (!may_lie(c, 0, a, d) || !may_lie(c, 1, b, d))
      continue;
    const uint32_t first = c->length[0][d], second = c->length[1][d];
    const uint32_t shift = d == c->axis ? first : 0;
    const uint32_t length = d == c->axis ? first + second : first;
    uint64_t *cost = s->cost.v + ((d * n + a) * n + b) * 4;
    for (int f = 0; f < 4; f++) {
      const uint64_t x = (f & 2) != 0 ? first - 1 - i : i;
      const uint64_t y = ((f & 1) != 0 ? second - 1 - j : j) + shift;
      cost[f] += bytes * hops(x, y, length, c->ring[d]);
    }
  }
}

/* Adds the cost of bytes within a half.  Along the axis of the merge, the route stays inside the
 * half, because the way around is never shorter. */
static void add_inner(struct merge_cost *s, int h, uint32_t a, uint64_t i, uint64_t j,
                      uint64_t bytes)
{
  const struct merge_case *c = s->c;
  for (uint32_t d = 0; d < c->ndims; d++)
    if (may_lie(c, h, a, d))
      s->inner[h].v[d * c->ndims + a] +=
          bytes * hops(i, j, c->length[h][d], c->ring[d] && d != c->axis);
}

static void add(struct merge_cost *s, int from, uint32_t a, uint64_t i, int to, uint32_t b,
                uint64_t j, uint64_t bytes)
{
  if (from == to)
    add_inner(s, from, a, i, j, bytes);
  else if (from == 0)
    add_cross(s, a, b, i, j, bytes);
  else
    add_cross(s, b, a, j, i, bytes);
}

/* Adds the bytes that a cell sends to one half, by its coordinate @p i on axis @p a and the
 * destinations' coordinates on axis @p b. */
static void add_row(struct merge_cost *s, int from, uint32_t a, uint64_t i, int to, uint32_t b)
{
  const struct merge_case *c = s->c;
  const struct merge_flows *row = &s->row[to];
  const uint64_t *at = s->at[to].v + (size_t)b * c->cells[to];
  const uint32_t length = c->length[to][b];
  if (!s->sliced) {
    for (size_t k = 0; k < row->count; k++)
      add(s, from, a, i, to, b, at[row->flow[k].dst], row->flow[k].bytes);
    return;
  }
  uint64_t *slice = s->slices[from][to].v + s->offset[from][to].v[a * c->ndims + b] + i * length;
  for (size_t k = 0; k < row->count; k++)
    slice[at[row->flow[k].dst]] += row->flow[k].bytes;
}

/* Adds the bytes that a cell sends to one half for all axes of the source.  A long row is first
 * summed up by the destination's coordinate. */
static void add_rows(struct merge_cost *s, int from, uint32_t cell, int to, uint32_t b)
{
  const struct merge_case *c = s->c;
  const struct merge_flows *row = &s->row[to];
  const uint64_t *at = s->at[to].v + (size_t)b * c->cells[to];
  const uint32_t length = c->length[to][b];
  const bool summed = s->sliced && row->count >= LONG_ROW && row->count > length;
  if (summed) {
    memset(s->sum.v, 0, length * sizeof *s->sum.v);
    for (size_t k = 0; k < row->count; k++)
      s->sum.v[at[row->flow[k].dst]] += row->flow[k].bytes;
  }
  for (uint32_t a = 0; a < c->ndims; a++) {
    if (!may_meet(c, from, a, to, b))
      continue;
    const uint64_t i = s->at[from].v[(size_t)a * c->cells[from] + cell];
    if (!summed) {
      add_row(s, from, a, i, to, b);
      continue;
    }
    uint64_t *slice = s->slices[from][to].v + s->offset[from][to].v[a * c->ndims + b] + i * length;
    for (uint32_t k = 0; k < length; k++)
      slice[k] += s->sum.v[k];
  }
}

static enum status read_rows(struct merge_cost *s, const struct merge_grid *g,
                             const struct merge_pair *p, struct err *e)
{
  const uint32_t half[2] = {p->first, p->second};
  for (int h = 0; h < 2; h++)
    for (uint32_t k = g->start[half[h]]; k < g->start[half[h] + 1]; k++) {
      s->row[0].count = s->row[1].count = 0;
      if (merge_flows_row(g, p, g->unit_at[k], s->row, e) != OK)
        return FAIL;
      s->silent = s->silent && s->row[0].count + s->row[1].count == 0;
      for (uint32_t b = 0; b < 2 * s->c->ndims; b++)
        add_rows(s, h, k - g->start[half[h]], b & 1, b / 2);
    }
  return OK;
}

static void add_slices(struct merge_cost *s, int from, int to, uint32_t a, uint32_t b)
{
  const uint32_t n = s->c->length[from][a], m = s->c->length[to][b];
  const uint64_t *slice = s->slices[from][to].v + s->offset[from][to].v[a * s->c->ndims + b];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < m; j++)
      if (slice[i * m + j] > 0)
        add(s, from, a, i, to, b, j, slice[i * m + j]);
}

static void add_all_slices(struct merge_cost *s)
{
  const uint32_t n = s->c->ndims;
  for (uint32_t k = 0; k < 4 * n * n; k++) {
    const int from = k & 1, to = k >> 1 & 1;
    if (may_meet(s->c, from, k / 4 / n, to, k / 4 % n))
      add_slices(s, from, to, k / 4 / n, k / 4 % n);
  }
}

static uint64_t cost_of(const struct merge_cost *s, const struct merge_pattern *p,
                        const struct merge_pattern *q)
{
  const uint32_t n = s->c->ndims;
  uint64_t sum = 0;
  for (uint32_t d = 0; d < n; d++) {
    const uint32_t a = p->from[d], b = q->from[d];
    const uint32_t f = (p->flip >> d & 1) * 2 + (q->flip >> d & 1);
    sum += s->cost.v[((d * n + a) * n + b) * 4 + f];
    sum += s->inner[0].v[d * n + a] + s->inner[1].v[d * n + b];
  }
  return sum;
}

static uint64_t value_of(void *context, const struct merge_join *j, uint64_t limit)
{
  (void)limit;
  return cost_of(context, &j->pattern[0], &j->pattern[1]);
}

static void try_all(const struct merge_cost *s, struct merge_join *out)
{
  const struct merge_case *c = s->c;
  const uint64_t seconds = merge_pattern_count(&c->patterns[1]);
  uint64_t best = UINT64_MAX;
  for (uint32_t i = 0; i < c->leads; i++) {
    const struct merge_pattern first = merge_pattern_at(&c->patterns[0], c->lead[i]);
    for (uint64_t k = 0; k < seconds; k++) {
      const struct merge_pattern second = merge_pattern_at(&c->patterns[1], k);
      const uint64_t cost = cost_of(s, &first, &second);
      if (cost >= best)
        continue;
      best = cost;
      *out = (struct merge_join){{first, second}};
    }
  }
}

enum status merge_cost_search(struct merge_cost *s, const struct merge_case *c,
                              const struct merge_grid *g, const struct merge_pair *p,
                              struct merge_join *out, struct err *e)
{
  s->c = c;
  if (reserve(s, e) != OK || read_rows(s, g, p, e) != OK)
    return FAIL;
  if (s->sliced)
    add_all_slices(s);
  if (s->silent)
    out->pattern[0] = out->pattern[1] = merge_pattern_identity(c->ndims);
  else if (c->exact)
    try_all(s, out);
  else
    merge_descent(c, value_of, s, out);
  return OK;
}
