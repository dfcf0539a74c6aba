#include "mappers/merge/objective/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"

#define MAX_AXES 8
#define MAX_SETS 16

/* The sets of axes of a group that its patterns can map to given axes of the merged group, and the
 * projection of each cell on each set. */
struct sets {
  uint32_t count;
  uint32_t axes[MAX_SETS];      /* each is a set of bits */
  uint8_t index[1 << MAX_AXES]; /* by set: its index in axes[] */
  uint32_t size[MAX_SETS];      /* number of projections */
  uint32_t largest;             /* the largest size */
  uint32_t *rest[MAX_SETS];     /* by cell: its projection, 0..size-1 */
};

/* Flows from a half to a half, possibly itself, along one axis. */
struct table {
  uint64_t *bytes[MAX_SETS][MAX_SETS]; /* [source set][destination set]: sources x destinations */
  struct merge_flows list[MAX_SETS][MAX_SETS];
};

struct merge_traffic {
  struct arena mem;    /* owns all arrays of united flows except table.bytes */
  struct arena tables; /* owns table.bytes */
  bool united;
  uint32_t ndims;
  struct merge_flows raw[2][2];
  struct merge_flows row[2];
  struct sets from[2][MAX_AXES], to[2][MAX_AXES]; /* by half and axis */
  struct table table[2][2][MAX_AXES];
  uint64_t *sum; /* scratch: bytes of a row by projection of the destination */
};

struct merge_traffic *merge_traffic_new(struct err *e)
{
  return mem_array(1, sizeof(struct merge_traffic), e);
}

static void forget_united(struct merge_traffic *t)
{
  arena_clear(&t->tables);
  arena_clear(&t->mem);
  for (int h = 0; t->united && h < 4; h++)
    memset(t->table[h / 2][h % 2], 0, t->ndims * sizeof(struct table));
  t->united = false;
}

void merge_traffic_free(struct merge_traffic *t)
{
  if (t == NULL)
    return;
  forget_united(t);
  for (int h = 0; h < 2; h++) {
    free(t->raw[h][0].flow);
    free(t->raw[h][1].flow);
    free(t->row[h].flow);
  }
  free(t);
}

/* The axes of a group that are mapped to axes first..last of the merged group. */
static uint32_t axes_of(const uint8_t *from, uint32_t first, uint32_t last)
{
  uint32_t bits = 0;
  for (uint32_t d = first; d <= last; d++)
    bits |= (uint32_t)1 << from[d];
  return bits;
}

static uint32_t size_of(const struct merge_case *c, int h, uint32_t axes)
{
  uint32_t n = 1;
  for (uint32_t a = 0; a < c->ndims; a++)
    n *= (axes >> a & 1) != 0 ? c->length[h][a] : 1;
  return n;
}

/* Finds the sets of axes of half @p h that are mapped to axes first..last.  Returns false if there
 * are more than MAX_SETS sets. */
static bool find_sets(struct sets *s, const struct merge_case *c, int h, uint32_t first,
                      uint32_t last)
{
  const struct merge_patterns *p = &c->patterns[h];
  *s = (struct sets){.count = 0};
  for (uint64_t i = 0; i < p->permutations; i++) {
    const uint32_t axes = axes_of(p->table + i * p->ndims, first, last);
    if (s->count > 0 && s->axes[s->index[axes]] == axes)
      continue;
    if (s->count == MAX_SETS)
      return false;
    const uint32_t size = s->size[s->count] = size_of(c, h, axes);
    s->largest = size > s->largest ? size : s->largest;
    s->index[axes] = (uint8_t)s->count;
    s->axes[s->count++] = axes;
  }
  return true;
}

