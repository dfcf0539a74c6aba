#include "traces/generators/npb/adi.h"

enum { CELL_MIN = 3 /* NPB fails for smaller cells */ };

struct multipartition_cell npb_adi_before(const struct npb_adi *adi, const struct npb_stage *at,
                                          uint32_t rank)
{
  const uint32_t slice = at->way > 0 ? at->slice - 1 : at->slice + 1;
  return multipartition_cell(&adi->cells, rank, at->axis, slice);
}

void npb_adi_compute(const struct npb_adi *adi, struct emit *out,
                     const struct multipartition_cell *c, double operations)
{
  emit_compute(out, adi->operation * operations * multipartition_cell_share(&adi->cells, c));
}

static void compute_all_cells(const struct npb_adi *adi, struct emit *out, double operations)
{
  const double share = multipartition_rank_share(&adi->cells, out->rank);
  emit_compute(out, adi->operation * operations * share);
}

/* copy_faces, including compute_rhs. */
static void right_hand_side(const struct npb_adi *adi, struct emit *out)
{
  multipartition_halo(&adi->cells, out);
  compute_all_cells(adi, out, adi->code->rhs);
}

/* Stage @p step of an axis: p slices upwards, then p downwards. */
static void sweep(const struct npb_adi *adi, int axis, uint32_t step, struct emit *out)
{
  const uint32_t p = adi->cells.side;
  struct npb_stage at = {.axis = axis, .way = step < p ? +1 : -1};
  const uint32_t stage = step % p;
  at.slice = at.way > 0 ? stage : p - 1 - stage;
  at.cell = multipartition_cell(&adi->cells, out->rank, axis, at.slice);
  at.from = multipartition_neighbour(&adi->cells, out->rank, axis, -at.way);
  at.to = multipartition_neighbour(&adi->cells, out->rank, axis, at.way);
  at.first = stage == 0;
  at.last = stage + 1 == p;
  adi->code->stage(adi, &at, out);
}

static uint32_t iteration_steps(const struct npb_adi *adi)
{
  return 2 + MULTIPARTITION_AXES * 2 * adi->cells.side;
}

static void iterate(const struct npb_adi *adi, uint32_t step, struct emit *out)
{
  const uint32_t stages = 2 * adi->cells.side;
  if (step == 0)
    right_hand_side(adi, out);
  else if (step + 1 == iteration_steps(adi))
    compute_all_cells(adi, out, adi->code->update);
  else
    sweep(adi, (int)((step - 1) / stages), (step - 1) % stages, out);
}

/* NPB's error_norm and rhs_norm, then the maximum time of all ranks. */
static void verify(const struct npb_adi *adi, struct emit *out)
{
  emit_allreduce(out, 5, EMIT_DOUBLE);
  right_hand_side(adi, out);
  emit_allreduce(out, 5, EMIT_DOUBLE);
  emit_reduce(out, 1, 0, EMIT_DOUBLE);
  emit_barrier(out);
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct npb_adi *adi = (const struct npb_adi *)g;
  switch (at->part) {
  case GENERATOR_HEAD:
    adi->code->input(out);
    break;
  case GENERATOR_MIDDLE:
    emit_barrier(out);
    break;
  case GENERATOR_TAIL:
    verify(adi, out);
    break;
  default:
    iterate(adi, at->step, out);
  }
}

uint32_t npb_adi_ranks_used(uint32_t points, uint32_t ranks)
{
  uint32_t side = 1;
  while ((uint64_t)(side + 1) * (side + 1) <= ranks)
    side++;
  return points / side < CELL_MIN ? 0 : side * side;
}

void npb_adi_init(struct generator *g, const struct npb_job *job, uint32_t points,
                  const struct npb_adi_code *code)
{
  struct npb_adi *adi = (struct npb_adi *)g;
  const double n = points;
  const double flops =
      ((code->flops[0] * n + code->flops[1]) * n + code->flops[2]) * n + code->flops[3];
  adi->code = code;
  adi->cells = multipartition_of(points, job->ranks);
  adi->operation = flops / (code->rhs + MULTIPARTITION_AXES * code->axis + code->update);
  g->warmup = iteration_steps(adi);
  g->likeness = GENERATOR_ALIKE_WARM;
  g->middle = 1;
  g->loop = iteration_steps(adi);
  g->fill = fill;
}
