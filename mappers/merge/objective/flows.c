#include "mappers/merge/objective/flows.h"

#include "common/mem.h"

/* Looking up one destination costs about the same as scanning this number of entries. */
#define LOOKUP_COST 8

static enum status append(struct merge_flows *out, uint32_t src, uint32_t dst, uint64_t bytes,
                          struct err *e)
{
  if (MEM_GROW(out->flow, out->capacity, out->count + 1, e) != OK)
    return FAIL;
  out->flow[out->count++] = (struct merge_flow){src, dst, bytes};
  return OK;
}

static uint64_t bytes_to(const struct merge_grid *g, uint32_t unit, uint32_t dst)
{
  const struct matrix *m = merge_grid_traffic(g);
  const size_t low = g->row[unit], high = g->row[unit + 1];
  if (m->dense != NULL)
    return dst < m->ranks ? matrix_dense(m, unit, dst) : 0; /* a task from m->ranks on is idle */
  const size_t guess = low + dst - (dst > unit); /* correct if the unit sends to all others */
  if (guess < high && m->entry[guess].dst == dst)
    return m->entry[guess].bytes;
  const size_t i = matrix_search(m->entry, low, high, unit, dst);
  return i < high && m->entry[i].dst == dst ? m->entry[i].bytes : 0;
}

static enum status look_up(const struct merge_grid *g, uint32_t group, uint32_t unit,
                           struct merge_flows *out, struct err *e)
{
  for (uint32_t k = g->start[group]; k < g->start[group + 1]; k++) {
    const uint32_t dst = g->unit_at[k];
    const uint64_t bytes = dst == unit ? 0 : bytes_to(g, unit, dst);
    if (bytes > 0 && append(out, g->cell[unit], k - g->start[group], bytes, e) != OK)
      return FAIL;
  }
  return OK;
}

static uint32_t units_of(const struct merge_grid *g, const struct merge_pair *p)
{
  return g->start[p->first + 1] - g->start[p->first] + g->start[p->second + 1] -
         g->start[p->second];
}

enum status merge_flows_row(const struct merge_grid *g, const struct merge_pair *p, uint32_t unit,
                            struct merge_flows *out, struct err *e)
{
  const struct matrix *m = merge_grid_traffic(g);
  const size_t entries = g->row[unit + 1] - g->row[unit];
  if (entries / LOOKUP_COST > units_of(g, p))
    return look_up(g, p->first, unit, &out[0], e) != OK ? FAIL
                                                        : look_up(g, p->second, unit, &out[1], e);
  for (size_t i = g->row[unit]; i < g->row[unit + 1]; i++) {
    const struct matrix_entry x = matrix_in_row(m, unit, i);
    const uint32_t group = g->group[x.dst];
    if ((group != p->first && group != p->second) || x.dst == unit || x.bytes == 0)
      continue;
    if (append(&out[group == p->second], g->cell[unit], g->cell[x.dst], x.bytes, e) != OK)
      return FAIL;
  }
  return OK;
}

size_t merge_flows_bound(const struct merge_grid *g, const struct merge_pair *p)
{
  const uint32_t half[2] = {p->first, p->second};
  const size_t most = units_of(g, p) - 1;
  size_t n = 0;
  for (int h = 0; h < 2; h++)
    for (uint32_t k = g->start[half[h]]; k < g->start[half[h] + 1]; k++) {
      const size_t entries = g->row[g->unit_at[k] + 1] - g->row[g->unit_at[k]];
      n += entries < most ? entries : most;
    }
  return n;
}
