/** @file broken.h
 *  Algorithms of collectives with one mistake each, which the delivery test must find.
 */
#pragma once

#include "traces/collectives/algorithms.h"

/* The message from rank 1 to rank 5, which forwards it, is missing on both sides. */
static inline bool broken_edge(const struct lowering *l, uint64_t i, struct op *op)
{
  if (!lower_bcast_binomial_tree.step(l, i, op))
    return false;
  return !(l->rank == 1 && op->peer == 5) && !(l->rank == 5 && op->peer == 1);
}

/* All messages are one byte too small. */
static inline bool broken_byte(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool is = lower_bcast_binomial_tree.step(l, i, op);
  op->bytes -= is && op->bytes > 0;
  return is;
}

/* Ranks send to their children before they receive from their parent. */
static inline bool broken_order(const struct lowering *l, uint64_t i, struct op *op)
{
  return lower_bcast_binomial_tree.step(l, lower_bcast_binomial_tree.steps(l) - 1 - i, op);
}

/* Rank 5 does not wait for the message of its parent. */
static inline bool broken_wait(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool is = lower_bcast_binomial_tree.step(l, i, op);
  if (is && l->rank == 5 && op->kind == OP_RECV)
    op->request = LOWER_REQUEST;
  return is;
}

/* Rank 2 does not send to its parent, which waits. */
static inline bool broken_send(const struct lowering *l, uint64_t i, struct op *op)
{
  return lower_reduce_binomial.step(l, i, op) && !(l->rank == 2 && op->kind == OP_SEND);
}

/* Ranks use blocking sends before they receive. */
static inline bool broken_block(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool is = lower_alltoall_ring.step(l, i, op);
  if (is && op->kind == OP_SEND)
    op->request = OP_NO_REQUEST;
  return is;
}

/* The last round is missing. */
static inline uint64_t broken_ring(const struct lowering *l)
{
  return lower_allgather_ring.steps(l) - LOWER_EXCHANGE_STEPS;
}

static inline uint64_t broken_barrier(const struct lowering *l)
{
  return lower_barrier_ompi_bruck.steps(l) - LOWER_EXCHANGE_STEPS;
}

static inline uint64_t broken_pair(const struct lowering *l)
{
  return lower_reduce_scatter_mpich_pair.steps(l) - LOWER_EXCHANGE_STEPS;
}

/* The messages of the second round are too small by one block. */
static inline bool broken_blocks(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool is = lower_alltoall_bruck.step(l, i, op);
  if (is && i / LOWER_EXCHANGE_STEPS == 1 && op->kind != OP_WAITALL)
    op->bytes -= l->send_bytes;
  return is;
}

/* The receive of rank 3 is one byte too small. */
static inline bool broken_room(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool is = lower_scatter_ompi_linear_nb.step(l, i, op);
  op->bytes -= is && l->rank == 3 && op->kind == OP_RECV;
  return is;
}

/* The message to rank 3 is one byte too small. */
static inline bool broken_part(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool is = lower_scatter_ompi_linear_nb.step(l, i, op);
  op->bytes -= is && op->kind == OP_SEND && op->peer == 3;
  return is;
}

/* Complete messages travel around a ring, and ranks add each one to their data. */
static inline uint64_t broken_sum_steps(const struct lowering *l)
{
  return lower_allgather_ntslr.steps(l);
}

static inline bool broken_sum(const struct lowering *l, uint64_t i, struct op *op)
{
  return lower_allgather_ntslr.step(l, i, op);
}

/* The part for the next rank is sent twice. */
static inline uint64_t broken_twice_steps(const struct lowering *l)
{
  return lower_reduce_scatter_mpich_pair.steps(l) + LOWER_EXCHANGE_STEPS;
}

static inline bool broken_twice(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t last = lower_reduce_scatter_mpich_pair.steps(l);
  return lower_reduce_scatter_mpich_pair.step(l, i < last ? i : i - last + LOWER_EXCHANGE_STEPS,
                                              op);
}

