#include "traces/collectives/shapes/mesh.h"

#include <math.h>

static struct mesh mesh_of_two(uint32_t ranks)
{
  uint32_t y = (uint32_t)sqrt(ranks);
  while (ranks % y != 0)
    y--;
  return (struct mesh){ranks / y, y, 1};
}

/* cbrt() may be one off for x^3 and x^3 - 1 ranks.  This changes no result: for x > 2, (x - 1)^2
 * divides neither number, except for x = 4, where cbrt(63) is below 4 by more than rounding. */
static struct mesh mesh_of_three(uint32_t ranks)
{
  for (uint32_t x = (uint32_t)cbrt(ranks); (uint64_t)x * x <= ranks; x++)
    if (ranks % (x * x) == 0)
      return (struct mesh){x, x, ranks / (x * x)};
  return (struct mesh){1, 1, ranks};
}

struct mesh mesh_of(const struct lowering *l)
{
  return l->algorithm->variant == MESH_TWO ? mesh_of_two(l->ranks) : mesh_of_three(l->ranks);
}

/* The ranks first, first + stride, ... (count of them), served from number `start` on. */
struct line {
  uint32_t first, stride, count, start;
};

/* The line through the rank in dimension @p d. */
static struct line line_of(const struct lowering *l, const struct mesh *m, uint32_t d)
{
  const uint32_t plane = m->x * m->y, column = l->rank % m->x, floor = l->rank / plane;
  const struct line LINE[] = {
      {.first = l->rank - column, .stride = 1, .count = m->x},
      {.first = floor * plane + column, .stride = m->x, .count = m->y},
      {.first = l->rank % plane, .stride = plane, .count = m->z, .start = floor},
  };
  return LINE[d];
}

/* Number of steps of a rank in a line of @p count ranks. */
static uint64_t line_steps(uint32_t count)
{
  return 2 * (uint64_t)count + 1;
}

uint64_t mesh_steps(const struct lowering *l)
{
  const struct mesh m = mesh_of(l);
  return line_steps(m.x) + line_steps(m.y) + line_steps(m.z);
}

bool mesh_step(const struct lowering *l, const struct mesh_blocks *b, uint64_t i, struct op *op)
{
  uint32_t d = 0;
  const struct mesh m = mesh_of(l);
  const uint32_t count[] = {m.x, m.y, m.z};
  for (; i >= line_steps(count[d]); d++)
    i -= line_steps(count[d]);
  const struct line line = line_of(l, &m, d);
  if (i + 1 == line_steps(line.count))
    return lower_waitall(op);
  const uint64_t k = (line.start + i) % line.count;
  const uint32_t peer = (uint32_t)(line.first + k * line.stride);
  if (peer == l->rank)
    return false;
  return i < line.count ? lower_irecv(op, peer, b->tag, b->blocks[d] * l->recv_bytes)
                        : lower_send(op, peer, b->tag, b->blocks[d] * l->send_bytes);
}
