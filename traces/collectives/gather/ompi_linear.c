#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/segments.h"

/* --- ompi_basic_linear ------------------------------------------------------------------------ */

static bool basic_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != l->root)
    return lower_send(op, l->root, LOWER_TAG_GATHER, l->send_bytes);
  return i != l->root && lower_recv(op, (uint32_t)i, LOWER_TAG_GATHER, l->recv_bytes);
}

const struct lower_algorithm lower_gather_ompi_basic_linear = {
    .row = {"ompi_basic_linear", "the root receives from one rank after another",
            "gather/gather-ompi.cpp"},
    .steps = lower_rooted_steps,
    .step = basic_step};

/* --- ompi_linear_sync: on request, a short segment, then the rest ----------------------------- */

/* Bytes of the first segment of a block of @p bytes in elements of @p size. */
static uint64_t first_segment(uint64_t bytes, uint64_t size)
{
  return segments_elements(bytes > 92160 ? 32768 : 1024, size, bytes / size) * size;
}

static uint64_t sync_steps(const struct lowering *l)
{
  return l->rank == l->root ? 4 * (uint64_t)l->ranks + 1 : 3;
}

static bool give(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t first = first_segment(l->send_bytes, l->send_size);
  if (i == 0)
    return lower_recv(op, l->root, LOWER_TAG_GATHER, 0);
  return lower_send(op, l->root, LOWER_TAG_GATHER, i == 1 ? first : l->send_bytes - first);
}

static bool sync_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank != l->root)
    return give(l, i, op);
  const uint32_t peer = (uint32_t)(i / 4);
  const uint64_t first = first_segment(l->recv_bytes, l->recv_size);
  if (peer == l->ranks)
    return lower_waitall(op);
  if (peer == l->root)
    return false;
  switch (i % 4) {
  case 0:
    return lower_irecv(op, peer, LOWER_TAG_GATHER, first);
  case 1:
    return lower_send(op, peer, LOWER_TAG_GATHER, 0);
  case 2:
    return lower_irecv(op, peer, LOWER_TAG_GATHER, l->recv_bytes - first);
  default:
    return lower_wait(op, 2 * (peer - (peer > l->root)));
  }
}

const struct lower_algorithm lower_gather_ompi_linear_sync = {
    .row = {"ompi_linear_sync", "the root asks one rank after another for a short first segment",
            "gather/gather-ompi.cpp"},
    .steps = sync_steps,
    .step = sync_step};
