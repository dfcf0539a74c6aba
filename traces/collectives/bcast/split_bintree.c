/* SimGrid 3.32: src/smpi/colls/bcast/bcast-ompi-split-bintree.cpp.  Half of the message goes down
 * the left subtree of the root (ranks at odd distances), the other half down the right subtree;
 * then pairs of ranks exchange their halves. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/pipeline.h"
#include "traces/collectives/shapes/segments.h"
#include "traces/collectives/shapes/tree.h"

struct half {
  uint64_t count;    /* elements */
  uint64_t segments; /* number of segments */
  uint64_t unit;     /* elements of a segment */
};

static uint64_t segment_size(const struct lowering *l)
{
  const uint64_t size = l->send_bytes < 370728 ? 1024 : 8192;
  return size < l->send_size ? l->send_size : size;
}

static struct half half_of(const struct lowering *l, uint32_t side)
{
  struct half h = {.unit = l->send_size == 0 ? 1 : segment_size(l) / l->send_size};
  h.count = side == 0 ? (l->count + 1) / 2 : l->count / 2;
  h.segments = segments_number(h.count, h.unit);
  return h;
}

static uint64_t bytes_of(const struct lowering *l, const struct half *h, uint64_t segment)
{
  return segments_at(h->count, h->unit, segment) * l->send_size;
}

/* Ranks at odd distances from the root get the left half. */
static uint32_t side_of(uint64_t rel)
{
  return rel % 2 == 1 ? 0 : 1;
}

/* --- the root --------------------------------------------------------------------------------- */

static uint64_t root_steps(const struct lowering *l)
{
  return 2 * half_of(l, 0).segments;
}

static bool root_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t side = (uint32_t)(i % 2);
  const struct half h = half_of(l, side);
  return side + 1 < l->ranks && i / 2 < h.segments &&
         lower_send(op, tree_absolute(l, side + 1), LOWER_TAG_BCAST, bytes_of(l, &h, i / 2));
}

/* --- other ranks ------------------------------------------------------------------------------ */

/* Parent of relative rank @p rel, not 0.  Its level has @p width ranks, from width - 1 on. */
static uint64_t parent_of(uint64_t rel, uint64_t width)
{
  const uint64_t near = rel - width / 2;
  return near < width - 1 ? near : rel - width;
}

static struct pipeline down(const struct lowering *l)
{
  const uint64_t rel = tree_relative(l), width = lower_power_below((uint32_t)rel + 1);
  const struct half h = half_of(l, side_of(rel));
  struct pipeline p = {.tag = LOWER_TAG_BCAST, .segments = h.segments};
  p.from = tree_absolute(l, parent_of(rel, width));
  for (uint64_t child = rel + width; child <= rel + 2 * width; child += width)
    if (child < l->ranks)
      p.to[p.targets++] = tree_absolute(l, child);
  p.ahead = p.targets == 0 ? 1 : 2;
  p.bytes = bytes_of(l, &h, 0);
  p.last_bytes = bytes_of(l, &h, h.segments - 1);
  return p;
}

static uint64_t down_steps(const struct lowering *l)
{
  if (l->rank == l->root)
    return root_steps(l);
  const struct pipeline p = down(l);
  return pipeline_steps(&p);
}

static bool down_step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (l->rank == l->root)
    return root_step(l, i, op);
  const struct pipeline p = down(l);
  return pipeline_step(&p, i, op);
}

/* --- pairs ------------------------------------------------------------------------------------ */

static uint64_t pair_steps(const struct lowering *l)
{
  (void)l;
  return LOWER_EXCHANGE_STEPS;
}

/* If the number of ranks is even, the last rank has no partner and receives the right half from the
 * root. */
static bool pair_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), last = (uint64_t)l->ranks - 1;
  const uint32_t side = side_of(rel);
  const uint64_t bytes[] = {half_of(l, 0).count * l->send_size, half_of(l, 1).count * l->send_size};
  struct lower_exchange x = {.self = l->rank, .tag = LOWER_TAG_BCAST};
  if (rel == 0)
    return i == 0 && last % 2 == 1 &&
           lower_send(op, tree_absolute(l, last), LOWER_TAG_BCAST, bytes[1]);
  if (rel == last && last % 2 == 1)
    return i == 0 && lower_recv(op, l->root, LOWER_TAG_BCAST, bytes[1]);
  x.dst = x.src = tree_absolute(l, side == 0 ? rel + 1 : rel - 1);
  x.send_bytes = bytes[side];
  x.recv_bytes = bytes[1 - side];
  return lower_exchange(&x, i, op);
}

static const struct lower_algorithm halves = {.steps = down_steps, .step = down_step};
static const struct lower_algorithm pairs = {.steps = pair_steps, .step = pair_step};

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  const struct half right = half_of(l, 1);
  (void)sub;
  if (l->ranks == 1)
    return NULL;
  if (right.count == 0 || right.count * l->send_size < segment_size(l))
    return k == 0 ? &lower_bcast_smp_linear : NULL;
  if (k == 0)
    return &halves;
  return k == 1 ? &pairs : NULL;
}

const struct lower_algorithm lower_bcast_ompi_split_bintree = {
    .row = {"ompi_split_bintree",
            "halves down two binary trees in segments, then pairs exchange halves",
            "bcast/bcast-ompi-split-bintree.cpp"},
    .piece = piece};
