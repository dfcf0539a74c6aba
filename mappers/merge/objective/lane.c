#include "mappers/merge/objective/lane.h"

static void add_to_paths(const struct merge_lane *l, const struct merge_flows *f, uint64_t *load)
{
  for (size_t i = 0; i < f->count; i++) {
    const struct merge_flow *x = &f->flow[i];
    const uint32_t a = l->from[x->src] + l->to[x->dst] + l->shift;
    const uint32_t b = l->from_next[x->src] + l->to_next[x->dst] + l->shift_next;
    uint64_t *way = load + (b < a ? l->cells : 0);
    way[a < b ? a : b] += 2 * x->bytes;
    way[a < b ? b : a] -= 2 * x->bytes;
  }
}

/* Link i joins places i and i + 1 of a line.  The last link of a ring leads back to its start. */
static void add_to_rings(const struct merge_lane *l, const struct merge_flows *f, uint64_t *load)
{
  const uint32_t span = l->stride * l->length;
  for (size_t i = 0; i < f->count; i++) {
    const struct merge_flow *x = &f->flow[i];
    const uint32_t a = l->from[x->src] + l->to[x->dst] + l->shift;
    const uint32_t b = l->from_next[x->src] + l->to_next[x->dst] + l->shift_next;
    const uint32_t start = l->from_next[x->src] + l->to[x->dst] +
                           (l->shift < l->shift_next ? l->shift : l->shift_next);
    const uint32_t rise = b >= a ? b - a : b + span - a;
    const uint64_t share = 2 * rise == span ? x->bytes : 2 * x->bytes;
    if (2 * rise <= span) {
      load[a] += share;
      load[b] -= share;
      load[start] += b < a ? share : 0;
    }
    if (2 * rise >= span) {
      uint64_t *down = load + l->cells;
      down[b] += share;
      down[a] -= share;
      down[start] += b > a ? share : 0;
    }
  }
}

void merge_lane_add(const struct merge_lane *l, const struct merge_flows *f, uint64_t *load)
{
  if (l->ring)
    add_to_rings(l, f, load);
  else
    add_to_paths(l, f, load);
}

void merge_lane_sum(const struct merge_lane *l, uint64_t *load)
{
  const uint32_t span = l->stride * l->length;
  for (uint64_t *line = load; line < load + 2 * (size_t)l->cells; line += span)
    for (uint32_t i = l->stride; i < span; i++)
      line[i] += line[i - l->stride];
}
