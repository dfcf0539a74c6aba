#include "traces/collectives/allreduce/allreduce.h"
#include "traces/collectives/shapes/ring.h"

static uint64_t bytes(const struct lowering *l, uint32_t block, uint64_t phase)
{
  (void)block;
  (void)phase;
  return l->send_bytes / l->ranks;
}

static uint64_t steps(const struct lowering *l)
{
  return 2 * ring_steps(l);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool second = i >= ring_steps(l);
  const struct ring r = {.tag = LOWER_TAG_ALLREDUCE, .first = second ? 0 : 1, .bytes = bytes};
  return ring_step(l, &r, second ? i - ring_steps(l) : i, op);
}

static const struct lower_algorithm rings = {.steps = steps, .step = step};

static void set_count(struct lowering *l, uint64_t count)
{
  l->count = count;
  l->send_bytes = count * l->send_size;
}

/* The elements left over by equal blocks are a second collective. */
static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  const uint64_t rest = l->count % l->ranks;
  if (l->count < l->ranks)
    return k == 0 ? &lower_allreduce_redbcast : NULL;
  if (k == 0) {
    set_count(sub, l->count - rest);
    return &rings;
  }
  set_count(sub, rest);
  return k == 1 && rest != 0 ? lower_chosen(l, ACTION_ALLREDUCE) : NULL;
}

const struct lower_algorithm lower_allreduce_lr = {
    .row = {"lr", "a ring of reductions, then a ring of results; the rest as chosen for allreduce",
            "allreduce/allreduce-lr.cpp"},
    .piece = piece};
