/* SimGrid 3.32: allgather-NTSLR.cpp and allgather-NTSLR-NB.cpp in src/smpi/colls/allgather.  Each
 * round forwards the block received last to the next rank. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/ring.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  struct lower_exchange x = lower_shift(l, 1, LOWER_TAG_ALLGATHER);
  x.send_bytes = l->send_bytes;
  x.recv_bytes = l->recv_bytes;
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_allgather_ntslr = {
    .row = {"NTSLR", "logical ring: each round passes a block on", "allgather/allgather-NTSLR.cpp"},
    .steps = ring_steps,
    .step = step};

/* Posts all receives first.  Each round then sends, waits for its receive and for its send. */
static uint64_t nb_steps(const struct lowering *l)
{
  return 4 * (uint64_t)(l->ranks - 1) + 1;
}

static bool nb_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct lower_exchange x = lower_shift(l, 1, LOWER_TAG_ALLGATHER);
  const uint32_t rounds = l->ranks - 1;
  if (i < rounds)
    return lower_irecv(op, x.src, x.tag, l->recv_bytes);
  if (i + 1 == nb_steps(l))
    return lower_waitall(op);
  const uint32_t round = (uint32_t)(i - rounds) / 3;
  switch ((i - rounds) % 3) {
  case 0:
    return lower_isend(op, x.dst, x.tag, l->send_bytes);
  case 1:
    return lower_wait(op, round);
  default:
    return lower_wait(op, rounds + round);
  }
}

const struct lower_algorithm lower_allgather_ntslr_nb = {
    .row = {"NTSLR_NB", "logical ring, all receives posted first",
            "allgather/allgather-NTSLR-NB.cpp"},
    .steps = nb_steps,
    .step = nb_step};
