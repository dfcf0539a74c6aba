#include "mappers/qap/methods/qap_search.h"

#include <string.h>

#include "mappers/qap/tables.h"

enum status qap_search_new(struct qap_search *s, const struct form *f, struct rng rng,
                           struct budget budget, struct arena *mem)
{
  *s = (struct qap_search){.form = f, .rng = rng, .budget = budget};
  if ((s->best = arena_array(mem, f->n, sizeof *s->best)) == NULL)
    return FAIL;
  qap_search_random(s, s->best);
  s->best_value = tables_value(f, s->best);
  return OK;
}

void qap_search_random(struct qap_search *s, uint32_t *at)
{
  for (uint32_t u = 0; u < s->form->n; u++)
    at[u] = u;
  rng_shuffle(&s->rng, at, s->form->n);
}

void qap_search_offer(struct qap_search *s, const uint32_t *at, int64_t value)
{
  if (value >= s->best_value)
    return;
  s->best_value = value;
  memcpy(s->best, at, s->form->n * sizeof *at);
}
