/* SP: scalar pentadiagonal systems along the three axes.  NPB 3.4: SP/sp.f, x_solve.f, y_solve.f,
 * z_solve.f. */
#include "traces/generators/npb/adi.h"

enum { TAG = 0 /* DEFAULT_TAG */ };

/* Number of values sent for each point of the cell's face, upwards and downwards. */
enum { VALUES_UP = 22, VALUES_DOWN = 10 };

/* Operations per point, counted in SP's code: setting up the system of a cell (lhsx), its
 * elimination, its back substitution, and the transformation of its solution (ninvr, pinvr,
 * tzetar). */
enum { RHS = 470 /* with txinvr */, SYSTEM = 25, ELIMINATE = 60, SUBSTITUTE = 20, TRANSFORM = 20 };
enum { UPDATE = 5 };

static const uint32_t POINTS[NPB_CLASSES] = {12, 36, 64, 102, 162, 408, 1020, 2560};

/* Number of points of the cell's face that are not on the surface of the cube. */
static int64_t face(const struct npb_adi *adi, const struct npb_stage *at)
{
  return multipartition_inner(&adi->cells, &at->cell, (at->axis + 1) % MULTIPARTITION_AXES) *
         multipartition_inner(&adi->cells, &at->cell, (at->axis + 2) % MULTIPARTITION_AXES);
}

/* While the message is in flight, a rank sets up the system of its cell (upwards) or transforms the
 * solution of its previous cell (downwards). */
static void stage(const struct npb_adi *adi, const struct npb_stage *at, struct emit *out)
{
  const bool up = at->way > 0;
  const int64_t count = face(adi, at) * (up ? VALUES_UP : VALUES_DOWN);
  if (!at->first)
    emit_irecv(out, at->from, TAG, count, EMIT_DOUBLE);
  if (up)
    npb_adi_compute(adi, out, &at->cell, SYSTEM);
  else if (!at->first) {
    const struct multipartition_cell before = npb_adi_before(adi, at, out->rank);
    npb_adi_compute(adi, out, &before, TRANSFORM);
  }
  if (!at->first)
    emit_waitall(out, 2); /* this message, and the previous send */
  npb_adi_compute(adi, out, &at->cell, up ? ELIMINATE : SUBSTITUTE);
  if (!at->last)
    emit_isend(out, at->to, TAG, count, EMIT_DOUBLE);
  else if (!up)
    npb_adi_compute(adi, out, &at->cell, TRANSFORM);
}

/* niter; dt; grid_points; timeron. */
static void input(struct emit *out)
{
  emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_DOUBLE);
  emit_bcast(out, 3, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_LOGICAL);
}

static const struct npb_adi_code CODE = {.input = input,
                                         .stage = stage,
                                         .flops = {881.174, -4683.91, 11484.5, -19272.4},
                                         .rhs = RHS,
                                         .axis = SYSTEM + ELIMINATE + SUBSTITUTE + TRANSFORM,
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

const struct npb_benchmark npb_sp = {.name = "sp",
                                     .help = "pentadiagonal solver, six neighbours",
                                     .iterations = {100, 400, 400, 400, 400, 500, 500, 500},
                                     .ranks_used = ranks_used,
                                     .bytes = sizeof(struct npb_adi),
                                     .init = init};
