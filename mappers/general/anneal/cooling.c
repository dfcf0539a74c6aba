#include "mappers/general/anneal/cooling.h"

#include <math.h>

void cooling_begin(struct cooling *c, const struct anneal_plan *plan, double unit)
{
  *c = (struct cooling){.plan = plan, .unit = unit, .work = fmax(1, floor(plan->work))};
  thresholds_fill(&c->thresholds);
}

bool cooling_next(struct cooling *c, double *heat)
{
  const double part = c->done / c->work;
  if (c->last || (part > 0.125 && c->exchanges == 0))
    return false;
  c->last = part >= 1;
  *heat = c->last ? 0 : c->unit * c->plan->start * pow(c->plan->end / c->plan->start, part);
  return true;
}
