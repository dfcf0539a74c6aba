#include "mappers/general/anneal/anneal_rows.h"

#include <string.h>

#include "mappers/general/anneal/anneal_grid.h"

#define NOBODY UINT32_MAX

enum { FEW_ROWS = 4 };

/* The rows along an axis are numbered as hosts of the grid without this axis. */
struct rows {
  struct placement *p;
  uint32_t axis, stride, side, count;
  uint32_t *at;     /* by host: its task, or UINT32_MAX */
  uint32_t *met;    /* scratch: rows that have edges with one row */
  uint64_t *weight; /* scratch, by row: weight of the edges to it; 0 outside of use */
  uint32_t *slot;   /* by row; at the end by task */
  struct graph g;
};

static uint32_t row_of(const struct rows *r, uint32_t host)
{
  return host / r->stride / r->side * r->stride + host % r->stride;
}

/* The host of a row at coordinate @p at. */
static uint32_t host_of(const struct rows *r, uint32_t row, uint32_t at)
{
  return (row / r->stride * r->side + at) * r->stride + row % r->stride;
}

/* Adds up the weights of a row's edges by the row that they lead to, and lists these rows in met[].
 * Returns their number. */
static uint32_t weigh(struct rows *r, uint32_t row)
{
  const struct graph *g = r->p->g;
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->side; i++) {
    const uint32_t v = r->at[host_of(r, row, i)];
    if (v == NOBODY)
      continue;
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t other = row_of(r, r->p->slot[g->to[a]]);
      if (other == row)
        continue;
      r->met[n] = other;
      n += r->weight[other] == 0;
      r->weight[other] += g->weight[a];
    }
  }
  return n;
}

/* The divisor of the weights, so that the weights of a row do not exceed GRAPH_MOST_WEIGHT. */
static uint64_t find_unit(struct rows *r)
{
  uint64_t most = 0;
  for (uint32_t row = 0; row < r->count; row++) {
    const uint32_t n = weigh(r, row);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
      sum += r->weight[r->met[i]];
      r->weight[r->met[i]] = 0;
    }
    most = sum > most ? sum : most;
  }
  return most / GRAPH_MOST_WEIGHT + 1;
}

/* Builds the graph of the rows. */
static void join(struct rows *r)
{
  const uint64_t unit = find_unit(r);
  uint32_t arcs = 0;
  for (uint32_t row = 0; row < r->count; row++) {
    const uint32_t n = weigh(r, row);
    for (uint32_t i = 0; i < n; i++) {
      uint64_t *w = &r->weight[r->met[i]];
      r->g.to[arcs] = r->met[i];
      r->g.weight[arcs++] = (uint32_t)(*w < unit ? 1 : *w / unit);
      *w = 0;
    }
    r->g.first[row + 1] = arcs;
  }
}

/* Moves the tasks with their rows. */
static void take(struct rows *r)
{
  memcpy(r->met, r->slot, r->count * sizeof *r->met);
  for (uint32_t v = 0; v < r->p->g->n; v++) {
    const uint32_t host = r->p->slot[v];
    r->slot[v] = host_of(r, r->met[row_of(r, host)], host / r->stride % r->side);
  }
  placement_improve(r->p, r->slot);
}

static enum status anneal(struct rows *r, const struct anneal_plan *plan, struct err *e)
{
  struct target m;
  uint32_t side[GRID_MAX_DIMS];
  memcpy(side, r->p->m->side, sizeof side);
  side[r->axis] = 1;
  target_box(&m, r->p->m, side);
  struct placement all = {.g = &r->g, .m = &m, .slot = r->slot};
  for (uint32_t row = 0; row < r->count; row++)
    r->slot[row] = row;
  const uint64_t before = all.hops = placement_hops(&all, r->slot);
  if (anneal_grid(&all, plan, e) != OK)
    return FAIL;
  if (all.hops < before)
    take(r);
  return OK;
}

static enum status try_axis(struct placement *p, uint32_t axis, uint32_t stride,
                            const struct anneal_plan *plan, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = p->g->n, hosts = p->m->hosts, side = p->m->side[axis], count = hosts / side;
  if (side == 1 || count < FEW_ROWS)
    return OK;
  struct rows r = {.p = p,
                   .axis = axis,
                   .stride = stride,
                   .side = side,
                   .count = count,
                   .at = arena_array(&mem, hosts, sizeof *r.at),
                   .met = arena_array(&mem, (size_t)count + 1, sizeof *r.met),
                   .weight = arena_array(&mem, count, sizeof *r.weight),
                   .slot = arena_array(&mem, n > count ? n : count, sizeof *r.slot)};
  if (graph_alloc(&r.g, count, p->g->first[n], &mem) != OK)
    return FAIL;
  memset(r.at, 0xff, hosts * sizeof *r.at);
  for (uint32_t v = 0; v < n; v++)
    r.at[p->slot[v]] = v;
  join(&r);
  return anneal(&r, plan, e);
}

enum status rows_anneal(struct placement *p, const struct anneal_plan *plan, struct err *e)
{
  uint32_t stride = 1;
  enum status s = OK;
  for (uint32_t d = 0; d < p->m->ndims && s == OK; d++) {
    s = try_axis(p, d, stride, plan, e);
    stride *= p->m->side[d];
  }
  return s;
}
