#include "traces/collectives/mesh.h"

#include <math.h>

struct mesh mesh_of_two(uint32_t ranks)
{
  uint32_t y = (uint32_t)sqrt(ranks);
  while (ranks % y != 0)
    y--;
  return (struct mesh){ranks / y, y, 1};
}

/* A root that cbrt() rounds to the other side changes nothing: for x > 2, (x - 1)^2 does not divide
 * x^3, nor x^3 - 1 but for 63, which is far enough from 64. */
struct mesh mesh_of_three(uint32_t ranks)
{
  for (uint32_t x = (uint32_t)cbrt(ranks); (uint64_t)x * x <= ranks; x++)
    if (ranks % (x * x) == 0)
      return (struct mesh){x, x, ranks / (x * x)};
  return (struct mesh){1, 1, ranks};
}

uint64_t mesh_line_steps(uint32_t count)
{
  return 2 * (uint64_t)count + 1;
}

bool mesh_line_step(const struct mesh_line *line, uint32_t self, uint64_t i, struct op *op)
{
  if (i == 2 * (uint64_t)line->count)
    return lower_waitall(op);
  const uint64_t k = (line->start + i) % line->count;
  const uint32_t peer = (uint32_t)(line->first + k * line->stride);
  if (peer == self)
    return false;
  return i < line->count ? lower_irecv(op, peer, line->tag, line->recv_bytes)
                         : lower_send(op, peer, line->tag, line->send_bytes);
}
