#include "mappers/qap/methods/search.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/qap/tables.h"

enum status search_new(struct search *s, const struct form *f, struct rng rng, struct budget budget,
                       struct err *e)
{
  *s = (struct search){.form = f, .rng = rng, .budget = budget};
  if ((s->best = mem_array(f->n, sizeof *s->best, e)) == NULL)
    return FAIL;
  search_random(s, s->best);
  s->best_value = tables_value(f, s->best);
  return OK;
}

void search_clear(struct search *s)
{
  free(s->best);
  *s = (struct search){.form = NULL};
}

void search_random(struct search *s, uint32_t *at)
{
  for (uint32_t u = 0; u < s->form->n; u++)
    at[u] = u;
  rng_shuffle(&s->rng, at, s->form->n);
}

void search_offer(struct search *s, const uint32_t *at, int64_t value)
{
  if (value >= s->best_value)
    return;
  s->best_value = value;
  memcpy(s->best, at, s->form->n * sizeof *at);
}
