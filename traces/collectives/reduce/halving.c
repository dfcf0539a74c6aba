/* SimGrid 3.32: src/smpi/colls/reduce/reduce-scatter-gather.cpp and reduce-rab.cpp.  Recursive
 * halving leaves each rank with a part of the result; the parts are gathered at the root. */
#include "traces/collectives/shapes/halving.h"

#include "traces/collectives/algorithms.h"

/* True if the root has stepped aside.  The root then takes the place of rank 0 (number 0). */
static bool root_aside(const struct halving *h, const struct lowering *l)
{
  return pow2_paired(&h->pow2, l->root) && l->root % 2 == 1;
}

static uint32_t root_number(const struct halving *h, const struct lowering *l)
{
  if (pow2_paired(&h->pow2, l->root))
    return root_aside(h, l) ? 0 : l->root / 2;
  return l->root - h->pow2.rest;
}

/* Rank 0 sends its part to the root, if the root has stepped aside. */
static bool replace_step(const struct halving *h, const struct lowering *l, struct op *op)
{
  const uint64_t bytes = halving_part(h, 0, halving_rounds(h));
  if (!root_aside(h, l))
    return false;
  if (l->rank == l->root)
    return lower_recv(op, 0, LOWER_TAG_REDUCE, bytes);
  return l->rank == 0 && lower_send(op, l->root, LOWER_TAG_REDUCE, bytes);
}

/* Number of the rank in the gather. */
static uint32_t number_of(const struct halving *h, const struct lowering *l)
{
  if (!root_aside(h, l))
    return h->pow2.number;
  if (l->rank == 0)
    return POW2_ASIDE;
  return l->rank == l->root ? 0 : h->pow2.number;
}

/* Round @p i of the gather, for bit k: a rank sends its data if its bit differs from the root's.
 * With @p all, ranks that have sent before still take part, as in SMPI's rab. */
static bool gather_step(const struct halving *h, const struct lowering *l, uint32_t i, bool all,
                        struct op *op)
{
  const uint32_t k = halving_rounds(h) - 1 - i, number = number_of(h, l);
  if (number == POW2_ASIDE)
    return false;
  const uint32_t differ = number ^ root_number(h, l), peer = number ^ (UINT32_C(1) << k);
  const uint32_t to = peer == 0 && root_aside(h, l) ? l->root : pow2_rank(&h->pow2, peer);
  if (!all && differ >> k > 1)
    return false;
  if ((differ >> k & 1) != 0)
    return lower_send(op, to, LOWER_TAG_REDUCE, halving_part(h, number, k + 1));
  return lower_recv(op, to, LOWER_TAG_REDUCE, halving_part(h, peer, k + 1));
}

/* --- scatter_gather --------------------------------------------------------------------------- */

/* With fewer elements than ranks, sends l->ranks elements. */
static struct halving scatter_of(const struct lowering *l)
{
  struct halving h = halving_of(l, false, HALVING_BLOCKS, LOWER_TAG_REDUCE);
  if (h.count < l->ranks)
    h.count = l->ranks;
  return h;
}

static uint64_t scatter_steps(const struct lowering *l)
{
  const struct halving h = scatter_of(l);
  return l->count == 0 ? 0 : 2 + halving_steps(&h) + halving_rounds(&h);
}

static bool scatter_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct halving h = scatter_of(l);
  const uint64_t n = halving_steps(&h);
  const struct pow2_message in = {LOWER_TAG_REDUCE, h.count * h.size, true};
  if (i == 0)
    return pow2_step(&h.pow2, l, &in, op);
  if (i <= n)
    return halving_step(&h, false, i - 1, op);
  if (i == n + 1)
    return replace_step(&h, l, op);
  return gather_step(&h, l, (uint32_t)(i - n - 2), false, op);
}

const struct lower_algorithm lower_reduce_scatter_gather = {
    .row = {"scatter_gather", "recursive halving, then a binomial gather",
            "reduce/reduce-scatter-gather.cpp"},
    .steps = scatter_steps,
    .step = scatter_step};

/* --- rab -------------------------------------------------------------------------------------- */

static uint64_t rab_steps(const struct lowering *l)
{
  const struct halving h = halving_of(l, false, HALVING_HALVES, LOWER_TAG_REDUCE);
  return HALVING_PAIR_STEPS + halving_steps(&h) + 1 + halving_rounds(&h);
}

static bool rab_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct halving h = halving_of(l, false, HALVING_HALVES, LOWER_TAG_REDUCE);
  const uint64_t n = halving_steps(&h) + HALVING_PAIR_STEPS;
  if (i < HALVING_PAIR_STEPS)
    return halving_pair_step(&h, l, i, op);
  if (i < n)
    return halving_step(&h, false, i - HALVING_PAIR_STEPS, op);
  if (i == n)
    return replace_step(&h, l, op);
  return gather_step(&h, l, (uint32_t)(i - n - 1), true, op);
}

const struct lower_algorithm lower_reduce_rab = {
    .row = {"rab", "Rabenseifner: recursive halving, then a gather", "reduce/reduce-rab.cpp"},
    .steps = rab_steps,
    .step = rab_step};
