/* SimGrid 3.32: src/smpi/colls/allgather/allgather-loosely-lr.cpp.  A ring connects the ranks with
 * the same number on all hosts.  A rank sends the blocks it receives to the other ranks of its
 * host.  SMPI's arrays for 128 requests overflow: it crashes with 256 ranks, 4 per host. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"

/* Steps of a round: two operations for each rank of the host, then a wait for the message from the
 * previous host. */
static uint64_t round_steps(uint64_t cores)
{
  return 2 * cores + 1;
}

static uint64_t steps(const struct lowering *l)
{
  const uint32_t cores = levels_cores(l);
  return round_steps(cores) * (l->ranks / cores) + 1;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t cores = levels_cores(l), rounds = l->ranks / cores, place = l->rank % cores;
  const uint32_t round = (uint32_t)(i / round_steps(cores));
  const uint32_t s = (uint32_t)(i % round_steps(cores)), core = s / 2;
  const bool last = round + 1 == rounds;
  if (round == rounds)
    return lower_waitall(op);
  if (core == cores)
    return !last && lower_wait(op, 2 * (round * cores + place));
  if (core == place && last)
    return false;
  uint32_t src = l->rank - place + core, dst = src;
  if (core == place) {
    src = (l->rank + l->ranks - cores) % l->ranks;
    dst = (l->rank + cores) % l->ranks;
  }
  return s % 2 == 0 ? lower_irecv(op, src, LOWER_TAG_ALLGATHER, l->recv_bytes)
                    : lower_isend(op, dst, LOWER_TAG_ALLGATHER, l->send_bytes);
}

static const struct lower_algorithm LEAF = {.steps = steps, .step = step};

const struct lower_algorithm lower_allgather_loosely_lr = {
    .row = {"loosely_lr",
            "rings between hosts; each rank passes blocks on within its host without waiting",
            "allgather/allgather-loosely-lr.cpp"},
    .pieces = LOWER_PIECES(&lower_prepare, &LEAF)};
