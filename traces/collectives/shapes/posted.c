#include "traces/collectives/shapes/posted.h"

#include "traces/collectives/shapes/rounds.h"

#define GROUP 4u

uint64_t posted_by_four_steps(const struct lowering *l)
{
  return ((uint64_t)l->ranks + GROUP - 1) / GROUP * (2 * GROUP + 1);
}

bool posted_by_four_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t n = l->ranks, each = 2 * GROUP + 1, s = i % each;
  const uint64_t distance = i / each * GROUP + s % GROUP;
  const int32_t tag = rounds_tag(l);
  if (s == 2 * GROUP)
    return lower_waitall(op);
  if (distance >= n || (distance == 0 && l->algorithm->variant != POSTED_SELF))
    return false;
  const uint32_t src = (uint32_t)((l->rank + distance) % n);
  const uint32_t dst = (uint32_t)((l->rank + n - distance) % n);
  return s < GROUP ? lower_irecv(op, src, tag, lower_bytes_from(l, src))
                   : lower_isend(op, dst, tag, lower_bytes_to(l, dst));
}
