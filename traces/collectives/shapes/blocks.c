#include "traces/collectives/shapes/blocks.h"

#include "traces/collectives/shapes/doubling.h"
#include "traces/collectives/shapes/rounds.h"

uint64_t blocks_bytes(const struct lowering *l, uint64_t first, uint64_t n)
{
  if (l->recvcounts == NULL)
    return n * l->recv_bytes;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++)
    sum += (uint64_t)l->recvcounts[(first + i) % l->ranks];
  return sum * l->recv_size;
}

/* Tag of the collective. */
static int32_t tag_of(const struct lowering *l)
{
  return l->recvcounts == NULL ? LOWER_TAG_ALLGATHER : LOWER_TAG_ALLGATHERV;
}

/* --- a block to each rank ------------------------------------------------------------------- */

bool blocks_rounds_step(const struct lowering *l, uint64_t i, struct op *op)
{
  struct lower_exchange x = rounds_partners(l, i / LOWER_EXCHANGE_STEPS, tag_of(l));
  x.send_bytes = l->send_bytes;
  x.recv_bytes = lower_bytes_from(l, x.src);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

/* --- Bruck ---------------------------------------------------------------------------------- */

bool blocks_bruck_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = l->ranks, distance = UINT64_C(1) << (i / LOWER_EXCHANGE_STEPS);
  const uint64_t count = distance < n - distance ? distance : n - distance;
  struct lower_exchange x = lower_shift(l, n - distance, tag_of(l));
  x.send_bytes = blocks_bytes(l, l->rank, count);
  x.recv_bytes = blocks_bytes(l, x.src, count);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

/* --- neighbour exchange --------------------------------------------------------------------- */

uint64_t blocks_neighbor_steps(const struct lowering *l)
{
  return l->ranks % 2 == 1 ? rounds_steps(l) : (uint64_t)l->ranks / 2 * LOWER_EXCHANGE_STEPS;
}

/* First of the two blocks that @p rank receives in @p round; in round 0, first block of its own
 * pair. */
static uint64_t neighbor_pair(const struct lowering *l, uint32_t rank, uint64_t round)
{
  const uint64_t n = l->ranks, base = rank - rank % 2;
  const bool up = round % 2 == rank % 2;
  const uint64_t away = round + round % 2;
  return up ? (base + away) % n : (base + n - away) % n;
}

bool blocks_neighbor_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->ranks % 2 == 1)
    return blocks_rounds_step(l, i, op);
  const uint64_t round = i / LOWER_EXCHANGE_STEPS;
  const bool up = round % 2 == l->rank % 2;
  struct lower_exchange x = lower_shift(l, up ? 1 : l->ranks - 1, tag_of(l));
  x.src = x.dst;
  if (round == 0) {
    x.send_bytes = blocks_bytes(l, l->rank, 1);
    x.recv_bytes = blocks_bytes(l, x.src, 1);
  } else {
    x.send_bytes = blocks_bytes(l, neighbor_pair(l, l->rank, round - 1), 2);
    x.recv_bytes = blocks_bytes(l, neighbor_pair(l, l->rank, round), 2);
  }
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

/* --- recursive doubling --------------------------------------------------------------------- */

/* Bytes of the blocks of @p size ranks from @p first on, without ranks that do not exist. */
static uint64_t subtree_bytes(const struct lowering *l, uint64_t first, uint64_t size)
{
  return blocks_bytes(l, first, first + size > l->ranks ? l->ranks - first : size);
}

bool blocks_doubling_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct doubling d = {tag_of(l), subtree_bytes};
  return doubling_step(l, i, &d, op);
}
