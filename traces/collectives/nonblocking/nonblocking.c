#include "traces/collectives/nonblocking/nonblocking.h"

#include "traces/neighbours.h"

/* --- collectives with a root ------------------------------------------------------------------ */

static uint64_t rooted_steps(const struct lowering *l)
{
  return l->rank == l->root ? l->ranks : 1;
}

/* The root sends to all others, which receive up to @p room bytes. */
static bool from_root(const struct lowering *l, uint64_t i, int32_t tag, uint64_t room,
                      struct op *op)
{
  if (l->rank != l->root)
    return lower_irecv(op, l->root, tag, room);
  return i != l->root && lower_isend(op, (uint32_t)i, tag, lower_bytes_to(l, (uint32_t)i));
}

static bool bcast_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return from_root(l, i, LOWER_TAG_BCAST, l->send_bytes, op);
}

static bool scatter_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return from_root(l, i, LOWER_TAG_SCATTER, l->recv_bytes, op);
}

static bool scatterv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return from_root(l, i, LOWER_TAG_SCATTERV, l->recv_bytes, op);
}

/* The root receives @p bytes from each other rank. */
static bool to_root(const struct lowering *l, uint64_t i, int32_t tag, uint64_t bytes,
                    struct op *op)
{
  if (l->rank != l->root)
    return lower_isend(op, l->root, tag, l->send_bytes);
  return i != l->root && lower_irecv(op, (uint32_t)i, tag, bytes);
}

static bool gather_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return to_root(l, i, LOWER_TAG_GATHER, l->recv_bytes, op);
}

static bool gatherv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t bytes = l->rank == l->root ? lower_bytes_from(l, (uint32_t)i) : 0;
  return to_root(l, i, LOWER_TAG_GATHERV, bytes, op);
}

static bool reduce_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return to_root(l, i, LOWER_TAG_REDUCE, l->send_bytes, op);
}

static uint64_t barrier_steps(const struct lowering *l)
{
  return l->rank == 0 ? 2 * (uint64_t)l->ranks : 2;
}

/* Rank 0 sends without having received: in this barrier the other ranks wait only for rank 0. */
static bool barrier_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t peer = l->rank == 0 ? (uint32_t)(i / 2) : 0;
  if (peer == l->rank)
    return false;
  return (i % 2 == 0) == (l->rank == 0) ? lower_irecv(op, peer, LOWER_TAG_BARRIER, 0)
                                        : lower_isend(op, peer, LOWER_TAG_BARRIER, 0);
}

/* --- collectives of all ranks ----------------------------------------------------------------- */

static uint64_t all_steps(const struct lowering *l)
{
  return 2 * (uint64_t)l->ranks;
}

/* Sends to and receives from each other rank in turn. */
static bool exchange(const struct lowering *l, uint64_t i, const struct lower_exchange *x,
                     struct op *op)
{
  const uint32_t peer = (uint32_t)(i / 2);
  if (peer == l->rank)
    return false;
  return i % 2 == 0 ? lower_isend(op, peer, x->tag, x->send_bytes)
                    : lower_irecv(op, peer, x->tag, x->recv_bytes);
}

static bool allgather_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct lower_exchange x = {
      .tag = LOWER_TAG_ALLGATHER, .send_bytes = l->send_bytes, .recv_bytes = l->recv_bytes};
  return exchange(l, i, &x, op);
}

static bool allgatherv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct lower_exchange x = {.tag = LOWER_TAG_ALLGATHERV,
                                   .send_bytes = l->send_bytes,
                                   .recv_bytes = lower_bytes_from(l, (uint32_t)(i / 2))};
  return exchange(l, i, &x, op);
}

static bool allreduce_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct lower_exchange x = {
      .tag = LOWER_TAG_ALLREDUCE, .send_bytes = l->send_bytes, .recv_bytes = l->send_bytes};
  return exchange(l, i, &x, op);
}

/* Each rank reduces its own block, so it receives all contributions to this block. */
static bool reduce_scatter_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct lower_exchange x = {.tag = LOWER_TAG_REDUCESCATTER,
                                   .send_bytes = lower_bytes_from(l, (uint32_t)(i / 2)),
                                   .recv_bytes = lower_bytes_from(l, l->rank)};
  return exchange(l, i, &x, op);
}

/* Receives from the next rank on upwards, then sends to the previous rank on downwards. */
static bool alltoall_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t n = l->ranks, by = (uint32_t)(i % n);
  if (by == 0)
    return false;
  return i < n ? lower_irecv(op, (l->rank + by) % n, LOWER_TAG_ALLTOALL, l->recv_bytes)
               : lower_isend(op, (l->rank + n - by) % n, LOWER_TAG_ALLTOALL, l->send_bytes);
}

/* Receives, then sends, both in rank order. */
static bool alltoallv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t peer = (uint32_t)(i % l->ranks);
  if (peer == l->rank)
    return false;
  return i < l->ranks ? lower_irecv(op, peer, LOWER_TAG_ALLTOALLV, lower_bytes_from(l, peer))
                      : lower_isend(op, peer, LOWER_TAG_ALLTOALLV, lower_bytes_to(l, peer));
}

