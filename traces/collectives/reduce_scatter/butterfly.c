/* SimGrid 3.32: reduce_scatter__ompi_butterfly in
 * src/smpi/colls/reduce_scatter/reduce_scatter-ompi.cpp. */
#include "traces/collectives/reduce_scatter/reduce_scatter.h"
#include "traces/collectives/shapes/pow2.h"

/* Bytes that the rank with number @p number holds after @p level rounds.  Block i has the parts of
 * the ranks with number i.  The rank holds consecutive blocks: the highest @p level bits of their
 * indices are the lowest @p level bits of @p number in reverse order. */
static uint64_t left(const struct lowering *l, const struct pow2 *p, uint32_t number,
                     uint32_t level)
{
  const uint32_t n = p->pof2 >> level;
  const uint32_t block = lower_reversed(number & ((UINT32_C(1) << level) - 1), level) * n;
  return reduce_scatter_sum(l, reduce_scatter_first(p, block), reduce_scatter_first(p, block + n)) *
         l->recv_size;
}

static uint32_t rounds(const struct pow2 *p)
{
  return lower_rounds(p->pof2);
}

/* The operations after the last round.  This rank holds the block of number `peer`, its own number
 * with the bits reversed.  It sends the parts of this block to their ranks, and receives its own
 * part. */
static bool deliver(const struct lowering *l, const struct pow2 *p, uint64_t i, struct op *op)
{
  const uint32_t peer = lower_reversed(p->number, rounds(p)), rank = pow2_rank(p, peer);
  if (i == 0)
    return peer < p->rest &&
           lower_send(op, rank - 1, LOWER_TAG_REDUCESCATTER, lower_bytes_from(l, rank - 1));
  struct lower_exchange x = lower_swap(l, rank, LOWER_TAG_REDUCESCATTER);
  x.send_bytes = lower_bytes_from(l, rank);
  x.recv_bytes = lower_bytes_from(l, l->rank);
  return lower_exchange(&x, i - 1, op);
}

/* A rank that stepped aside receives its part from the rank that holds its block. */
static bool collect(const struct lowering *l, const struct pow2 *p, uint64_t i, struct op *op)
{
  const uint32_t from = pow2_rank(p, lower_reversed(l->rank / 2, rounds(p)));
  return i == 0 && lower_recv(op, from, LOWER_TAG_REDUCESCATTER, lower_bytes_from(l, l->rank));
}

static uint64_t steps(const struct lowering *l)
{
  const struct pow2 p = pow2_of(l, true);
  return 1 + (uint64_t)rounds(&p) * LOWER_EXCHANGE_STEPS + 1 + LOWER_EXCHANGE_STEPS;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct pow2 p = pow2_of(l, true);
  const uint64_t last = 1 + (uint64_t)rounds(&p) * LOWER_EXCHANGE_STEPS;
  const uint32_t k = (uint32_t)((i - 1) / LOWER_EXCHANGE_STEPS);
  if (i == 0)
    return pow2_step(&p, l,
                     &(struct pow2_message){LOWER_TAG_REDUCESCATTER, left(l, &p, 0, 0), true}, op);
  if (p.number == POW2_ASIDE)
    return i >= last && collect(l, &p, i - last, op);
  if (i >= last)
    return deliver(l, &p, i - last, op);
  const uint32_t peer = p.number ^ (UINT32_C(1) << k), rank = pow2_rank(&p, peer);
  struct lower_exchange x = lower_swap(l, rank, LOWER_TAG_REDUCESCATTER);
  x.send_bytes = left(l, &p, peer, k + 1);
  x.recv_bytes = left(l, &p, p.number, k + 1);
  return lower_exchange(&x, (i - 1) % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_reduce_scatter_ompi_butterfly = {
    .row = {"ompi_butterfly", "butterfly, then each part is sent to its rank",
            "reduce_scatter/reduce_scatter-ompi.cpp"},
    .steps = steps,
    .step = step};
