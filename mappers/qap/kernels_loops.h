/** @file kernels_loops.h
 *  The loops of kernels.h for one width.  kernels.c includes it twice, with ENTRY the type of the
 *  entries, WORD its unsigned twin, in which arithmetic wraps, ENTRY_MIN, ENTRY_MAX, and
 *  NAME(name), which adds the width.
 */
#ifndef ENTRY
#error "kernels.c says of which type"
#endif

/* Adds factor * step[k] to each. */
KERNEL void NAME(add_row)(ENTRY *restrict row, ENTRY factor, const ENTRY *restrict step, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++)
    row[k] = (ENTRY)((WORD)row[k] + (WORD)factor * (WORD)step[k]);
}

/* Adds factor[u] * step[k] to each cost. */
KERNEL void NAME(add_products)(ENTRY *restrict cost, const ENTRY *restrict factor,
                               const ENTRY *restrict step, uint32_t n)
{
  for (uint32_t u = 0; u < n; u++) {
    const WORD f = (WORD)factor[u];
    ENTRY *restrict row = cost + (size_t)u * n;
    for (uint32_t k = 0; f != 0 && k < n; k++)
      row[k] = (ENTRY)((WORD)row[k] + f * (WORD)step[k]);
  }
}

/* Takes (x[u] - x[v]) * (y[u] - y[v]) off each change. */
KERNEL void NAME(update_all)(ENTRY *restrict change, const ENTRY *restrict x,
                             const ENTRY *restrict y, const uint32_t *restrict skip, uint32_t n)
{
  for (uint32_t u = 0; u < n; u++) {
    const WORD xu = (WORD)x[u], yu = (WORD)y[u];
    ENTRY *restrict row = change + (size_t)u * n;
    for (uint32_t v = skip[u]; v < n; v++)
      row[v] = (ENTRY)((WORD)row[v] - (xu - (WORD)x[v]) * (yu - (WORD)y[v]));
  }
}

/* The same where few x differ from 0: those of the @p count facilities of @p some. */
KERNEL void NAME(update_some)(ENTRY *restrict change, const ENTRY *restrict x,
                              const ENTRY *restrict y, const struct some *s)
{
  const uint32_t n = s->n;
  for (uint32_t u = 0; u < n; u++) {
    const WORD xu = (WORD)x[u], yu = (WORD)y[u];
    ENTRY *restrict row = change + (size_t)u * n;
    for (uint32_t v = s->skip[u]; xu != 0 && v < n; v++)
      row[v] = (ENTRY)((WORD)row[v] - (xu - (WORD)x[v]) * (yu - (WORD)y[v]));
    for (uint32_t i = 0; xu == 0 && i < s->count; i++) {
      const uint32_t v = s->facility[i];
      if (v >= s->skip[u])
        row[v] = (ENTRY)((WORD)row[v] + (WORD)x[v] * (yu - (WORD)y[v]));
    }
  }
}

/* The least change of the rows @p from to @p to - 1, if it is below *least, which becomes it;
 * returns its row, or n. */
KERNEL uint32_t NAME(least_row)(const ENTRY *restrict change, const struct scan *s, uint32_t from,
                                uint32_t to, ENTRY *least)
{
  const uint32_t n = s->n;
  const ENTRY wanted = s->wanted < ENTRY_MIN ? ENTRY_MIN : (ENTRY)s->wanted;
  const int32_t now = s->now;
  uint32_t found = n;
  for (uint32_t u = from; u < to; u++) {
    const ENTRY *restrict row = change + (size_t)u * n;
    const int32_t *restrict until = s->until + (size_t)u * n;
    ENTRY low = ENTRY_MAX;
    for (uint32_t v = s->skip[u]; v < n; v++) {
      const bool allowed = (until[v] <= now) | (row[v] < wanted);
      const ENTRY seen = allowed ? row[v] : ENTRY_MAX;
      low = seen < low ? seen : low;
    }
    if (low < *least) {
      *least = low;
      found = u;
    }
  }
  return found;
}

/* Sum over k of (a[k] - b[k]) * (y[k] - x[k]): the change of a swap of the facilities that have the
 * flows a and b, on locations with the distances x and y, but for terms of the two themselves. */
KERNEL ENTRY NAME(cross)(const ENTRY *restrict a, const ENTRY *restrict b, const ENTRY *restrict x,
                         const ENTRY *restrict y, uint32_t n)
{
  WORD sum = 0;
  for (uint32_t k = 0; k < n; k++)
    sum += ((WORD)a[k] - (WORD)b[k]) * ((WORD)y[k] - (WORD)x[k]);
  return (ENTRY)sum;
}

static WORD NAME(pair_terms)(const struct form *f, const uint32_t *at, size_t u, size_t v)
{
  const size_t n = f->n, here = at[u] * n + at[v], there = at[v] * n + at[u];
  const ENTRY *flow = f->flow, *distance = f->distance;
  const WORD both = f->two ? (WORD)distance[here] + (WORD)distance[there] : (WORD)distance[here];
  return ((WORD)flow[u * n + v] + (WORD)flow[v * n + u]) * both +
         ((WORD)f->self[u] - (WORD)f->self[v]) * ((WORD)f->place[at[v]] - (WORD)f->place[at[u]]);
}

