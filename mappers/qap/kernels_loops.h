/** @file kernels_loops.h
 *  The loops of kernels.h for one width.  kernels.c includes this file twice and defines ENTRY, the
 *  type of the entries; WORD, the unsigned type of the same width, with arithmetic that wraps;
 *  ENTRY_MIN and ENTRY_MAX; and NAME(name), which appends the width.
 */
#ifndef ENTRY
#error "only for kernels.c, which defines ENTRY"
#endif

typedef WORD NAME(words)
    __attribute__((vector_size(LANES * sizeof(WORD)), aligned(sizeof(WORD)), may_alias));

/* Adds factor * step[k] to each entry of the row. */
KERNEL void NAME(add_row)(ENTRY *row, WORD factor, const ENTRY *step, uint32_t stride)
{
  for (uint32_t k = 0; k < stride; k += LANES)
    *(NAME(words) *)(row + k) += factor * *(const NAME(words) *)(step + k);
}

/* Adds factor[u] * step[k] to each cost[u][k]. */
KERNEL void NAME(add_products)(ENTRY *cost, const ENTRY *factor, const ENTRY *step,
                               const struct shape *s)
{
  for (uint32_t u = 0; u < s->n; u++) {
    const WORD f = (WORD)factor[u];
    ENTRY *row = cost + (size_t)u * s->stride;
    for (uint32_t k = 0; f != 0 && k < s->stride; k += LANES)
      *(NAME(words) *)(row + k) += f * *(const NAME(words) *)(step + k);
  }
}

/* Subtracts (x[u] - x[v]) * (y[u] - y[v]) from each change.  If few entries of x are nonzero, a row
 * with x[u] = 0 is updated only at the facilities v with nonzero x[v]. */
KERNEL void NAME(update)(ENTRY *change, const ENTRY *x, const ENTRY *y, const struct shape *s)
{
  const bool few = s->count < s->n / 8;
  for (uint32_t u = 0; u < s->n; u++) {
    const WORD xu = (WORD)x[u], yu = (WORD)y[u];
    ENTRY *row = change + (size_t)u * s->stride;
    const bool some = xu == 0 && few;
    for (uint32_t v = shape_begin(s, u); !some && v < s->stride; v += LANES)
      *(NAME(words) *)(row + v) -=
          (xu - *(const NAME(words) *)(x + v)) * (yu - *(const NAME(words) *)(y + v));
    for (uint32_t i = 0; some && i < s->count; i++) {
      const uint32_t v = s->facility[i];
      row[v] = (ENTRY)((WORD)row[v] + (WORD)x[v] * (yu - (WORD)y[v]));
    }
  }
}

struct NAME(least) {
  ENTRY value;
  uint32_t row, from, to;
};

/* Finds the least change that the scan allows in rows out->from to out->to - 1.  If it is below
 * out->value, stores it and its row.  Ties: the first row. */
KERNEL void NAME(find_least)(const ENTRY *restrict change, const struct scan *s,
                             const struct shape *shape, struct NAME(least) *restrict out)
{
  const ENTRY wanted = s->wanted < ENTRY_MIN ? ENTRY_MIN : (ENTRY)s->wanted;
  const int32_t now = s->now;
  for (uint32_t u = out->from; u < out->to; u++) {
    const ENTRY *restrict row = change + (size_t)u * shape->stride;
    const int32_t *restrict until = s->until + (size_t)u * shape->stride;
    ENTRY least = ENTRY_MAX;
    for (uint32_t v = shape_begin(shape, u); v < shape->stride; v++) {
      const ENTRY c = row[v];
      const ENTRY free = until[v] <= now ? c : ENTRY_MAX;
      const ENTRY better = until[v] < INT32_MAX ? c : ENTRY_MAX;
      const ENTRY seen = better < wanted ? better : free;
      least = seen < least ? seen : least;
    }
    out->row = least < out->value ? u : out->row;
    out->value = least < out->value ? least : out->value;
  }
}

