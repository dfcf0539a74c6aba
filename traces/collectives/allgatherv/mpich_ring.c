/* SimGrid 3.32: src/smpi/colls/allgatherv/allgatherv-mpich-ring.cpp.  Blocks move around a logical
 * ring in segments as long as the shortest block, but at least 256 KiB.  An exchange sends one
 * segment and receives one.  An empty segment is not sent. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/ring.h"

#define LEAST_BYTES 262144u

/* Step @p s of the exchange that sends @p out elements and receives @p in elements. */
static bool exchange(const struct lowering *l, uint64_t out, uint64_t in, uint64_t s, struct op *op)
{
  struct lower_exchange x = lower_shift(l, 1, LOWER_TAG_ALLGATHERV);
  x.send_bytes = out * l->recv_size;
  x.recv_bytes = in * l->recv_size;
  if (out != 0 && in != 0)
    return lower_exchange(&x, s, op);
  if (s > 0 || out == in)
    return false;
  return out != 0 ? lower_send(op, x.dst, x.tag, x.send_bytes)
                  : lower_recv(op, x.src, x.tag, x.recv_bytes);
}

/* --- one segment per block -------------------------------------------------------------------- */

static bool whole_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t round = i / LOWER_EXCHANGE_STEPS, n = l->ranks;
  const uint64_t out = (uint64_t)l->recvcounts[(l->rank + n - round) % n];
  const uint64_t in = (uint64_t)l->recvcounts[(l->rank + n - 1 - round) % n];
  return exchange(l, out, in, i % LOWER_EXCHANGE_STEPS, op);
}

/* --- several segments per block, of l->count elements ----------------------------------------- */

/* Number of rounds of a block; an empty block takes one. */
static uint64_t rounds_of(const struct lowering *l, uint64_t block)
{
  const uint64_t count = (uint64_t)l->recvcounts[block];
  return count == 0 ? 1 : (count + l->count - 1) / l->count;
}

/* Elements of the segment of round @p round, in the order of blocks first, first - 1, ..., without
 * the last block. */
static uint64_t segment(const struct lowering *l, uint64_t first, uint64_t round)
{
  const uint64_t n = l->ranks;
  for (uint64_t k = 0; k + 1 < n; k++) {
    const uint64_t block = (first + n - k) % n, rounds = rounds_of(l, block);
    const uint64_t count = (uint64_t)l->recvcounts[block];
    if (round < rounds)
      return round + 1 < rounds ? l->count : count - round * l->count;
    round -= rounds;
  }
  return 0;
}

static uint64_t segment_steps(const struct lowering *l)
{
  uint64_t rounds = 0;
  for (uint32_t block = 0; block < l->ranks; block++)
    rounds += rounds_of(l, block);
  return rounds * LOWER_EXCHANGE_STEPS;
}

static bool segment_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t round = i / LOWER_EXCHANGE_STEPS, n = l->ranks;
  const uint64_t out = segment(l, l->rank, round), in = segment(l, l->rank + n - 1, round);
  return exchange(l, out, in, i % LOWER_EXCHANGE_STEPS, op);
}

/* --- choice between the two ------------------------------------------------------------------- */

static const struct lower_algorithm WHOLE = {.steps = ring_steps, .step = whole_step};
static const struct lower_algorithm SEGMENTS = {.steps = segment_steps, .step = segment_step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k > 0)
    return NULL;
  uint64_t least = UINT64_MAX, most = 0;
  for (uint32_t r = 0; r < l->ranks; r++) {
    const uint64_t count = (uint64_t)l->recvcounts[r];
    least = count < least ? count : least;
    most = count > most ? count : most;
  }
  if (least * l->recv_size < LEAST_BYTES)
    least = l->recv_size == 0 ? most : LEAST_BYTES / l->recv_size;
  sub->count = least;
  return most <= least ? &WHOLE : &SEGMENTS;
}

const struct lower_algorithm lower_allgatherv_mpich_ring = {
    .row = {"mpich_ring", "logical ring in segments of the shortest block, 256 KiB at least",
            "allgatherv/allgatherv-mpich-ring.cpp"},
    .piece = piece};
