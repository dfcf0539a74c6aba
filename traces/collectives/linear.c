/* Everything posted at once: colls::igather, igatherv, iscatter, iscatterv, iallgather,
 * iallgatherv in src/smpi/colls/smpi_nbc_impl.cpp, colls::scan and exscan in smpi_coll.cpp
 * (SimGrid 3.32); the ring of allgather/allgather-ring.cpp. */
#include "traces/collectives/lower.h"

static uint64_t bytes_of(const int32_t *counts, uint64_t size, uint64_t rank)
{
  return (uint64_t)counts[rank] * size;
}

static uint64_t star_steps(const struct lowering *l)
{
  return l->rank == l->root ? (uint64_t)l->ranks + 1 : 2;
}

/* All other ranks send to the root; @p counts, unless NULL, holds what it receives from each. */
static bool gather_any(const struct lowering *l, uint64_t i, const int32_t *counts, struct op *op)
{
  const int32_t tag = counts == NULL ? LOWER_TAG_GATHER : LOWER_TAG_GATHERV;
  if (i + 1 == star_steps(l))
    return lower_waitall(op);
  if (l->rank != l->root)
    return lower_isend(op, l->root, tag, l->send_bytes);
  const uint64_t bytes = counts == NULL ? l->recv_bytes : bytes_of(counts, l->recv_size, i);
  return i != l->root && lower_irecv(op, (uint32_t)i, tag, bytes);
}

static bool gather_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return gather_any(l, i, NULL, op);
}

static bool gatherv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return gather_any(l, i, l->recvcounts, op);
}

const struct lower_part lower_gather = {star_steps, gather_step};
const struct lower_part lower_gatherv = {star_steps, gatherv_step};

/* The root sends to all others at once. */
static bool scatter_any(const struct lowering *l, uint64_t i, const int32_t *counts, struct op *op)
{
  const int32_t tag = counts == NULL ? LOWER_TAG_SCATTER : LOWER_TAG_SCATTERV;
  if (i + 1 == star_steps(l))
    return lower_waitall(op);
  if (l->rank != l->root)
    return lower_irecv(op, l->root, tag, l->recv_bytes);
  const uint64_t bytes = counts == NULL ? l->send_bytes : bytes_of(counts, l->send_size, i);
  return i != l->root && lower_isend(op, (uint32_t)i, tag, bytes);
}

static bool scatter_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return scatter_any(l, i, NULL, op);
}

static bool scatterv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return scatter_any(l, i, l->sendcounts, op);
}

const struct lower_part lower_scatter = {star_steps, scatter_step};
const struct lower_part lower_scatterv = {star_steps, scatterv_step};

/* The second half of reduce_scatter: the root hands out the parts. */
static bool scatterv_of_recvcounts_step(const struct lowering *l, uint64_t i, struct op *op)
{
  struct lowering part = *l;
  part.recv_bytes = bytes_of(l->recvcounts, l->recv_size, l->rank);
  part.send_size = l->recv_size;
  return scatter_any(&part, i, l->recvcounts, op);
}

const struct lower_part lower_scatterv_of_recvcounts = {star_steps, scatterv_of_recvcounts_step};

/* A send to and a receive from each other rank, in turn. */
static uint64_t all_steps(const struct lowering *l)
{
  return 2 * (uint64_t)l->ranks + 1;
}

static bool allgather_any(const struct lowering *l, uint64_t i, const int32_t *counts,
                          struct op *op)
{
  const int32_t tag = counts == NULL ? LOWER_TAG_ALLGATHER : LOWER_TAG_ALLGATHERV;
  const uint64_t peer = i / 2;
  if (peer == l->ranks)
    return lower_waitall(op);
  if (peer == l->rank)
    return false;
  if (i % 2 == 0)
    return lower_isend(op, (uint32_t)peer, tag, l->send_bytes);
  return lower_irecv(op, (uint32_t)peer, tag,
                     counts == NULL ? l->recv_bytes : bytes_of(counts, l->recv_size, peer));
}

static bool allgather_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return allgather_any(l, i, NULL, op);
}

static bool allgatherv_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return allgather_any(l, i, l->recvcounts, op);
}

const struct lower_part lower_allgather_linear = {all_steps, allgather_step};
const struct lower_part lower_allgatherv_linear = {all_steps, allgatherv_step};

static uint64_t ring_steps(const struct lowering *l)
{
  return (uint64_t)l->ranks * LOWER_EXCHANGE_STEPS;
}

static bool ring_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t round = i / LOWER_EXCHANGE_STEPS;
  const struct lower_exchange x = {.self = l->rank,
                                   .dst = (uint32_t)((l->rank + round) % l->ranks),
                                   .src = (uint32_t)((l->rank + l->ranks - round) % l->ranks),
                                   .tag = LOWER_TAG_ALLGATHER,
                                   .send_bytes = l->send_bytes,
                                   .recv_bytes = l->recv_bytes};
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_part lower_allgather_ring = {ring_steps, ring_step};

/* Every rank sends to all above it. */
static uint64_t scan_steps(const struct lowering *l)
{
  return (uint64_t)l->ranks + 1;
}

static bool scan_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (i == l->ranks)
    return lower_waitall(op);
  if (i == l->rank)
    return false;
  return i < l->rank ? lower_irecv(op, (uint32_t)i, LOWER_TAG_SCAN, l->send_bytes)
                     : lower_isend(op, (uint32_t)i, LOWER_TAG_SCAN, l->send_bytes);
}

const struct lower_part lower_scan = {scan_steps, scan_step};
