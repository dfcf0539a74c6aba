/* Recursive doubling and pairwise reductions.  SimGrid 3.32:
 * src/smpi/colls/allreduce/allreduce-rdb.cpp, reduce_scatter/reduce_scatter-mpich.cpp. */
#include "traces/collectives/lower.h"

/* --- allreduce: the ranks beyond a power of two first send their data to a neighbour. --- */

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

const struct lower_part lower_allreduce_rdb = {rdb_steps, rdb_step};

/* --- reduce_scatter --- */

static uint64_t sum_of(const struct lowering *l, uint64_t from, uint64_t to)
{
  uint64_t sum = 0;
  for (uint64_t r = from; r < to && r < l->ranks; r++)
    sum += (uint64_t)l->recvcounts[r];
  return sum * l->recv_size;
}

/* The first half of SMPI's default: reduce everything to the root. */
static uint64_t reduce_steps(const struct lowering *l)
{
  return lower_reduce_linear.steps(l);
}

static bool reduce_step(const struct lowering *l, uint64_t i, struct op *op)
{
  struct lowering whole = *l;
  whole.send_bytes = sum_of(l, 0, l->ranks);
  return lower_reduce_linear.step(&whole, i, op);
}

const struct lower_part lower_reduce_of_recvcounts = {reduce_steps, reduce_step};

static uint64_t pair_steps(const struct lowering *l)
{
  return (uint64_t)l->ranks * LOWER_EXCHANGE_STEPS;
}

static bool pair_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t round = i / LOWER_EXCHANGE_STEPS;
  struct lower_exchange x = {.self = l->rank,
                             .dst = (uint32_t)((l->rank + round) % l->ranks),
                             .src = (uint32_t)((l->rank + l->ranks - round) % l->ranks),
                             .tag = LOWER_TAG_REDUCESCATTER};
  x.send_bytes = (uint64_t)l->recvcounts[x.dst] * l->recv_size;
  x.recv_bytes = (uint64_t)l->recvcounts[l->rank] * l->recv_size;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_part lower_reducescatter_pair = {pair_steps, pair_step};

/* Steps before round k.  A round k has an exchange (3 steps) and, where a subtree lacks partners
 * because the number of ranks is no power of two, up to k messages that forward received data. */
static uint64_t rounds_before(uint64_t k)
{
  return LOWER_EXCHANGE_STEPS * k + k * (k - 1) / 2;
}

static uint64_t tree_steps(const struct lowering *l)
{
  const uint64_t rounds = lower_rounds(l->ranks);
  return rounds == 0 ? 0 : rounds_before(rounds);
}

/* Bytes of all parts except those of the subtree of @p mask ranks that starts at @p root. */
static uint64_t outside(const struct lowering *l, uint64_t root, uint64_t mask)
{
  return sum_of(l, 0, root) + sum_of(l, root + mask, l->ranks);
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

static bool tree_step(const struct lowering *l, uint64_t i, struct op *op)
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

const struct lower_part lower_reducescatter_rdb = {tree_steps, tree_step};
