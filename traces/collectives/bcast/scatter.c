#include "traces/collectives/bcast/bcast.h"
#include "traces/collectives/tree.h"

uint64_t lower_bcast_parts(const struct lowering *l, uint64_t first, uint64_t n)
{
  const uint64_t part = (l->send_bytes + l->ranks - 1) / l->ranks, from = first * part;
  if (from >= l->send_bytes)
    return 0;
  return l->send_bytes - from < n * part ? l->send_bytes - from : n * part;
}

/* --- scatter ---------------------------------------------------------------------------------- */

static uint64_t scatter_steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(l->ranks) + 1;
}

/* Empty parts are not sent. */
static bool scatter_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), bit = tree_own_bit(l), mask = bit >> i;
  if (i == 0)
    return rel != 0 && lower_bcast_parts(l, rel, bit) > 0 &&
           lower_recv(op, tree_absolute(l, rel - bit), LOWER_TAG_BCAST,
                      lower_bcast_parts(l, rel, bit));
  return mask != 0 && rel + mask < l->ranks && lower_bcast_parts(l, rel + mask, mask) > 0 &&
         lower_send(op, tree_absolute(l, rel + mask), LOWER_TAG_BCAST,
                    lower_bcast_parts(l, rel + mask, mask));
}

const struct lower_algorithm lower_bcast_scatter = {.steps = scatter_steps, .step = scatter_step};

/* --- a ring ----------------------------------------------------------------------------------- */

static uint64_t ring_steps(const struct lowering *l)
{
  return ((uint64_t)l->ranks - 1) * LOWER_EXCHANGE_STEPS;
}

/* In each round a rank passes on the part that came last, its own first; parts may be empty. */
static bool ring_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = l->ranks, rel = tree_relative(l), round = i / LOWER_EXCHANGE_STEPS;
  const struct lower_exchange x = {
      .self = l->rank,
      .dst = (uint32_t)((l->rank + 1) % n),
      .src = (uint32_t)((l->rank + n - 1) % n),
      .tag = LOWER_TAG_BCAST,
      .send_bytes = lower_bcast_parts(l, (rel + n - round) % n, 1),
      .recv_bytes = lower_bcast_parts(l, (rel + n - round - 1) % n, 1),
  };
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

static const struct lower_algorithm ring = {.steps = ring_steps, .step = ring_step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)l;
  (void)sub;
  if (k == 0)
    return &lower_bcast_scatter;
  return k == 1 ? &ring : NULL;
}

const struct lower_algorithm lower_bcast_scatter_lr_allgather = {
    .row = {"scatter_LR_allgather", "a part to each rank by a binomial tree, then around a ring",
            "bcast/bcast-scatter-LR-allgather.cpp"},
    .piece = piece};
