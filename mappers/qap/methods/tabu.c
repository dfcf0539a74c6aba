#include "mappers/qap/methods/tabu.h"

#include <string.h>

/* After this number of steps the list is emptied and steps count from 0, so that they fit in
 * int32_t. */
#define MOST_STEPS (INT32_MAX / 2)

enum status tabu_new(struct tabu *t, struct qap_search *s, struct arena *mem)
{
  const size_t n = s->form->n;
  *t = (struct tabu){.search = s,
                     .best = arena_array(mem, n, sizeof *t->best),
                     .left = arena_array(mem, n * n, sizeof *t->left)};
  if (tables_new(&t->tables, s->form, mem) != OK)
    return FAIL;
  t->until = arena_array(mem, n * t->tables.stride, sizeof *t->until);
  return arena_status(mem);
}

static int32_t lesser(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

/* A swap of interchangeable locations changes nothing and is always tabu. */
static void refresh_pair(struct tabu *t, size_t u, size_t v)
{
  const struct form *f = t->search->form;
  const uint32_t *at = t->tables.at;
  const int32_t until = lesser(t->left[u * f->n + at[v]], t->left[v * f->n + at[u]]);
  t->until[u * t->tables.stride + v] = f->region[at[u]] == f->region[at[v]] ? INT32_MAX : until;
}

static void refresh(struct tabu *t, size_t u)
{
  const struct form *f = t->search->form;
  for (size_t v = 0; v < u; v++)
    if (f->skip[v] <= u)
      refresh_pair(t, v, u);
  for (size_t v = f->skip[u]; v < f->n; v++)
    refresh_pair(t, u, v);
}

static void forget(struct tabu *t)
{
  const struct form *f = t->search->form;
  memset(t->left, 0, (size_t)f->n * f->n * sizeof *t->left);
  t->step = 0;
  for (size_t i = 0; i < (size_t)f->n * t->tables.stride; i++)
    t->until[i] = INT32_MAX;
  for (size_t u = 0; u < f->n; u++)
    for (size_t v = f->skip[u]; v < f->n; v++)
      refresh_pair(t, u, v);
}

static void keep_best(struct tabu *t)
{
  t->best_value = t->tables.value;
  memcpy(t->best, t->tables.at, t->search->form->n * sizeof *t->best);
}

void tabu_start(struct tabu *t, const uint32_t *at)
{
  if (at != NULL)
    tables_start(&t->tables, at, tables_value(t->search->form, at));
  keep_best(t);
  forget(t);
}

/* A random number of 0.9 n to 1.1 n steps, as in Taillard's paper. */
static int32_t tenure(struct tabu *t)
{
  const uint32_t n = t->search->form->n, low = n * 9 / 10;
  return (int32_t)(low + rng_below(&t->search->rng, n / 5 + 2));
}

static void take(struct tabu *t, const struct swap *s)
{
  const size_t n = t->search->form->n;
  t->left[s->u * n + t->tables.at[s->u]] = t->step + tenure(t);
  t->left[s->v * n + t->tables.at[s->v]] = t->step + tenure(t);
  tables_swap(&t->tables, s->u, s->v);
  refresh(t, s->u);
  refresh(t, s->v);
}

static struct swap next_swap(struct tabu *t, int64_t wanted, int32_t now)
{
  const struct scan scan = {.until = t->until, .now = now, .wanted = wanted};
  return tables_best(&t->tables, &scan, (uint32_t)rng_below(&t->search->rng, t->search->form->n));
}

/* The work of a step, in swaps evaluated: the scan of all swaps and the update of the tables. */
static uint64_t step_work(const struct form *f)
{
  return f->swaps + 10 * (uint64_t)f->n + 100;
}

bool tabu_walk(struct tabu *t, uint64_t patience)
{
  const uint64_t work = step_work(t->search->form);
  bool more = true;
  for (uint64_t idle = 0; more && idle < patience; idle++) {
    if (t->step++ >= MOST_STEPS)
      forget(t);
    const struct swap s = next_swap(t, t->best_value - t->tables.value, t->step);
    more = budget_spend(&t->search->budget, work);
    if (s.u == s.v)
      continue;
    take(t, &s);
    if (t->tables.value < t->best_value) {
      keep_best(t);
      idle = 0;
    }
  }
  qap_search_offer(t->search, t->best, t->best_value);
  return more;
}

bool tabu_descend(struct tabu *t)
{
  const uint64_t work = step_work(t->search->form);
  bool more = true;
  for (struct swap s; more && (s = next_swap(t, 0, INT32_MAX - 1)).change < 0;) {
    tables_swap(&t->tables, s.u, s.v);
    more = budget_spend(&t->search->budget, work);
  }
  keep_best(t);
  qap_search_offer(t->search, t->best, t->best_value);
  return more;
}
