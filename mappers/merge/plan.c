#include "mappers/merge/plan.h"

#include <assert.h>

/* Number of halvings until every part of a side is one host. */
static uint32_t levels(uint32_t side)
{
  uint32_t n = 0;
  while (((uint64_t)1 << n) < side)
    n++;
  return n;
}

static void add_iteration(struct merge_plan *p, uint32_t axis, uint32_t round)
{
  p->axis[p->iterations] = (uint8_t)axis;
  p->round[p->iterations++] = (uint8_t)round;
}

void merge_plan_init(struct merge_plan *p, const struct topology *t)
{
  *p = (struct merge_plan){.hosts = topology_hosts(t), .torus = grid_kind(t) == GRID_TORUS};
  const uint32_t *side = grid_sides(t, &p->ndims);
  uint32_t most = 0;
  for (uint32_t d = 0; d < p->ndims; d++) {
    p->side[d] = side[d];
    most = levels(side[d]) > most ? levels(side[d]) : most;
  }
  for (uint32_t round = 0; round < most; round++)
    for (uint32_t d = 0; d < p->ndims; d++)
      if (levels(side[d]) > round)
        add_iteration(p, d, grid_kind(t) == GRID_HYPERCUBE ? d / 2 : round);
  assert(p->iterations <= MERGE_PLAN_MAX_ITERATIONS);
}

static uint32_t merges_before(const struct merge_plan *p, uint32_t i, uint32_t d)
{
  uint32_t n = 0;
  for (uint32_t k = 0; k < i; k++)
    n += p->axis[k] == d;
  return n;
}

uint32_t merge_plan_halvings(const struct merge_plan *p, uint32_t i, uint32_t d)
{
  return levels(p->side[d]) - merges_before(p, i, d);
}

uint32_t merge_plan_round_start(const struct merge_plan *p, uint32_t round)
{
  uint32_t i = 0;
  while (i < p->iterations && p->round[i] < round)
    i++;
  return i;
}

/* The number of parts, of the 2^halvings parts of a side, that are one host longer than the
 * others. */
static uint32_t longer_parts(uint32_t side, uint32_t halvings)
{
  return side & (((uint32_t)1 << halvings) - 1);
}

/* The number of parts of a side that have the length of @p bit.  Parts of length 0 do not count. */
static uint32_t parts(uint32_t side, uint32_t halvings, uint32_t bit)
{
  const uint32_t longer = longer_parts(side, halvings);
  if (bit == 1)
    return longer;
  return side >> halvings == 0 ? 0 : ((uint32_t)1 << halvings) - longer;
}

/* Sets step->quota.  A hypercube may have more axes than a shape has bits, but the parts of its
 * sides have equal lengths, so that MERGE_PLAN_MAX_SHAPES suffices. */
static void set_quotas(const struct merge_plan *p, uint32_t i, struct merge_step *step)
{
  for (uint32_t shape = 0; shape < MERGE_PLAN_MAX_SHAPES; shape++) {
    uint32_t n = shape >> p->ndims == 0;
    for (uint32_t d = 0; d < p->ndims; d++)
      n *= parts(p->side[d], merge_plan_halvings(p, i + 1, d), shape >> d & 1);
    step->quota[shape] = n;
  }
}

void merge_plan_step(const struct merge_plan *p, uint32_t i, struct merge_step *step)
{
  step->ndims = p->ndims;
  step->axis = p->axis[i];
  for (uint32_t d = 0; d < p->ndims; d++)
    step->low[d] = p->side[d] >> merge_plan_halvings(p, i, d);
  step->low_after = p->side[step->axis] >> merge_plan_halvings(p, i + 1, step->axis);
  set_quotas(p, i, step);
}

uint32_t merge_plan_single(const struct merge_plan *p)
{
  uint32_t shape = 0;
  for (uint32_t d = 0; d < p->ndims; d++)
    if (p->side[d] >> levels(p->side[d]) == 0)
      shape |= (uint32_t)1 << d;
  return shape;
}

uint32_t merge_plan_length(const struct merge_step *step, uint32_t shape, uint32_t d)
{
  return step->low[d] + (shape >> d & 1);
}

bool merge_plan_fits(const struct merge_step *step, uint32_t a, uint32_t b, uint32_t *merged)
{
  const uint32_t axis = (uint32_t)1 << step->axis;
  const uint32_t length =
      merge_plan_length(step, a, step->axis) + merge_plan_length(step, b, step->axis);
  if (((a ^ b) & ~axis) != 0 || length < step->low_after || length > step->low_after + 1)
    return false;
  *merged = (a & ~axis) | (length - step->low_after) << step->axis;
  return true;
}

bool merge_plan_carries(const struct merge_step *step)
{
  return step->low[step->axis] == 0;
}