static ENTRY NAME(change_anew)(const struct tables *t, size_t u, size_t v)
{
  const size_t n = t->form->n;
  const ENTRY *cost = t->place_cost;
  return (ENTRY)((WORD)cost[u * n + v] + (WORD)cost[v * n + u] - (WORD)cost[u * n + u] -
                 (WORD)cost[v * n + v] + NAME(pair_terms)(t->form, t->at, u, v));
}

static void NAME(sort)(void *sorted, const struct form *f, const void *distances, const uint32_t *at)
{
  const size_t n = f->n;
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < n; l++)
      ((ENTRY *)sorted)[k * n + l] = ((const ENTRY *)distances)[at[k] * n + at[l]];
}

/* Adds what the flows one way cost; the distances are those of the other way. */
static void NAME(start_way)(struct tables *t, const void *flows, const void *distances)
{
  const struct form *f = t->form;
  const size_t n = f->n;
  NAME(sort)(t->sorted, f, distances, t->at);
  for (size_t u = 0; u < n; u++)
    for (size_t i = f->first[u]; i < f->first[u + 1]; i++) {
      const size_t j = f->partner[i];
      NAME(add_row)((ENTRY *)t->place_cost + u * n, ((const ENTRY *)flows)[u * n + j],
                    (const ENTRY *)t->sorted + j * n, f->n);
    }
}

static void NAME(start)(struct tables *t)
{
  const struct form *f = t->form;
  const size_t n = f->n;
  memset(t->place_cost, 0, n * n * sizeof(ENTRY));
  NAME(start_way)(t, f->flow, f->back_distance);
  if (f->two)
    NAME(start_way)(t, f->back_flow, f->distance);
  for (size_t u = 0; u < n; u++)
    for (size_t v = f->skip[u]; v < n; v++)
      ((ENTRY *)t->change)[u * n + v] = NAME(change_anew)(t, u, v);
}

/* x: what the flows of r have above those of s, reversed; y: the distances of their locations. */
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
  const uint32_t n = t->form->n;
  struct some some = {.n = n, .skip = t->form->skip, .facility = t->some};
  NAME(differences)(t, flows, distances, swap);
  NAME(add_products)(t->place_cost, t->x, t->y, n);
  for (uint32_t u = 0; u < n; u++) {
    t->some[some.count] = u;
    some.count += ((const ENTRY *)t->x)[u] != 0;
  }
  if (some.count < n / 8)
    NAME(update_some)(t->change, t->x, t->y, &some);
  else
    NAME(update_all)(t->change, t->x, t->y, t->form->skip, n);
}

/* Computes the changes of facility u's swaps from the costs of places. */
static void NAME(update_of)(struct tables *t, size_t u)
{
  const struct form *f = t->form;
  ENTRY *change = t->change;
  for (size_t v = 0; v < u; v++)
    if (f->skip[v] <= u)
      change[v * f->n + u] = NAME(change_anew)(t, v, u);
  for (size_t v = f->skip[u]; v < f->n; v++)
    change[u * f->n + v] = NAME(change_anew)(t, u, v);
}

static void NAME(swap)(struct tables *t, const struct swap *swap)
{
  const struct form *f = t->form;
  const size_t n = f->n, u = swap->u, v = swap->v;
  NAME(update_way)(t, f->back_flow, f->back_distance, swap);
  if (f->two)
    NAME(update_way)(t, f->flow, f->distance, swap);
  ENTRY *cost = t->place_cost;
  for (size_t i = 0; i < n; i++) {
    const ENTRY kept = cost[i * n + u];
    cost[i * n + u] = cost[i * n + v];
    cost[i * n + v] = kept;
  }
  const uint32_t location = t->at[u];
  t->at[u] = t->at[v];
  t->at[v] = location;
  NAME(update_of)(t, u);
  NAME(update_of)(t, v);
}

static int64_t NAME(change)(const struct tables *t, uint32_t u, uint32_t v)
{
  return ((const ENTRY *)t->change)[(size_t)u * t->form->n + v];
}

static struct swap NAME(best)(const struct tables *t, const struct scan *s, uint32_t first)
{
  const uint32_t n = s->n;
  const ENTRY *change = t->change;
  ENTRY least = ENTRY_MAX;
  uint32_t u = NAME(least_row)(change, s, first, n, &least);
  const uint32_t before = NAME(least_row)(change, s, 0, first, &least);
  u = before < n ? before : u;
  if (u == n)
    return (struct swap){0, 0, 0};
  uint32_t v = s->skip[u];
  for (size_t i = (size_t)u * n; change[i + v] != least ||
                                 !(s->until[i + v] <= s->now || change[i + v] < s->wanted);)
    v++;
  return (struct swap){u, v, least};
}

const struct kernels NAME(kernels) = {.start = NAME(start),
                                      .swap = NAME(swap),
                                      .change = NAME(change),
                                      .best = NAME(best)};
