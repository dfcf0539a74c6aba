/* SimGrid 3.32: src/smpi/colls/allreduce/allreduce-rab1.cpp and allreduce-rab2.cpp.  Each rank
 * reduces one block, then all ranks gather the blocks. */
#include "traces/collectives/algorithms.h"

/* Elements of a block: count / ranks, rounded up.  The second formula is SMPI's; it rounds up
 * because count is no multiple of ranks. */
static uint64_t block_of(const struct lowering *l)
{
  return l->count % l->ranks == 0 ? l->count / l->ranks : (l->count + l->ranks) / l->ranks;
}

static void set_block(struct lowering *l, uint64_t elements)
{
  l->count = elements;
  l->recv_size = l->send_size;
  l->send_bytes = l->recv_bytes = elements * l->send_size;
}

/* --- rab1 ------------------------------------------------------------------------------------- */

/* Step @p i of recursive halving: exchanges half of the remaining blocks. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t mask = l->ranks >> (i / LOWER_EXCHANGE_STEPS + 1), peer = l->rank ^ mask;
  struct lower_exchange x = lower_swap(l, peer, LOWER_TAG_ALLREDUCE);
  x.send_bytes = x.recv_bytes = block_of(l) * mask * l->send_size;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

static const struct lower_algorithm halving = {.steps = lower_rounds_steps, .step = step};

/* SMPI fails if the number of ranks is not a power of two; haichi uses rab_rdb then. */
static const struct lower_algorithm *rab1_piece(const struct lowering *l, uint32_t k,
                                                struct lowering *sub)
{
  if (!lower_power_of_two(l->ranks))
    return k == 0 ? &lower_allreduce_rab_rdb : NULL;
  if (k == 0)
    return &halving;
  set_block(sub, block_of(l));
  return k == 1 ? lower_chosen(l, ACTION_ALLGATHER) : NULL;
}

const struct lower_algorithm lower_allreduce_rab1 = {
    .row = {"rab1", "recursive halving, then the selected allgather; rab_rdb unless 2^n ranks",
            "allreduce/allreduce-rab1.cpp"},
    .piece = rab1_piece};

/* --- rab2 ------------------------------------------------------------------------------------- */

/* With fewer elements than ranks, SMPI's blocks have l->ranks elements each. */
static const struct lower_algorithm *rab2_piece(const struct lowering *l, uint32_t k,
                                                struct lowering *sub)
{
  const bool few = l->count % l->ranks != 0 && l->count < l->ranks;
  set_block(sub, few ? l->ranks : block_of(l));
  if (k == 0)
    return lower_chosen(l, ACTION_ALLTOALL);
  return k == 1 ? lower_chosen(l, ACTION_ALLGATHER) : NULL;
}

const struct lower_algorithm lower_allreduce_rab2 = {
    .row = {"rab2", "the selected alltoall of blocks, then the selected allgather",
            "allreduce/allreduce-rab2.cpp"},
    .piece = rab2_piece};
