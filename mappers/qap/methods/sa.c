/* Simulated annealing after Connolly (An improved annealing scheme for the QAP, European Journal of
 * Operational Research 46, 1990): tries all pairs of facilities in turn and takes a worsening swap
 * with probability exp(-change / temperature).  The temperature falls geometrically over the whole
 * budget, from HOT to COLD.  At COLD hardly any worsening swap is taken. */
#include <string.h>

#include "mappers/anneal.h"
#include "mappers/qap/methods/method.h"
#include "mappers/qap/tables.h"

/* Temperatures, relative to the mean change of random worsening swaps. */
static const double HOT = 0.3, COLD = 0.015;

struct annealing {
  struct qap_search *search;
  uint32_t *at;
  int64_t value;
  double hot, temperature;
  bool more;
};

static bool can_swap(const struct form *f, const uint32_t *at, uint32_t u, uint32_t v)
{
  return v >= f->skip[u] && f->region[at[u]] != f->region[at[v]];
}

static void swap(struct annealing *a, uint32_t u, uint32_t v, int64_t change)
{
  const uint32_t location = a->at[u];
  a->at[u] = a->at[v];
  a->at[v] = location;
  a->value += change;
}

static void measure(struct annealing *a)
{
  struct qap_search *s = a->search;
  const uint32_t n = s->form->n;
  double sum = 0;
  uint32_t worse = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    const uint32_t u = (uint32_t)rng_below(&s->rng, n), v = (uint32_t)rng_below(&s->rng, n);
    const int64_t change = can_swap(s->form, a->at, u, v) ? tables_price(s->form, a->at, u, v) : 0;
    sum += change > 0 ? (double)change : 0;
    worse += change > 0;
  }
  a->hot = worse == 0 ? 0 : HOT * sum / worse;
}

/* Tries the swaps of facility u with all later facilities once. */
static void sweep(struct annealing *a, uint32_t u)
{
  struct qap_search *s = a->search;
  const struct form *f = s->form;
  for (uint32_t v = f->skip[u]; v < f->n; v++) {
    if (f->region[a->at[u]] == f->region[a->at[v]])
      continue;
    const int64_t change = tables_price(f, a->at, u, v);
    if (change > 0 && (double)change >= anneal_draw(a->temperature, &s->rng))
      continue;
    swap(a, u, v, change);
    if (a->value < s->best_value)
      qap_search_offer(s, a->at, a->value);
  }
  /* A unit of the budget is a swap read from a table, as in the tabu walk.  tables_price() takes
   * longer: about 2 * flows + 20 units. */
  const uint64_t flows = f->first[f->n] / f->n + 1;
  a->more = budget_spend(&s->budget, (f->n - f->skip[u]) * (2 * flows + 20) + 1);
}

static void anneal(struct annealing *a)
{
  const uint32_t n = a->search->form->n;
  while (a->more)
    for (uint32_t u = 0; u < n && a->more; u++) {
      a->temperature = anneal_heat(a->hot, COLD / HOT, budget_share(&a->search->budget));
      sweep(a, u);
    }
}

static enum status run(struct qap_search *s, struct arena *mem)
{
  const uint32_t n = s->form->n;
  struct annealing a = {.search = s, .value = s->best_value, .more = true};
  if ((a.at = arena_array(mem, n, sizeof *a.at)) == NULL)
    return FAIL;
  memcpy(a.at, s->best, n * sizeof *a.at);
  measure(&a);
  anneal(&a);
  return OK;
}

const struct method method_sa = {"sa", "simulated annealing (Connolly)", run};
