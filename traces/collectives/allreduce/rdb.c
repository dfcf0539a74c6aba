/* SimGrid 3.32: src/smpi/colls/allreduce/allreduce-rdb.cpp.  The ranks beyond a power of two first
 * send their data to a neighbour. */
#include "traces/collectives/allreduce/allreduce.h"

struct fold {
  uint32_t pof2, rest; /* the largest power of two within the ranks, and the ranks beyond it */
  uint32_t folded;     /* number among the pof2 ranks that take part, or UINT32_MAX */
};

static struct fold fold_of(const struct lowering *l)
{
  const uint32_t n = lower_rounds(l->ranks);
  struct fold f = {.pof2 = UINT32_C(1) << n};
  if (f.pof2 != l->ranks)
    f.pof2 >>= 1;
  f.rest = l->ranks - f.pof2;
  if (l->rank >= 2 * f.rest)
    f.folded = l->rank - f.rest;
  else
    f.folded = l->rank % 2 == 0 ? UINT32_MAX : l->rank / 2;
  return f;
}

static uint64_t rdb_steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(l->ranks) * LOWER_EXCHANGE_STEPS + 2;
}

/* Even ranks below 2*rest give to (@p in) or take from (not @p in) the odd rank above. */
static bool fold_step(const struct lowering *l, bool in, struct op *op)
{
  const bool even = l->rank % 2 == 0;
  const uint32_t peer = even ? l->rank + 1 : l->rank - 1;
  return even == in ? lower_send(op, peer, LOWER_TAG_ALLREDUCE, l->send_bytes)
                    : lower_recv(op, peer, LOWER_TAG_ALLREDUCE, l->send_bytes);
}

static bool rdb_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct fold f = fold_of(l);
  if (i == 0 || i + 1 == rdb_steps(l))
    return l->rank < 2 * f.rest && fold_step(l, i == 0, op);
  const uint64_t mask = UINT64_C(1) << ((i - 1) / LOWER_EXCHANGE_STEPS);
  if (f.folded == UINT32_MAX || mask >= f.pof2)
    return false;
  const uint32_t other = f.folded ^ (uint32_t)mask;
  struct lower_exchange x = {.self = l->rank,
                             .tag = LOWER_TAG_ALLREDUCE,
                             .send_bytes = l->send_bytes,
                             .recv_bytes = l->send_bytes};
  x.dst = x.src = other < f.rest ? other * 2 + 1 : other + f.rest;
  return lower_exchange(&x, (i - 1) % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_allreduce_rdb = {
    .row = {"rdb", "recursive doubling"}, .steps = rdb_steps, .step = rdb_step};
