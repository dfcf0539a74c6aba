/* All to all.  SimGrid 3.32: src/smpi/colls/alltoall/alltoall-basic-linear.cpp, alltoall-pair.cpp,
 * alltoall-bruck.cpp, alltoall-ring.cpp; alltoallv/alltoallv-pair.cpp, alltoallv-ring.cpp;
 * colls::ialltoallv in smpi_nbc_impl.cpp. */
#include "traces/collectives/lower.h"

static uint64_t posted_steps(const struct lowering *l)
{
  return l->ranks == 1 ? 0 : 2 * (uint64_t)l->ranks + 1;
}

/* All receives from the next rank on, then all sends from the previous rank down. */
static bool linear_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = l->ranks, away = i % n;
  if (i == 2 * n)
    return lower_waitall(op);
  if (away == 0)
    return false;
  return i < n
             ? lower_irecv(op, (uint32_t)((l->rank + away) % n), LOWER_TAG_ALLTOALL, l->recv_bytes)
             : lower_isend(op, (uint32_t)((l->rank + n - away) % n), LOWER_TAG_ALLTOALL,
                           l->send_bytes);
}

const struct lower_part lower_alltoall_linear = {posted_steps, linear_step};

/* Receives, then sends, both in rank order. */
static bool linear_v_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t peer = (uint32_t)(i % l->ranks);
  if (i == 2 * (uint64_t)l->ranks)
    return lower_waitall(op);
  if (peer == l->rank)
    return false;
  return i < l->ranks ? lower_irecv(op, peer, LOWER_TAG_ALLTOALLV,
                                    (uint64_t)l->recvcounts[peer] * l->recv_size)
                      : lower_isend(op, peer, LOWER_TAG_ALLTOALLV,
                                    (uint64_t)l->sendcounts[peer] * l->send_size);
}

const struct lower_part lower_alltoallv_linear = {posted_steps, linear_v_step};

static bool power_of_two(uint32_t n)
{
  return (n & (n - 1)) == 0;
}

/* The partners of a round: one for both directions (exclusive or), or @p round ranks ahead (dst)
 * and behind (src). */
static struct lower_exchange partners(const struct lowering *l, uint64_t round, bool exclusive_or)
{
  struct lower_exchange x = {.self = l->rank};
  if (exclusive_or) {
    x.dst = x.src = l->rank ^ (uint32_t)round;
  } else {
    x.dst = (uint32_t)((l->rank + round) % l->ranks);
    x.src = (uint32_t)((l->rank + l->ranks - round) % l->ranks);
  }
  return x;
}

static uint64_t rounds_steps(const struct lowering *l)
{
  return (uint64_t)l->ranks * LOWER_EXCHANGE_STEPS;
}

static bool exchange_step(const struct lowering *l, uint64_t i, bool exclusive_or, struct op *op)
{
  struct lower_exchange x = partners(l, i / LOWER_EXCHANGE_STEPS, exclusive_or);
  x.tag = l->sendcounts == NULL ? LOWER_TAG_ALLTOALL : LOWER_TAG_ALLTOALLV;
  x.send_bytes =
      l->sendcounts == NULL ? l->send_bytes : (uint64_t)l->sendcounts[x.dst] * l->send_size;
  x.recv_bytes =
      l->recvcounts == NULL ? l->recv_bytes : (uint64_t)l->recvcounts[x.src] * l->recv_size;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

/* SMPI's pair refuses a number of ranks that is not a power of two, although SMPI's selector picks
 * it there; the partners of ring are used in that case. */
static bool pair_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return exchange_step(l, i, power_of_two(l->ranks), op);
}

static bool ring_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return exchange_step(l, i, false, op);
}

const struct lower_part lower_alltoall_pair = {rounds_steps, pair_step};
const struct lower_part lower_alltoall_ring = {rounds_steps, ring_step};
const struct lower_part lower_alltoallv_pair = {rounds_steps, pair_step};
/* SMPI's alltoallv ring pairs by exclusive or if the number of ranks is a power of two. */
const struct lower_part lower_alltoallv_ring = {rounds_steps, pair_step};

static uint64_t bruck_steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(l->ranks) * LOWER_EXCHANGE_STEPS;
}

/* How many of 1..ranks-1 have bit @p bit set: the blocks sent in round @p bit. */
static uint64_t blocks_with(uint64_t ranks, uint32_t bit)
{
  const uint64_t half = UINT64_C(1) << bit, period = 2 * half;
  const uint64_t rest = ranks % period;
  return ranks / period * half + (rest > half ? rest - half : 0);
}

static bool bruck_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t bit = (uint32_t)(i / LOWER_EXCHANGE_STEPS);
  struct lower_exchange x = partners(l, UINT64_C(1) << bit, false);
  x.tag = LOWER_TAG_ALLTOALL;
  x.send_bytes = blocks_with(l->ranks, bit) * l->send_bytes;
  x.recv_bytes = blocks_with(l->ranks, bit) * l->recv_bytes;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_part lower_alltoall_bruck = {bruck_steps, bruck_step};