static enum status make_rest(struct sets *s, const struct merge_case *c, int h, struct arena *mem)
{
  for (uint32_t i = 0; i < s->count; i++) {
    s->rest[i] = arena_array(mem, c->cells[h], sizeof *s->rest[i]);
    if (s->rest[i] == NULL)
      return FAIL;
    for (uint32_t cell = 0; cell < c->cells[h]; cell++) {
      uint32_t left = cell, stride = 1, rest = 0;
      for (uint32_t a = 0; a < c->ndims; left /= c->length[h][a++]) {
        if ((s->axes[i] >> a & 1) == 0)
          continue;
        rest += left % c->length[h][a] * stride;
        stride *= c->length[h][a];
      }
      s->rest[i][cell] = rest;
    }
  }
  return OK;
}

/* Finds all sets.  Returns the number of entries of the largest table that uniting would make;
 * SIZE_MAX if flows cannot be united. */
static size_t plan_sets(struct merge_traffic *t, const struct merge_case *c)
{
  size_t most = 0;
  if (!c->exact || c->ndims > MAX_AXES)
    return SIZE_MAX;
  for (uint32_t d = 0; d < c->ndims; d++) {
    for (int h = 0; h < 2; h++)
      if (!find_sets(&t->from[h][d], c, h, d, c->ndims - 1) || !find_sets(&t->to[h][d], c, h, 0, d))
        return SIZE_MAX;
    for (int h = 0; h < 4; h++) {
      const size_t n = (size_t)t->from[h / 2][d].largest * t->to[h % 2][d].largest;
      most = n > most ? n : most;
    }
  }
  return most;
}

static enum status make_tables(struct merge_traffic *t, const struct merge_case *c)
{
  for (int h = 0; h < 2; h++)
    for (uint32_t d = 0; d < c->ndims; d++)
      if (make_rest(&t->from[h][d], c, h, &t->mem) != OK ||
          make_rest(&t->to[h][d], c, h, &t->mem) != OK)
        return FAIL;
  for (uint32_t i = 0; i < 4 * c->ndims; i++) {
    const uint32_t from = i & 1, to = i >> 1 & 1, d = i / 4;
    const struct sets *s = &t->from[from][d], *u = &t->to[to][d];
    for (uint32_t k = 0; k < s->count * u->count; k++) {
      const uint32_t a = k / u->count, b = k % u->count;
      uint64_t **bytes = &t->table[from][to][d].bytes[a][b];
      *bytes = arena_array(&t->tables, (size_t)s->size[a] * u->size[b], sizeof **bytes);
    }
  }
  t->sum =
      arena_array(&t->mem, c->cells[0] > c->cells[1] ? c->cells[0] : c->cells[1], sizeof *t->sum);
  return t->sum == NULL ? FAIL : arena_status(&t->tables);
}

/* Adds the bytes that the unit at @p cell sends to one half along one axis. */
static void add_row(struct merge_traffic *t, int from, int to, uint32_t d, uint32_t cell)
{
  const struct sets *s = &t->from[from][d], *u = &t->to[to][d];
  const struct merge_flows *row = &t->row[to];
  for (uint32_t b = 0; b < u->count; b++) {
    memset(t->sum, 0, u->size[b] * sizeof *t->sum);
    for (size_t i = 0; i < row->count; i++)
      t->sum[u->rest[b][row->flow[i].dst]] += row->flow[i].bytes;
    for (uint32_t a = 0; a < s->count; a++) {
      uint64_t *bytes = t->table[from][to][d].bytes[a][b] + (size_t)s->rest[a][cell] * u->size[b];
      for (uint32_t i = 0; i < u->size[b]; i++)
        bytes[i] += t->sum[i];
    }
  }
}

static enum status read_rows(struct merge_traffic *t, const struct merge_grid *g,
                             const struct merge_pair *p, struct err *e)
{
  const uint32_t half[2] = {p->first, p->second};
  for (int h = 0; h < 2; h++)
    for (uint32_t k = g->start[half[h]]; k < g->start[half[h] + 1]; k++) {
      struct merge_flows *out = t->united ? t->row : t->raw[h];
      t->row[0].count = t->row[1].count = 0;
      if (merge_flows_row(g, p, g->unit_at[k], out, e) != OK)
        return FAIL;
      for (uint32_t d = 0; t->united && d < 2 * t->ndims; d++)
        add_row(t, h, d & 1, d / 2, k - g->start[half[h]]);
    }
  return OK;
}