static uint64_t scan_steps(const struct lowering *l)
{
  return l->ranks;
}

static bool scan_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (i == l->rank)
    return false;
  return i < l->rank ? lower_irecv(op, (uint32_t)i, LOWER_TAG_SCAN, l->send_bytes)
                     : lower_isend(op, (uint32_t)i, LOWER_TAG_SCAN, l->send_bytes);
}

/* --- neighbourhood collectives ---------------------------------------------------------------- */

static uint64_t neighbor_steps(const struct lowering *l)
{
  return (uint64_t)l->neighbours->sources + l->neighbours->destinations;
}

/* Receives, then sends.  SMPI has no neighbourhood collectives; the order is Open MPI's for graphs.
 * The tag of alltoallv is safe to share: all ranks of a communicator call its collectives in the
 * same order. */
static bool neighbor_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct neighbours *n = l->neighbours;
  uint32_t block = (uint32_t)i;
  if (i < n->sources)
    return n->source[i] != NEIGHBOURS_NONE &&
           lower_irecv(op, (uint32_t)n->source[i], LOWER_TAG_ALLTOALLV, lower_bytes_from(l, block));
  const int32_t to = neighbours_destination(n, block - n->sources, &block);
  return to != NEIGHBOURS_NONE &&
         lower_isend(op, (uint32_t)to, LOWER_TAG_ALLTOALLV, lower_bytes_to(l, block));
}

/* --- the table -------------------------------------------------------------------------------- */

#define LEAF(kind, its_steps, its_step)                                                            \
  [kind - ACTION_BARRIER] = {.row = {"posted", "all messages at once", "smpi_nbc_impl.cpp"},       \
                             .steps = (its_steps),                                                 \
                             .step = (its_step)}

static const struct lower_algorithm POSTED[ACTION_NONBLOCKING - ACTION_BARRIER] = {
    LEAF(ACTION_BARRIER, barrier_steps, barrier_step),
    LEAF(ACTION_BCAST, rooted_steps, bcast_step),
    LEAF(ACTION_REDUCE, rooted_steps, reduce_step),
    LEAF(ACTION_ALLREDUCE, all_steps, allreduce_step),
    LEAF(ACTION_ALLTOALL, all_steps, alltoall_step),
    LEAF(ACTION_ALLTOALLV, all_steps, alltoallv_step),
    LEAF(ACTION_GATHER, rooted_steps, gather_step),
    LEAF(ACTION_GATHERV, rooted_steps, gatherv_step),
    LEAF(ACTION_SCATTER, rooted_steps, scatter_step),
    LEAF(ACTION_SCATTERV, rooted_steps, scatterv_step),
    LEAF(ACTION_ALLGATHER, all_steps, allgather_step),
    LEAF(ACTION_ALLGATHERV, all_steps, allgatherv_step),
    LEAF(ACTION_REDUCESCATTER, all_steps, reduce_scatter_step),
    LEAF(ACTION_SCAN, scan_steps, scan_step),
    LEAF(ACTION_EXSCAN, scan_steps, scan_step),
    LEAF(ACTION_ALLTOALLW, all_steps, alltoallv_step),
    LEAF(ACTION_NEIGHBOR_ALLGATHER, neighbor_steps, neighbor_step),
    LEAF(ACTION_NEIGHBOR_ALLGATHERV, neighbor_steps, neighbor_step),
    LEAF(ACTION_NEIGHBOR_ALLTOALL, neighbor_steps, neighbor_step),
    LEAF(ACTION_NEIGHBOR_ALLTOALLV, neighbor_steps, neighbor_step),
    LEAF(ACTION_NEIGHBOR_ALLTOALLW, neighbor_steps, neighbor_step),
};

const struct lower_algorithm *lower_posted(enum action_kind kind)
{
  return &POSTED[action_blocking(kind) - ACTION_BARRIER];
}

/* --- blocking forms --------------------------------------------------------------------------- */

static uint64_t one_step(const struct lowering *l)
{
  (void)l;
  return 1;
}

static bool wait_step(const struct lowering *l, uint64_t i, struct op *op)
{
  (void)l;
  (void)i;
  return lower_waitall(op);
}

const struct lower_algorithm *lower_waited(enum action_kind kind, uint32_t k)
{
  static const struct lower_algorithm WAIT = {.steps = one_step, .step = wait_step};
  return k == 0 ? lower_posted(kind) : k == 1 ? &WAIT : NULL;
}

static const struct lower_algorithm *alltoallw_piece(const struct lowering *l, uint32_t k,
                                                     struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_ALLTOALLW, k);
}

const struct lower_algorithm lower_alltoallw_default = {
    .row = {"default", "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp"},
    .piece = alltoallw_piece};

static const struct lower_algorithm *neighbor_piece(const struct lowering *l, uint32_t k,
                                                    struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_NEIGHBOR_ALLTOALLV, k);
}

const struct lower_algorithm lower_neighbor_default = {
    .row = {"default", "receives from all sources and sends to all destinations at once", NULL},
    .piece = neighbor_piece};
