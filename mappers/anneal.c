#include "mappers/anneal.h"

void anneal_fill(struct anneal_table *t)
{
  const int count = 1 << ANNEAL_BITS;
  for (int i = 0; i < count; i++)
    t->minus_log[i] = -log((i + 0.5) / count);
}

void anneal_begin(struct anneal_sweeps *s, const struct anneal_plan *plan, double unit)
{
  *s = (struct anneal_sweeps){.plan = plan, .unit = unit, .work = fmax(1, floor(plan->work))};
  anneal_fill(&s->table);
}

bool anneal_next(struct anneal_sweeps *s, double *heat)
{
  const double part = s->done / s->work;
  if (s->last || (part > 0.125 && s->exchanges == 0))
    return false;
  s->last = part >= 1;
  *heat = s->last ? 0 : anneal_heat(s->unit * s->plan->start, s->plan->end / s->plan->start, part);
  return true;
}
