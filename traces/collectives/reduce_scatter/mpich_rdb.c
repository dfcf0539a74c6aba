/* SimGrid 3.32: src/smpi/colls/reduce_scatter/reduce_scatter-mpich.cpp. */
#include "traces/collectives/reduce_scatter/reduce_scatter.h"

/* Steps before round k.  A round k has an exchange (3 steps) and, where a subtree lacks partners
 * because the number of ranks is no power of two, up to k messages that forward received data. */
static uint64_t rounds_before(uint64_t k)
{
  return LOWER_EXCHANGE_STEPS * k + k * (k - 1) / 2;
}

static uint64_t steps(const struct lowering *l)
{
  const uint64_t rounds = lower_rounds(l->ranks);
  return rounds == 0 ? 0 : rounds_before(rounds);
}

/* Bytes of all parts except those of the subtree of @p mask ranks that starts at @p root. */
static uint64_t outside(const struct lowering *l, uint64_t root, uint64_t mask)
{
  return (reduce_scatter_sum(l, 0, root) + reduce_scatter_sum(l, root + mask, l->ranks)) *
         l->recv_size;
}

/* Message @p s (from 0) of those that forward the data of round @p k within this rank's subtree. */
static bool pass_on(const struct lowering *l, uint32_t k, uint32_t s, struct op *op)
{
  const uint64_t rank = l->rank, mask = UINT64_C(1) << k;
  const uint64_t mine = rank >> k << k, theirs = (rank ^ mask) >> k << k;
  if (theirs + mask <= l->ranks)
    return false;
  const uint64_t have = l->ranks > mine + mask ? l->ranks - mine - mask : 0;
  const uint32_t level = k - s;
  const uint64_t dst = rank ^ (mask >> (1 + s)), root = rank >> level << level;
  const uint64_t bytes = outside(l, theirs, mask);
  if (dst > rank && rank < root + have && dst >= root + have)
    return dst < l->ranks && lower_send(op, (uint32_t)dst, LOWER_TAG_REDUCESCATTER, bytes);
  if (dst < rank && dst < root + have && rank >= root + have)
    return lower_recv(op, (uint32_t)dst, LOWER_TAG_REDUCESCATTER, bytes);
  return false;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  uint32_t k = 0;
  while (rounds_before((uint64_t)k + 1) <= i)
    k++;
  const uint64_t s = i - (k == 0 ? 0 : rounds_before(k));
  if (s >= LOWER_EXCHANGE_STEPS)
    return pass_on(l, k, (uint32_t)(s - LOWER_EXCHANGE_STEPS), op);
  const uint64_t mask = UINT64_C(1) << k, dst = l->rank ^ mask;
  if (dst >= l->ranks)
    return false;
  const struct lower_exchange x = {.self = l->rank,
                                   .dst = (uint32_t)dst,
                                   .src = (uint32_t)dst,
                                   .tag = LOWER_TAG_REDUCESCATTER,
                                   .send_bytes = outside(l, l->rank >> k << k, mask),
                                   .recv_bytes = outside(l, dst >> k << k, mask)};
  return lower_exchange(&x, s, op);
}

const struct lower_algorithm lower_reduce_scatter_mpich_rdb = {
    .row = {"mpich_rdb", "recursive doubling"}, .steps = steps, .step = step};
