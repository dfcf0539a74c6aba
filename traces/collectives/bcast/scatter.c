#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/ring.h"
#include "traces/collectives/shapes/tree.h"

uint64_t lower_bcast_parts(const struct lowering *l, uint64_t first, uint64_t n)
{
  const uint64_t part = (l->send_bytes + l->ranks - 1) / l->ranks, from = first * part;
  if (from >= l->send_bytes)
    return 0;
  return l->send_bytes - from < n * part ? l->send_bytes - from : n * part;
}

/* --- scatter ---------------------------------------------------------------------------------- */

/* Empty parts are not sent. */
static bool scatter_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t rel = tree_relative(l), bit = tree_own_bit(l), mask = bit >> i;
  if (i == 0)
    return rel != 0 && lower_bcast_parts(l, rel, bit) > 0 &&
           lower_recv(op, tree_absolute(l, rel - bit), LOWER_TAG_BCAST,
                      lower_bcast_parts(l, rel, bit));
  return mask != 0 && rel + mask < l->ranks && lower_bcast_parts(l, rel + mask, mask) > 0 &&
         lower_send(op, tree_absolute(l, rel + mask), LOWER_TAG_BCAST,
                    lower_bcast_parts(l, rel + mask, mask));
}

const struct lower_algorithm lower_bcast_scatter = {.steps = tree_steps, .step = scatter_step};

/* --- a ring ----------------------------------------------------------------------------------- */

static uint64_t part_bytes(const struct lowering *l, uint32_t part, uint64_t phase)
{
  (void)phase;
  return lower_bcast_parts(l, part, 1);
}

/* Parts are counted from the root, and may be empty. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct ring r = {.tag = LOWER_TAG_BCAST, .first = l->root, .bytes = part_bytes};
  return ring_step(l, &r, i, op);
}

static const struct lower_algorithm ring = {.steps = ring_steps, .step = step};

const struct lower_algorithm lower_bcast_scatter_lr_allgather = {
    .row = {"scatter_LR_allgather",
            "a part to each rank by a binomial tree, then all parts around a ring",
            "bcast/bcast-scatter-LR-allgather.cpp"},
    .pieces = LOWER_PIECES(&lower_bcast_scatter, &ring)};
