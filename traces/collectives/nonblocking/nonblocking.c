#include "traces/collectives/nonblocking/nonblocking.h"

#include "traces/collectives/algorithms.h"
#include "traces/neighbours.h"

/* --- collectives with a root ------------------------------------------------------------------ */

/* The root sends to all others. */
static bool from_root_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const int32_t tag = l->algorithm->variant;
  if (l->rank != l->root)
    return lower_irecv(op, l->root, tag, tag == LOWER_TAG_BCAST ? l->send_bytes : l->recv_bytes);
  return i != l->root && lower_isend(op, (uint32_t)i, tag, lower_bytes_to(l, (uint32_t)i));
}

/* The root receives from all others. */
static bool to_root_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const int32_t tag = l->algorithm->variant;
  const uint32_t peer = (uint32_t)i;
  if (l->rank != l->root)
    return lower_isend(op, l->root, tag, l->send_bytes);
  return peer != l->root &&
         lower_irecv(op, peer, tag,
                     tag == LOWER_TAG_REDUCE ? l->send_bytes : lower_bytes_from(l, peer));
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

/* Sends to and receives from each other rank in turn.  In a reduce_scatter, each rank reduces its
 * own block, so it receives all contributions to this block. */
static bool exchange_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const int32_t tag = l->algorithm->variant;
  const uint32_t peer = (uint32_t)(i / 2);
  const bool scatters = tag == LOWER_TAG_REDUCESCATTER;
  if (peer == l->rank)
    return false;
  if (i % 2 == 0)
    return lower_isend(op, peer, tag, scatters ? lower_bytes_from(l, peer) : l->send_bytes);
  if (tag == LOWER_TAG_ALLREDUCE)
    return lower_irecv(op, peer, tag, l->send_bytes);
  return lower_irecv(op, peer, tag, lower_bytes_from(l, scatters ? l->rank : peer));
}

/* Receives from the next rank, then from the ranks above it; sends to the previous rank, then to
 * the ranks below it. */
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

#define LEAF(KIND, STEPS, STEP, TAG)                                                               \
  [ACTION_##KIND -                                                                                 \
      ACTION_BARRIER] = {.row = {"posted", "all messages at once", "smpi_nbc_impl.cpp"},           \
                         .steps = (STEPS),                                                         \
                         .step = (STEP),                                                           \
                         .variant = (TAG)}

static const struct lower_algorithm POSTED[ACTION_NONBLOCKING - ACTION_BARRIER] = {
    LEAF(BARRIER, barrier_steps, barrier_step, LOWER_TAG_BARRIER),
    LEAF(BCAST, lower_rooted_steps, from_root_step, LOWER_TAG_BCAST),
    LEAF(REDUCE, lower_rooted_steps, to_root_step, LOWER_TAG_REDUCE),
    LEAF(ALLREDUCE, all_steps, exchange_step, LOWER_TAG_ALLREDUCE),
    LEAF(ALLTOALL, all_steps, alltoall_step, LOWER_TAG_ALLTOALL),
    LEAF(ALLTOALLV, all_steps, alltoallv_step, LOWER_TAG_ALLTOALLV),
    LEAF(GATHER, lower_rooted_steps, to_root_step, LOWER_TAG_GATHER),
    LEAF(GATHERV, lower_rooted_steps, to_root_step, LOWER_TAG_GATHERV),
    LEAF(SCATTER, lower_rooted_steps, from_root_step, LOWER_TAG_SCATTER),
    LEAF(SCATTERV, lower_rooted_steps, from_root_step, LOWER_TAG_SCATTERV),
    LEAF(ALLGATHER, all_steps, exchange_step, LOWER_TAG_ALLGATHER),
    LEAF(ALLGATHERV, all_steps, exchange_step, LOWER_TAG_ALLGATHERV),
    LEAF(REDUCESCATTER, all_steps, exchange_step, LOWER_TAG_REDUCESCATTER),
    LEAF(SCAN, scan_steps, scan_step, LOWER_TAG_SCAN),
    LEAF(EXSCAN, scan_steps, scan_step, LOWER_TAG_SCAN),
    LEAF(ALLTOALLW, all_steps, alltoallv_step, LOWER_TAG_ALLTOALLV),
    LEAF(NEIGHBOR_ALLGATHER, neighbor_steps, neighbor_step, LOWER_TAG_ALLTOALLV),
    LEAF(NEIGHBOR_ALLGATHERV, neighbor_steps, neighbor_step, LOWER_TAG_ALLTOALLV),
    LEAF(NEIGHBOR_ALLTOALL, neighbor_steps, neighbor_step, LOWER_TAG_ALLTOALLV),
    LEAF(NEIGHBOR_ALLTOALLV, neighbor_steps, neighbor_step, LOWER_TAG_ALLTOALLV),
    LEAF(NEIGHBOR_ALLTOALLW, neighbor_steps, neighbor_step, LOWER_TAG_ALLTOALLV),
};

