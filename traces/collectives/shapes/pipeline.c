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

/* Steps of a segment: post a receive, wait for one, send to each target. */
static uint64_t steps_each(const struct pipeline *p)
{
  return 2 + (uint64_t)p->targets * (p->waits_sends ? 2 : 1);
}

uint64_t pipeline_steps(const struct pipeline *p)
{
  return early(p) + p->segments * steps_each(p) + 1;
}

static uint64_t bytes_of(const struct pipeline *p, uint64_t segment)
{
  return segment + 1 == p->segments ? p->last_bytes : p->bytes;
}

static bool post(const struct pipeline *p, uint64_t segment, struct op *op)
{
  return segment < p->segments && lower_irecv(op, p->from, p->tag, bytes_of(p, segment));
}

/* Waits for the receive of a segment.  Its number is right if sends have no numbers (they block),
 * if one send precedes each receive that is not early, or if all receives precede the sends. */
static bool wait_for_receive(const struct pipeline *p, uint64_t segment, struct op *op)
{
  const uint64_t late = segment < early(p) ? 0 : segment - early(p);
  return lower_wait(op, (uint32_t)(segment + (p->waits_sends ? late * p->targets : 0)));
}

/* Waits for the send of a segment. */
static bool wait_for_send(const struct pipeline *p, uint64_t segment, struct op *op)
{
  const uint64_t posted = segment + ahead_of(p);
  const uint64_t receives = p->first ? 0 : posted < p->segments ? posted : p->segments;
  return lower_wait(op, (uint32_t)(receives + segment));
}

bool pipeline_step(const struct pipeline *p, uint64_t i, struct op *op)
{
  const uint64_t each = steps_each(p);
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
    return wait_for_receive(p, segment, op);
  if (part == 3 && p->waits_sends)
    return wait_for_send(p, segment, op);
  const uint32_t to = p->to[part - 2];
  return p->posts_sends || p->waits_sends ? lower_isend(op, to, p->tag, bytes_of(p, segment))
                                          : lower_send(op, to, p->tag, bytes_of(p, segment));
}

void pipeline_target(struct pipeline *p, uint64_t rank, uint64_t ranks)
{
  if (rank < ranks)
    p->to[p->targets++] = (uint32_t)rank;
}
