#include "traces/collectives/algorithms.h"

static void set_count(struct lowering *l, uint64_t count)
{
  l->count = count;
  l->send_bytes = count * l->send_size;
}

/* Reduces ranks * (count / ranks) elements in a ring, then the remainder in a second collective. */
static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  const uint64_t rest = l->count % l->ranks;
  if (l->count < l->ranks)
    return k == 0 ? &lower_allreduce_redbcast : NULL;
  if (k == 0) {
    set_count(sub, l->count - rest);
    return &lower_allreduce_rings;
  }
  set_count(sub, rest);
  return k == 1 && rest != 0 ? lower_chosen(l, ACTION_ALLREDUCE) : NULL;
}

const struct lower_algorithm lower_allreduce_lr = {
    .row = {"lr",
            "a ring of reductions, then a ring of results; the remainder by the chosen allreduce",
            "allreduce/allreduce-lr.cpp"},
    .piece = piece};