/* The lowest cell of a half with projection @p rest on @p axes. */
static uint32_t cell_of(const struct merge_case *c, int h, uint32_t axes, uint32_t rest)
{
  uint32_t cell = 0, stride = 1;
  for (uint32_t a = 0; a < c->ndims; stride *= c->length[h][a++]) {
    if ((axes >> a & 1) == 0)
      continue;
    cell += rest % c->length[h][a] * stride;
    rest /= c->length[h][a];
  }
  return cell;
}

/* Converts one table to flows between cells. */
static enum status list_flows(struct merge_traffic *t, const struct merge_case *c, uint32_t block,
                              uint32_t a, uint32_t b)
{
  const int from = block & 1, to = block >> 1 & 1;
  const struct sets *s = &t->from[from][block / 4], *u = &t->to[to][block / 4];
  struct table *table = &t->table[from][to][block / 4];
  struct merge_flows *out = &table->list[a][b];
  const uint64_t *bytes = table->bytes[a][b];
  const size_t n = (size_t)s->size[a] * u->size[b];
  for (size_t i = 0; i < n; i++)
    out->capacity += bytes[i] > 0;
  if ((out->flow = arena_array(&t->mem, out->capacity, sizeof *out->flow)) == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    if (bytes[i] > 0)
      out->flow[out->count++] =
          (struct merge_flow){cell_of(c, from, s->axes[a], (uint32_t)(i / u->size[b])),
                              cell_of(c, to, u->axes[b], (uint32_t)(i % u->size[b])), bytes[i]};
  return OK;
}

static enum status list_tables(struct merge_traffic *t, const struct merge_case *c)
{
  for (uint32_t block = 0; block < 4 * c->ndims; block++) {
    const uint32_t from = block & 1, to = block >> 1 & 1, d = block / 4;
    for (uint32_t a = 0; a < t->from[from][d].count; a++)
      for (uint32_t b = 0; b < t->to[to][d].count; b++)
        if (list_flows(t, c, block, a, b) != OK)
          return FAIL;
  }
  arena_clear(&t->tables);
  return OK;
}

enum status merge_traffic_read(struct merge_traffic *t, const struct merge_case *c,
                               const struct merge_grid *g, const struct merge_pair *p,
                               struct err *e)
{
  forget_united(t);
  for (int h = 0; h < 2; h++)
    t->raw[h][0].count = t->raw[h][1].count = 0;
  t->ndims = c->ndims;
  /* Assumes that each pair of halves has a quarter of the flows.  Uniting pays if it halves the
   * number of flows. */
  const size_t flows = merge_flows_bound(g, p) / 4;
  if (plan_sets(t, c) > flows / 2)
    return read_rows(t, g, p, e);
  t->united = true;
  t->mem.e = t->tables.e = e;
  if (make_tables(t, c) != OK || read_rows(t, g, p, e) != OK)
    return FAIL;
  return list_tables(t, c);
}

bool merge_traffic_silent(const struct merge_traffic *t)
{
  size_t n = 0;
  for (int i = 0; i < 4; i++)
    n += t->united ? t->table[i / 2][i % 2][0].list[0][0].count : t->raw[i / 2][i % 2].count;
  return n == 0;
}

const struct merge_flows *merge_traffic_along(const struct merge_traffic *t, int from, int to,
                                              uint32_t d, const uint8_t *from_axes,
                                              const uint8_t *to_axes)
{
  if (!t->united)
    return &t->raw[from][to];
  const uint32_t a = axes_of(from_axes, d, t->ndims - 1), b = axes_of(to_axes, 0, d);
  return &t->table[from][to][d].list[t->from[from][d].index[a]][t->to[to][d].index[b]];
}
