/* BT: block-tridiagonal systems along the three axes, 5x5 blocks.  NPB 3.4: BT/bt.f, x_solve.f,
 * y_solve.f, z_solve.f. */
#include "traces/generators/npb/adi.h"

enum { BLOCK = 5 };

/* Operations per point, counted in BT's code: ELIMINATE upwards, SUBSTITUTE downwards. */
enum { RHS = 440, ELIMINATE = 960, SUBSTITUTE = 50, UPDATE = 5 };

static const uint32_t POINTS[NPB_CLASSES] = {12, 24, 64, 102, 162, 408, 1020, 2560};

/* NPB's tags, to which the cell's number in its slice is added. */
static const int32_t TAG_SOLVE[MULTIPARTITION_AXES] = {3000, 5000, 6000};   /* WEST SOUTH BOTTOM */
static const int32_t TAG_BACKSUB[MULTIPARTITION_AXES] = {2000, 4000, 7000}; /* EAST NORTH TOP */

static int32_t tag_of(const struct npb_adi *adi, const struct npb_stage *at,
                      const struct multipartition_cell *c)
{
  const uint32_t minor = c->at[at->axis == 0 ? 1 : 0], major = c->at[at->axis == 2 ? 1 : 2];
  const int32_t base = (at->way > 0 ? TAG_SOLVE : TAG_BACKSUB)[at->axis];
  return base + (int32_t)(minor + major * adi->cells.side);
}

/* Values of a message; its size is always for the largest cell.  For each point a block and five
 * unknowns (upwards), or the unknowns (downwards). */
static int64_t message_size(const struct npb_adi *adi, int way)
{
  const int64_t side = adi->cells.size + 1;
  return side * side * (way > 0 ? BLOCK * BLOCK + BLOCK : BLOCK);
}

static void stage(const struct npb_adi *adi, const struct npb_stage *at, struct emit *out)
{
  const int32_t tag = tag_of(adi, at, &at->cell);
  const int64_t count = message_size(adi, at->way);
  if (!at->first) {
    const struct multipartition_cell before = npb_adi_before(adi, at, out->rank);
    emit_irecv(out, at->from, tag, count, EMIT_DOUBLE);
    emit_wait_send(out, at->to, tag_of(adi, at, &before));
    emit_wait_recv(out, at->from, tag);
  }
  npb_adi_compute(adi, out, &at->cell, at->way > 0 ? ELIMINATE : SUBSTITUTE);
  if (!at->last)
    emit_isend(out, at->to, tag, count, EMIT_DOUBLE);
}

/* niter; dt; grid_points; wr_interval; rd_interval; timeron. */
static void input(struct emit *out)
{
  emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_DOUBLE);
  emit_bcast(out, 3, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_LOGICAL);
}

static const struct npb_adi_code CODE = {.input = input,
                                         .stage = stage,
                                         .flops = {3478.8, -17655.7, 28023.7, 0},
                                         .rhs = RHS,
                                         .axis = ELIMINATE + SUBSTITUTE,
                                         .update = UPDATE};

static uint32_t ranks_used(enum npb_class class, uint32_t ranks)
{
  return npb_adi_ranks_used(POINTS[class], ranks);
}

static enum status init(struct generator *g, const struct npb_job *job, struct err *e)
{
  (void)e;
  npb_adi_init(g, job, POINTS[job->class], &CODE);
  return OK;
}

const struct npb_benchmark npb_bt = {.name = "bt",
                                     .help = "block-tridiagonal solver, six neighbours",
                                     .iterations = {60, 200, 200, 200, 200, 250, 250, 250},
                                     .ranks_used = ranks_used,
                                     .bytes = sizeof(struct npb_adi),
                                     .init = init};
