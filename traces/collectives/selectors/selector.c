#include "traces/collectives/selectors/selector.h"

static const selector_set *const SETS[] = {&selector_ompi, &selector_mpich, &selector_mvapich2,
                                           &selector_impi};

const struct lower_algorithm *selector_at(enum action_kind kind, size_t i)
{
  return i < sizeof SETS / sizeof *SETS ? (*SETS[i])[kind - ACTION_BARRIER] : NULL;
}

static bool below(uint64_t n, uint32_t bound)
{
  return n < bound || bound == SELECTOR_ANY;
}

const struct selector_row *selector_find(const struct selector_row *rows, uint32_t ranks,
                                         uint64_t bytes)
{
  while (!below(ranks, rows->ranks) || !below(bytes, rows->bytes))
    rows++;
  return rows;
}

uint64_t selector_total(const struct lowering *l, uint64_t size)
{
  uint64_t elements = 0;
  for (uint32_t r = 0; r < l->ranks; r++)
    elements += (uint64_t)l->recvcounts[r];
  return elements * size;
}

uint64_t selector_gathered(const struct lowering *l)
{
  return l->rank == l->root ? l->recv_bytes : l->send_bytes;
}

uint64_t selector_scattered(const struct lowering *l)
{
  return l->rank == l->root ? l->send_bytes : l->recv_bytes;
}
