#include "traces/collectives/shapes/pow2.h"

struct pow2 pow2_of(const struct lowering *l, bool odd)
{
  struct pow2 p = {.pof2 = lower_power_below(l->ranks), .odd = odd};
  p.rest = l->ranks - p.pof2;
  if (!pow2_paired(&p, l->rank))
    p.number = l->rank - p.rest;
  else
    p.number = (l->rank % 2 == 1) == odd ? l->rank / 2 : POW2_ASIDE;
  return p;
}

uint32_t pow2_rank(const struct pow2 *p, uint32_t number)
{
  return number < p->rest ? 2 * number + p->odd : number + p->rest;
}

bool pow2_step(const struct pow2 *p, const struct lowering *l, const struct pow2_message *m,
               struct op *op)
{
  if (!pow2_paired(p, l->rank))
    return false;
  const bool aside = p->number == POW2_ASIDE;
  return aside == m->in ? lower_send(op, l->rank ^ 1, m->tag, m->bytes)
                        : lower_recv(op, l->rank ^ 1, m->tag, m->bytes);
}
