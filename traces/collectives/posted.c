#include "traces/collectives/posted.h"

uint64_t posted_steps(const struct lowering *l)
{
  return 2 * (uint64_t)l->ranks + 1;
}

bool posted_step(const struct lowering *l, uint64_t i, int32_t tag, struct op *op)
{
  const uint32_t peer = (uint32_t)(i / 2);
  if (peer == l->ranks)
    return lower_waitall(op);
  if (peer == l->rank)
    return false;
  if (i % 2 == 0)
    return lower_isend(op, peer, tag, l->send_bytes);
  return lower_irecv(op, peer, tag, lower_bytes_from(l, peer));
}
