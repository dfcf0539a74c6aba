/* SimGrid 3.32: reduce_scatter__ompi_butterfly in
 * src/smpi/colls/reduce_scatter/reduce_scatter-ompi.cpp. */
#include "traces/collectives/reduce_scatter/reduce_scatter.h"
#include "traces/collectives/shapes/fold.h"

/* Bytes left to @p number after @p level rounds.  Each number has a block.  The first bits of the
 * blocks left are the last bits of @p number, reversed. */
static uint64_t left(const struct lowering *l, const struct fold *f, uint32_t number,
                     uint32_t level)
{
  const uint32_t n = f->pof2 >> level;
  const uint32_t block = lower_reversed(number & ((UINT32_C(1) << level) - 1), level) * n;
  return reduce_scatter_sum(l, reduce_scatter_first(f, block), reduce_scatter_first(f, block + n)) *
         l->recv_size;
}

static uint32_t rounds(const struct fold *f)
{
  return lower_rounds(f->pof2);
}

/* The last operations.  The part left to this rank belongs to the number with reversed bits, and is
 * sent there. */
static bool deliver(const struct lowering *l, const struct fold *f, uint64_t i, struct op *op)
{
  const uint32_t peer = lower_reversed(f->number, rounds(f)), rank = fold_rank(f, peer);
  if (i == 0)
    return peer < f->rest &&
           lower_send(op, rank - 1, LOWER_TAG_REDUCESCATTER, lower_bytes_from(l, rank - 1));
  const struct lower_exchange x = {.self = l->rank,
                                   .dst = rank,
                                   .src = rank,
                                   .tag = LOWER_TAG_REDUCESCATTER,
                                   .send_bytes = lower_bytes_from(l, rank),
                                   .recv_bytes = lower_bytes_from(l, l->rank)};
  return lower_exchange(&x, i - 1, op);
}

/* A rank that stepped aside receives its part from the rank that has it. */
static bool collect(const struct lowering *l, const struct fold *f, uint64_t i, struct op *op)
{
  const uint32_t from = fold_rank(f, lower_reversed(l->rank / 2, rounds(f)));
  return i == 0 && lower_recv(op, from, LOWER_TAG_REDUCESCATTER, lower_bytes_from(l, l->rank));
}

static uint64_t steps(const struct lowering *l)
{
  const struct fold f = fold_of(l, true);
  return 1 + (uint64_t)rounds(&f) * LOWER_EXCHANGE_STEPS + 1 + LOWER_EXCHANGE_STEPS;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct fold f = fold_of(l, true);
  const uint64_t last = 1 + (uint64_t)rounds(&f) * LOWER_EXCHANGE_STEPS;
  const uint32_t k = (uint32_t)((i - 1) / LOWER_EXCHANGE_STEPS);
  if (i == 0)
    return fold_step(&f, l,
                     &(struct fold_message){LOWER_TAG_REDUCESCATTER, left(l, &f, 0, 0), true}, op);
  if (f.number == FOLD_ASIDE)
    return i >= last && collect(l, &f, i - last, op);
  if (i >= last)
    return deliver(l, &f, i - last, op);
  const uint32_t peer = f.number ^ (UINT32_C(1) << k), rank = fold_rank(&f, peer);
  const struct lower_exchange x = {.self = l->rank,
                                   .dst = rank,
                                   .src = rank,
                                   .tag = LOWER_TAG_REDUCESCATTER,
                                   .send_bytes = left(l, &f, peer, k + 1),
                                   .recv_bytes = left(l, &f, f.number, k + 1)};
  return lower_exchange(&x, (i - 1) % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_reduce_scatter_ompi_butterfly = {
    .row = {"ompi_butterfly", "butterfly; then the parts go where they belong",
            "reduce_scatter/reduce_scatter-ompi.cpp"},
    .steps = steps,
    .step = step};
