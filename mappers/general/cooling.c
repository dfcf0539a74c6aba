#include "mappers/general/cooling.h"

#include <math.h>

void cooling_begin(struct cooling *c, const struct anneal_plan *plan, double unit)
{
  *c = (struct cooling){
      .plan = plan, .unit = unit, .sweeps = plan->sweeps < 1 ? 1 : (uint32_t)plan->sweeps};
  thresholds_fill(&c->thresholds);
}

bool cooling_next(struct cooling *c, double *heat)
{
  const double part = (double)c->sweep / c->sweeps;
  if (c->sweep > c->sweeps || (part > 0.125 && c->exchanges == 0))
    return false;
  *heat = c->sweep == c->sweeps
              ? 0
              : c->unit * c->plan->start * pow(c->plan->end / c->plan->start, part);
  c->sweep++;
  return true;
}
