/* One to all and all to one.  SimGrid 3.32: src/smpi/colls/bcast/bcast-binomial-tree.cpp and
 * bcast-flattree.cpp, reduce/reduce-binomial.cpp; colls::ireduce in smpi_nbc_impl.cpp. */
#include "traces/collectives/lower.h"

static uint32_t relative(const struct lowering *l)
{
  return l->rank >= l->root ? l->rank - l->root : l->rank + (l->ranks - l->root);
}

static uint32_t absolute(const struct lowering *l, uint64_t rel)
{
  return (uint32_t)((rel + l->root) % l->ranks);
}

/* The lowest set bit of the relative rank, which is the distance to its parent in the binomial
 * tree; for the root the least power of two that is not below the number of ranks. */
static uint64_t own_bit(const struct lowering *l)
{
  const uint64_t rel = relative(l);
  return rel == 0 ? UINT64_C(1) << lower_rounds(l->ranks) : rel & (~rel + 1);
}

static uint64_t tree_steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(l->ranks) + 1;
}

/* Step 0 receives from the parent; the others serve the children, the farthest first. */
static bool bcast_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = relative(l), bit = own_bit(l);
  if (i == 0)
    return rel != 0 && lower_recv(op, absolute(l, rel - bit), LOWER_TAG_BCAST, l->send_bytes);
  const uint64_t mask = bit >> i;
  return mask != 0 && rel + mask < l->ranks &&
         lower_send(op, absolute(l, rel + mask), LOWER_TAG_BCAST, l->send_bytes);
}

const struct lower_part lower_bcast_binomial = {tree_steps, bcast_step};

/* The reverse of bcast: receives from the children, the nearest first, then sends to the parent. */
static bool reduce_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = relative(l), bit = own_bit(l), mask = UINT64_C(1) << i;
  if (l->send_bytes == 0 || mask > bit)
    return false;
  if (mask == bit)
    return rel != 0 && lower_send(op, absolute(l, rel - bit), LOWER_TAG_REDUCE, l->send_bytes);
  return rel + mask < l->ranks &&
         lower_recv(op, absolute(l, rel + mask), LOWER_TAG_REDUCE, l->send_bytes);
}

const struct lower_part lower_reduce_binomial = {tree_steps, reduce_step};

static uint64_t star_steps(const struct lowering *l)
{
  return l->rank == l->root ? (uint64_t)l->ranks + 1 : 2;
}

static bool flattree_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != l->root)
    return i == 0 && lower_recv(op, l->root, LOWER_TAG_BCAST, l->send_bytes);
  if (i == l->ranks)
    return lower_waitall(op);
  return i != l->root && lower_isend(op, (uint32_t)i, LOWER_TAG_BCAST, l->send_bytes);
}

const struct lower_part lower_bcast_flattree = {star_steps, flattree_step};

static bool linear_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (i + 1 == star_steps(l))
    return lower_waitall(op);
  if (l->rank != l->root)
    return lower_isend(op, l->root, LOWER_TAG_REDUCE, l->send_bytes);
  return i != l->root && lower_irecv(op, (uint32_t)i, LOWER_TAG_REDUCE, l->send_bytes);
}

const struct lower_part lower_reduce_linear = {star_steps, linear_step};
