#include "traces/collectives/shapes/doubling.h"

/* Number of steps before round k.  Round k has an exchange (3 steps) and k steps that pass received
 * data to ranks without a partner.  If the number of ranks is a power of two, the k steps are
 * empty. */
static uint64_t rounds_before(uint64_t k)
{
  return k == 0 ? 0 : LOWER_EXCHANGE_STEPS * k + k * (k - 1) / 2;
}

uint64_t doubling_steps(const struct lowering *l)
{
  return rounds_before(lower_rounds(l->ranks));
}

/* Message number @p s of a rank that passes the data of round @p k on within its subtree. */
static bool pass_on(const struct lowering *l, uint32_t k, uint32_t s, const struct doubling *d,
                    struct op *op)
{
  const uint64_t rank = l->rank, mask = UINT64_C(1) << k;
  const uint64_t theirs = (rank ^ mask) >> k << k;
  if (theirs + mask <= l->ranks || theirs >= l->ranks)
    return false;
  const uint64_t have = l->ranks - theirs; /* number of ranks of this subtree that have a partner */
  const uint32_t level = k - s;
  const uint64_t other = rank ^ (mask >> (1 + s)), root = rank >> level << level;
  if (other > rank && rank < root + have && other >= root + have)
    return lower_send(op, (uint32_t)other, d->tag, d->bytes(l, theirs, mask));
  if (other < rank && other < root + have && rank >= root + have)
    return lower_recv(op, (uint32_t)other, d->tag, d->bytes(l, theirs, mask));
  return false;
}

bool doubling_step(const struct lowering *l, uint64_t i, const struct doubling *d, struct op *op)
{
  uint32_t k = 0;
  while (rounds_before((uint64_t)k + 1) <= i)
    k++;
  const uint64_t s = i - rounds_before(k), mask = UINT64_C(1) << k, other = l->rank ^ mask;
  if (s >= LOWER_EXCHANGE_STEPS)
    return pass_on(l, k, (uint32_t)(s - LOWER_EXCHANGE_STEPS), d, op);
  if (other >= l->ranks)
    return false;
  struct lower_exchange x = lower_swap(l, (uint32_t)other, d->tag);
  x.send_bytes = d->bytes(l, l->rank >> k << k, mask);
  x.recv_bytes = d->bytes(l, other >> k << k, mask);
  return lower_exchange(&x, s, op);
}