static WORD NAME(pair_terms)(const struct form *f, const uint32_t *at, size_t u, size_t v)
{
  const size_t n = f->n, here = at[u] * n + at[v], there = at[v] * n + at[u];
  const ENTRY *flow = f->flow, *distance = f->distance;
  const WORD both = f->two ? (WORD)distance[here] + (WORD)distance[there] : (WORD)distance[here];
  return ((WORD)flow[u * n + v] + (WORD)flow[v * n + u]) * both +
         ((WORD)f->self[u] - (WORD)f->self[v]) * ((WORD)f->place[at[v]] - (WORD)f->place[at[u]]);
}

/* The change of the cost of the flows of m->u in one direction if it moves to the location of m->v,
 * without the flows with m->v. */
static WORD NAME(move_one_way)(const struct form *f, const uint32_t *at, const void *flows,
                               const void *distances, const struct move *m)
{
  const size_t n = f->n;
  const ENTRY *flow = (const ENTRY *)flows + m->u * n;
  const ENTRY *here = (const ENTRY *)distances + at[m->u] * n;
  const ENTRY *there = (const ENTRY *)distances + at[m->v] * n;
  WORD sum = 0;
  for (size_t i = f->first[m->u]; i < f->first[m->u + 1]; i++) {
    const uint32_t k = f->partner[i], l = at[k];
    const WORD gain = (WORD)flow[k] * ((WORD)there[l] - (WORD)here[l]);
    sum += k == m->v ? 0 : gain;
  }
  return sum;
}

static WORD NAME(moved)(const struct form *f, const uint32_t *at, uint32_t u, uint32_t v)
{
  const struct move m = {u, v};
  WORD sum = NAME(move_one_way)(f, at, f->flow, f->distance, &m);
  if (f->two)
    sum += NAME(move_one_way)(f, at, f->back_flow, f->back_distance, &m);
  return sum;
}

static int64_t NAME(price)(const struct form *f, const uint32_t *at, uint32_t u, uint32_t v)
{
  const size_t n = f->n;
  const ENTRY *flow = f->flow, *distance = f->distance;
  WORD sum = NAME(moved)(f, at, u, v) + NAME(moved)(f, at, v, u);
  if (f->two)
    sum += ((WORD)flow[u * n + v] - (WORD)flow[v * n + u]) *
           ((WORD)distance[at[v] * n + at[u]] - (WORD)distance[at[u] * n + at[v]]);
  sum += ((WORD)f->self[u] - (WORD)f->self[v]) * ((WORD)f->place[at[v]] - (WORD)f->place[at[u]]);
  return (ENTRY)sum;
}

static ENTRY NAME(change_anew)(const struct tables *t, size_t u, size_t v)
{
  const size_t n = t->stride;
  const ENTRY *cost = t->place_cost;
  return (ENTRY)((WORD)cost[u * n + v] + (WORD)cost[v * n + u] - (WORD)cost[u * n + u] -
                 (WORD)cost[v * n + v] + NAME(pair_terms)(t->form, t->at, u, v));
}

/* Adds the costs of the flows in one direction to place_cost.  @p distances is the transpose of the
 * distances in that direction. */
static void NAME(start_way)(struct tables *t, const void *flows, const void *distances)
{
  const struct form *f = t->form;
  const size_t n = f->n, stride = t->stride;
  const ENTRY *flow = flows, *distance = distances;
  ENTRY *cost = t->place_cost, *y = t->y;
  for (size_t j = 0; j < n; j++) {
    for (size_t k = 0; k < n; k++)
      y[k] = distance[t->at[j] * n + t->at[k]];
    for (size_t i = f->first[j]; i < f->first[j + 1]; i++) {
      const size_t u = f->partner[i];
      NAME(add_row)(cost + u * stride, (WORD)flow[u * n + j], y, t->stride);
    }
  }
}

static void NAME(start)(struct tables *t)
{
  const struct form *f = t->form;
  const size_t n = f->n, stride = t->stride;
  memset(t->place_cost, 0, n * stride * sizeof(ENTRY));
  NAME(start_way)(t, f->flow, f->back_distance);
  if (f->two)
    NAME(start_way)(t, f->back_flow, f->distance);
  for (size_t u = 0; u < n; u++)
    for (size_t v = f->skip[u]; v < n; v++)
      ((ENTRY *)t->change)[u * stride + v] = NAME(change_anew)(t, u, v);
}

