#include "traces/collectives/shapes/pipeline.h"

static uint64_t ahead_of(const struct pipeline *p)
{
  return p->ahead < p->segments ? p->ahead : p->segments;
}

/* Number of receives posted before the steps of the first segment, which post one more. */
static uint64_t early(const struct pipeline *p)
{
  return p->first || p->segments == 0 ? 0 : ahead_of(p) - 1;
}

uint64_t pipeline_steps(const struct pipeline *p)
{
  return early(p) + p->segments * (2 + (uint64_t)p->targets) + 1;
}

static uint64_t bytes_of(const struct pipeline *p, uint64_t segment)
{
  return segment + 1 == p->segments ? p->last_bytes : p->bytes;
}

static bool post(const struct pipeline *p, uint64_t segment, struct op *op)
{
  return segment < p->segments && lower_irecv(op, p->from, p->tag, bytes_of(p, segment));
}

/* lower_wait() names a segment's receive by its number, which is right only if sends have no
 * numbers (they block) or all receives are posted before them. */
bool pipeline_step(const struct pipeline *p, uint64_t i, struct op *op)
{
  const uint64_t each = 2 + (uint64_t)p->targets;
  if (i < early(p))
    return post(p, i, op);
  i -= early(p);
  const uint64_t segment = i / each, part = i % each;
  if (segment == p->segments)
    return lower_waitall(op);
  if (part < 2 && p->first)
    return false;
  if (part == 0)
    return post(p, segment + ahead_of(p) - 1, op);
  if (part == 1)
    return lower_wait(op, (uint32_t)segment);
  const uint32_t to = p->to[part - 2];
  return p->posts_sends ? lower_isend(op, to, p->tag, bytes_of(p, segment))
                        : lower_send(op, to, p->tag, bytes_of(p, segment));
}

void pipeline_target(struct pipeline *p, uint64_t rank, uint64_t ranks)
{
  if (rank < ranks)
    p->to[p->targets++] = (uint32_t)rank;
}
