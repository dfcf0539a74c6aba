#include "mappers/qap/tables.h"

#include <string.h>

#include "mappers/qap/kernels.h"

static const struct kernels *kernels_of(const struct form *f)
{
  return f->wide ? &kernels_64 : &kernels_32;
}

enum status tables_new(struct tables *t, const struct form *f, struct arena *mem)
{
  const size_t n = f->n, size = f->wide ? sizeof(int64_t) : sizeof(int32_t);
  /* An odd number of lanes in a row spreads the entries of a column over the sets of the cache. */
  const uint32_t lanes = (f->n + TABLES_LANES - 1) / TABLES_LANES | 1;
  const uint32_t stride = lanes * TABLES_LANES;
  *t = (struct tables){.form = f,
                       .at = arena_array(mem, n, sizeof *t->at),
                       .stride = stride,
                       .place_cost = arena_array(mem, n * stride, size),
                       .change = arena_array(mem, n * stride, size),
                       .x = arena_array(mem, stride, size),
                       .y = arena_array(mem, stride, size),
                       .some = arena_array(mem, n + 1, sizeof *t->some)};
  return arena_status(mem);
}

void tables_start(struct tables *t, const uint32_t *at, int64_t value)
{
  memcpy(t->at, at, t->form->n * sizeof *at);
  t->value = value;
  kernels_of(t->form)->start(t);
}

void tables_swap(struct tables *t, uint32_t u, uint32_t v)
{
  const struct swap s = {u < v ? u : v, u < v ? v : u, 0};
  t->value += kernels_of(t->form)->change(t, s.u, s.v);
  kernels_of(t->form)->swap(t, &s);
}

int64_t tables_change(const struct tables *t, uint32_t u, uint32_t v)
{
  return kernels_of(t->form)->change(t, u < v ? u : v, u < v ? v : u);
}

struct swap tables_best(const struct tables *t, const struct scan *s, uint32_t first)
{
  return kernels_of(t->form)->best(t, s, first);
}

int64_t tables_price(const struct form *f, const uint32_t *at, uint32_t u, uint32_t v)
{
  return kernels_of(f)->price(f, at, u, v);
}

int64_t tables_value(const struct form *f, const uint32_t *at)
{
  const uint32_t n = f->n;
  int64_t value = 0;
  for (uint32_t u = 0; u < n; u++) {
    value += f->self[u] * f->place[at[u]];
    for (size_t i = f->first[u]; i < f->first[u + 1]; i++) {
      const uint32_t v = f->partner[i];
      if (f->two || v < u)
        value += form_entry(f, f->flow, u, v) * form_entry(f, f->distance, at[u], at[v]);
    }
  }
  return value;
}
