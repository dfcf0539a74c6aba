#include "traces/collectives/shapes/fold.h"

struct fold fold_of(const struct lowering *l, bool odd)
{
  struct fold f = {.pof2 = lower_power_below(l->ranks), .odd = odd};
  f.rest = l->ranks - f.pof2;
  if (!fold_paired(&f, l->rank))
    f.number = l->rank - f.rest;
  else
    f.number = (l->rank % 2 == 1) == odd ? l->rank / 2 : FOLD_ASIDE;
  return f;
}

uint32_t fold_rank(const struct fold *f, uint32_t number)
{
  return number < f->rest ? 2 * number + f->odd : number + f->rest;
}

bool fold_step(const struct fold *f, const struct lowering *l, const struct fold_message *m,
               struct op *op)
{
  if (!fold_paired(f, l->rank))
    return false;
  const bool aside = f->number == FOLD_ASIDE;
  return aside == m->in ? lower_send(op, l->rank ^ 1, m->tag, m->bytes)
                        : lower_recv(op, l->rank ^ 1, m->tag, m->bytes);
}
