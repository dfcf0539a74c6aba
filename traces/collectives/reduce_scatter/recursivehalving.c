/* SimGrid 3.32: reduce_scatter__ompi_basic_recursivehalving in
 * src/smpi/colls/reduce_scatter/reduce_scatter-ompi.cpp. */
#include "traces/collectives/reduce_scatter/reduce_scatter.h"
#include "traces/collectives/shapes/pow2.h"

/* Bytes of the parts of @p n numbers from @p number on; the number of a pair has both parts. */
static uint64_t bytes_of(const struct lowering *l, const struct pow2 *p, uint32_t number,
                         uint32_t n)
{
  const uint64_t from = reduce_scatter_first(p, number), to = reduce_scatter_first(p, number + n);
  return reduce_scatter_sum(l, from, to) * l->recv_size;
}

static uint64_t steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(lower_power_below(l->ranks)) * 3 + 2;
}

/* Halves the data that the rank and its partner both have: each keeps one half and sends the other.
 * If one half is empty, SMPI sends neither and loses contributions to the other half. */
static bool exchange(const struct lowering *l, const struct pow2 *p, uint64_t i, struct op *op)
{
  const uint32_t mask = p->pof2 >> (i / 3 + 1), peer = p->number ^ mask;
  const uint64_t in = bytes_of(l, p, p->number & ~(mask - 1), mask);
  const uint64_t out = bytes_of(l, p, peer & ~(mask - 1), mask);
  if (i % 3 == 0)
    return in > 0 && lower_irecv(op, pow2_rank(p, peer), LOWER_TAG_REDUCESCATTER, in);
  if (i % 3 == 1)
    return out > 0 && lower_send(op, pow2_rank(p, peer), LOWER_TAG_REDUCESCATTER, out);
  return in > 0 && lower_waitall(op);
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct pow2 p = pow2_of(l, true);
  const uint64_t whole = bytes_of(l, &p, 0, p.pof2);
  if (whole == 0)
    return false;
  if (i == 0)
    return pow2_step(&p, l, &(struct pow2_message){LOWER_TAG_REDUCESCATTER, whole, true}, op);
  if (i + 1 < steps(l))
    return p.number != POW2_ASIDE && exchange(l, &p, i - 1, op);
  const uint64_t part = lower_bytes_from(l, l->rank & ~UINT32_C(1));
  return part != 0 &&
         pow2_step(&p, l, &(struct pow2_message){LOWER_TAG_REDUCESCATTER, part, false}, op);
}

const struct lower_algorithm lower_reduce_scatter_ompi_basic_recursivehalving = {
    .row = {"ompi_basic_recursivehalving", "recursive halving",
            "reduce_scatter/reduce_scatter-ompi.cpp"},
    .steps = steps,
    .step = step};