const struct lower_algorithm *lower_posted(enum action_kind kind)
{
  return &POSTED[action_blocking(kind) - ACTION_BARRIER];
}

/* --- blocking forms: the messages, and a wait for all ----------------------------------------- */

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

static const struct lower_algorithm WAIT = {.steps = one_step, .step = wait_step};

#define WAITED(NAME, KIND, ...)                                                                    \
  const struct lower_algorithm NAME = {                                                            \
      .row = {__VA_ARGS__},                                                                        \
      .pieces = LOWER_PIECES(&POSTED[ACTION_##KIND - ACTION_BARRIER], &WAIT)};

WAITED(lower_reduce_default, REDUCE, "default", "linear: all send to the root at once",
       "smpi_nbc_impl.cpp")
WAITED(lower_gather_default, GATHER, "default", "linear: all send to the root at once",
       "smpi_nbc_impl.cpp")
WAITED(lower_gatherv_default, GATHERV, "default", "linear: all send to the root at once",
       "smpi_nbc_impl.cpp")
WAITED(lower_scatter_default, SCATTER, "default", "linear: the root sends to all at once",
       "smpi_nbc_impl.cpp")
WAITED(lower_scatterv_default, SCATTERV, "default", "linear: the root sends to all at once",
       "smpi_nbc_impl.cpp")
WAITED(lower_allgather_default, ALLGATHER, "default",
       "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp")
WAITED(lower_allgatherv_default, ALLGATHERV, "default",
       "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp")
WAITED(lower_scan_default, SCAN, "default", "linear: each rank sends to all above it",
       "smpi_coll.cpp")
WAITED(lower_alltoallw_default, ALLTOALLW, "default",
       "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp")
WAITED(lower_neighbor_default, NEIGHBOR_ALLTOALLV, "default",
       "receives from all sources and sends to all destinations at once", NULL)

/* A rank alone does not wait. */
static const struct lower_algorithm *alltoall_piece(const struct lowering *l, uint32_t k,
                                                    struct lowering *sub)
{
  (void)sub;
  if (l->ranks == 1 || k > 1)
    return NULL;
  return k == 0 ? l->algorithm->part : &WAIT;
}

#define ALLTOALL(NAME, KIND, ...)                                                                  \
  const struct lower_algorithm NAME = {.row = {__VA_ARGS__},                                       \
                                       .piece = alltoall_piece,                                    \
                                       .part = &POSTED[ACTION_##KIND - ACTION_BARRIER]};

ALLTOALL(lower_alltoall_basic_linear, ALLTOALL, "basic_linear",
         "all sends and receives posted at once", "alltoall/alltoall-basic-linear.cpp")
ALLTOALL(lower_alltoallv_default, ALLTOALLV, "default",
         "linear: all sends and receives posted at once", "smpi_nbc_impl.cpp")
ALLTOALL(lower_alltoallv_ompi_basic_linear, ALLTOALLV, "ompi_basic_linear",
         "all sends and receives posted at once", "alltoallv/alltoallv-ompi-basic-linear.cpp")