/* Sets x to the flows of swap->v minus the flows of swap->u, and y to the distances of the location
 * of swap->u minus the distances of the location of swap->v. */
static void NAME(differences)(struct tables *t, const void *flows, const void *distances,
                              const struct swap *swap)
{
  const size_t n = t->form->n;
  const ENTRY *r = (const ENTRY *)flows + swap->u * n, *s = (const ENTRY *)flows + swap->v * n;
  const ENTRY *k = (const ENTRY *)distances + t->at[swap->u] * n;
  const ENTRY *l = (const ENTRY *)distances + t->at[swap->v] * n;
  ENTRY *x = t->x, *y = t->y;
  for (size_t u = 0; u < n; u++)
    x[u] = (ENTRY)((WORD)s[u] - (WORD)r[u]);
  for (size_t u = 0; u < n; u++)
    y[u] = (ENTRY)((WORD)k[t->at[u]] - (WORD)l[t->at[u]]);
}

static void NAME(update_way)(struct tables *t, const void *flows, const void *distances,
                             const struct swap *swap)
{
  const ENTRY *x = t->x;
  struct shape shape = shape_of(t);
  NAME(differences)(t, flows, distances, swap);
  NAME(add_products)(t->place_cost, t->x, t->y, &shape);
  for (uint32_t u = 0; u < shape.n; u++) {
    t->some[shape.count] = u;
    shape.count += x[u] != 0;
  }
  NAME(update)(t->change, t->x, t->y, &shape);
}

/* Recomputes the changes of all swaps of facility u from place_cost. */
static void NAME(update_of)(struct tables *t, size_t u)
{
  const struct form *f = t->form;
  ENTRY *change = t->change;
  for (size_t v = 0; v < u; v++)
    if (f->skip[v] <= u)
      change[v * t->stride + u] = NAME(change_anew)(t, v, u);
  for (size_t v = f->skip[u]; v < f->n; v++)
    change[u * t->stride + v] = NAME(change_anew)(t, u, v);
}

static void NAME(swap_columns)(const struct tables *t, const struct swap *s)
{
  ENTRY *row = t->place_cost;
  for (uint32_t i = 0; i < t->form->n; i++, row += t->stride) {
    const ENTRY kept = row[s->u];
    row[s->u] = row[s->v];
    row[s->v] = kept;
  }
}

static void NAME(swap)(struct tables *t, const struct swap *s)
{
  const struct form *f = t->form;
  NAME(update_way)(t, f->back_flow, f->back_distance, s);
  if (f->two)
    NAME(update_way)(t, f->flow, f->distance, s);
  NAME(swap_columns)(t, s);
  const uint32_t location = t->at[s->u];
  t->at[s->u] = t->at[s->v];
  t->at[s->v] = location;
  NAME(update_of)(t, s->u);
  NAME(update_of)(t, s->v);
}

static int64_t NAME(change)(const struct tables *t, uint32_t u, uint32_t v)
{
  return ((const ENTRY *)t->change)[(size_t)u * t->stride + v];
}

static struct swap NAME(best)(const struct tables *t, const struct scan *s, uint32_t first)
{
  const struct shape shape = shape_of(t);
  struct NAME(least) least = {.value = ENTRY_MAX, .from = first, .to = shape.n};
  NAME(find_least)(t->change, s, &shape, &least);
  least.from = 0;
  least.to = first;
  NAME(find_least)(t->change, s, &shape, &least);
  if (least.value == ENTRY_MAX)
    return (struct swap){.u = 0};
  const int32_t *until = s->until + (size_t)least.row * t->stride;
  const ENTRY *row = (const ENTRY *)t->change + (size_t)least.row * t->stride;
  uint32_t v = shape.skip[least.row];
  while (row[v] != least.value ||
         (until[v] > s->now && (row[v] >= s->wanted || until[v] == INT32_MAX)))
    v++;
  return (struct swap){least.row, v, least.value};
}

const struct kernels NAME(kernels) = {.start = NAME(start),
                                      .swap = NAME(swap),
                                      .change = NAME(change),
                                      .price = NAME(price),
                                      .best = NAME(best)};