/* The result stays at rank 0. */
static inline const struct lower_algorithm *broken_half(const struct lowering *l, uint32_t k,
                                                        struct lowering *sub)
{
  (void)l;
  sub->root = 0;
  return k == 0 ? &lower_reduce_default : NULL;
}

/* A bcast that starts from rank 0 instead of the root. */
static inline const struct lower_algorithm *broken_root(const struct lowering *l, uint32_t k,
                                                        struct lowering *sub)
{
  (void)l;
  sub->root = 0;
  return k == 0 ? &lower_bcast_binomial_tree : NULL;
}

struct broken {
  const char *what;
  enum action_kind kind;
  const struct lower_algorithm *of;            /* the correct algorithm; NULL: @p piece is all */
  uint64_t (*steps)(const struct lowering *l); /* NULL: unchanged */
  bool (*step)(const struct lowering *l, uint64_t i, struct op *op); /* NULL: unchanged */
  const struct lower_algorithm *(*piece)(const struct lowering *l, uint32_t k,
                                         struct lowering *sub);
  const char *text; /* expected error */
};

/* On 8 ranks, with root 1. */
static const struct broken BROKEN[] = {
    {"edge", ACTION_BCAST, &lower_bcast_binomial_tree, NULL, broken_edge, NULL,
     "rank 0 cannot get all data that it needs from rank 1"},
    {"byte", ACTION_BCAST, &lower_bcast_binomial_tree, NULL, broken_byte, NULL,
     "rank 0 cannot get all data that it needs from rank 1"},
    {"order", ACTION_BCAST, &lower_bcast_binomial_tree, NULL, broken_order, NULL,
     "rank 0 cannot get all data that it needs from rank 1"},
    {"wait", ACTION_BCAST, &lower_bcast_binomial_tree, NULL, broken_wait, NULL,
     "a request without a wait: from 1 to 5"},
    {"root", ACTION_BCAST, NULL, NULL, NULL, broken_root,
     "rank 0 cannot get all data that it needs from rank 1"},
    {"send", ACTION_REDUCE, &lower_reduce_binomial, NULL, broken_send, NULL,
     "a receive without a send, or a deadlock: from 2 to 1"},
    {"sum", ACTION_ALLREDUCE, &lower_allreduce_rdb, broken_sum_steps, broken_sum, NULL,
     "rank 6 would count rank 5 twice"},
    {"twice", ACTION_REDUCESCATTER, &lower_reduce_scatter_mpich_pair, broken_twice_steps,
     broken_twice, NULL, "rank 7 would count rank 6 twice"},
    {"half", ACTION_ALLREDUCE, NULL, NULL, NULL, broken_half,
     "rank 1 cannot get all data that it needs from rank 0"},
    {"block", ACTION_ALLTOALL, &lower_alltoall_ring, NULL, broken_block, NULL,
     "a send without a receive, or a deadlock: from 0 to 1"},
    {"blocks", ACTION_ALLTOALL, &lower_alltoall_bruck, NULL, broken_blocks, NULL,
     "rank 7 cannot get all data that it needs from rank 1"},
    {"ring", ACTION_ALLGATHER, &lower_allgather_ring, broken_ring, NULL, NULL,
     "rank 0 cannot get the parts of all ranks"},
    {"barrier", ACTION_BARRIER, &lower_barrier_ompi_bruck, broken_barrier, NULL, NULL,
     "rank 0 cannot get all data that it needs from rank 1"},
    {"pair", ACTION_REDUCESCATTER, &lower_reduce_scatter_mpich_pair, broken_pair, NULL, NULL,
     "the parts of rank 0 cannot reach all ranks"},
    {"room", ACTION_SCATTER, &lower_scatter_ompi_linear_nb, NULL, broken_room, NULL,
     "a message larger than its receive: from 1 to 3"},
    {"part", ACTION_SCATTER, &lower_scatter_ompi_linear_nb, NULL, broken_part, NULL,
     "the parts of rank 1 cannot reach all ranks"},
};
