/* FT: a Fourier transform in three dimensions, forward in the warm-up and once more,
 * backward in each iteration.  The ranks
 * form a grid.  If there are no more ranks than planes (Z), the grid has one row, and one transpose
 * among all ranks makes Z local.  If there are more, each rank has pencils along X. They are
 * transposed to Y among the ranks of a grid column, then to Z among the ranks of a grid row.  NPB
 * 3.4: FT/ft.f. */
#include <math.h>

#include "traces/generators/npb/npb.h"

enum { X, Y, Z, AXES };

/* log2 of the points along each axis. */
static const uint8_t SIZE_LOG[NPB_CLASSES][AXES] = {
    {6, 6, 6}, {7, 7, 5}, {8, 8, 7}, {9, 8, 8}, {9, 9, 9}, {11, 10, 10}, {12, 11, 11}, {13, 12, 12},
};

struct ft {
  struct generator base;
  uint32_t rows, columns; /* of the grid (NPB's np1 and np2); with one row, ranks have slabs */
  int64_t points;         /* of a rank */
  uint32_t log[AXES];
  double set_up, evolve; /* flops of a rank */
  double forth, back;    /* flops of a rank's transforms along all three axes */
};

/* Transforms along one axis; @p flops is for all three axes. */
static void transform(const struct ft *ft, int axis, double flops, struct emit *out)
{
  emit_compute(out, flops * ft->log[axis] / (ft->log[X] + ft->log[Y] + ft->log[Z]));
}

/* Id, from 1, of the communicator of the rank's grid row, or grid column. */
static uint32_t row_comm(const struct ft *ft, uint32_t rank)
{
  return 1 + rank / ft->columns;
}

static uint32_t column_comm(const struct ft *ft, uint32_t rank)
{
  return 1 + ft->rows + rank % ft->columns;
}

/* From Y to Z or back, among the ranks of a grid row. */
static void transpose_z(const struct ft *ft, struct emit *out)
{
  if (ft->base.ranks == 1)
    return;
  if (ft->rows > 1)
    emit_on(out, row_comm(ft, out->rank));
  emit_alltoall(out, ft->points / ft->columns, EMIT_DCOMPLEX);
}

/* From X to Y or back, among the ranks of a grid column.  Nothing for slabs: both axes are
 * local. */
static void transpose_y(const struct ft *ft, struct emit *out)
{
  if (ft->rows == 1)
    return;
  emit_on(out, column_comm(ft, out->rank));
  emit_alltoall(out, ft->points / ft->rows, EMIT_DCOMPLEX);
}

static void forth(const struct ft *ft, struct emit *out)
{
  emit_compute(out, ft->set_up);
  transform(ft, X, ft->forth, out);
  transpose_y(ft, out);
  transform(ft, Y, ft->forth, out);
  transpose_z(ft, out);
  transform(ft, Z, ft->forth, out);
}

static void back(const struct ft *ft, struct emit *out)
{
  emit_compute(out, ft->evolve);
  transform(ft, Z, ft->back, out);
  transpose_z(ft, out);
  transform(ft, Y, ft->back, out);
  transpose_y(ft, out);
  transform(ft, X, ft->back, out);
}

/* np1, np2, layout_type, niter; timers_enabled. */
static void input(struct emit *out)
{
  for (int i = 0; i < 4; i++)
    emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_LOGICAL);
}

static void set_up(const struct ft *ft, struct emit *out)
{
  const uint32_t row = out->rank / ft->columns, column = out->rank % ft->columns;
  input(out);
  if (ft->rows == 1)
    return;
  emit_comm(out, row_comm(ft, out->rank),
            &(struct comm_run){(int64_t)row * ft->columns, 1, ft->columns, 0});
  emit_comm(out, column_comm(ft, out->rank), &(struct comm_run){column, ft->columns, ft->rows, 0});
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct ft *ft = (const struct ft *)g;
  switch (at->part) {
  case GENERATOR_HEAD:
    set_up(ft, out);
    break;
  case GENERATOR_MIDDLE:
    emit_barrier(out);
    forth(ft, out);
    break;
  case GENERATOR_LOOP:
    back(ft, out);
    emit_reduce(out, 1, 0, EMIT_DCOMPLEX); /* checksum */
    break;
  case GENERATOR_WARMUP:
    forth(ft, out);
    break;
  default: /* rank 0 verifies alone */
    break;
  }
}

static uint32_t log_of_rows(enum npb_class class, uint32_t log_ranks)
{
  return log_ranks > SIZE_LOG[class][Z] ? SIZE_LOG[class][Z] : 0;
}

/* A power of two; 0 if a row of the grid has more ranks than Y or Z has points, or if a message has
 * more elements than an MPI count can hold. */
static uint32_t ranks_used(enum npb_class class, uint32_t ranks)
{
  const uint8_t *size = SIZE_LOG[class];
  const uint32_t log = npb_log2(ranks), columns = log - log_of_rows(class, log);
  const uint32_t points = (uint32_t)size[X] + size[Y] + size[Z] - log;
  if (columns > size[Y] || columns > size[Z] || points - columns > 30)
    return 0;
  return 1u << log;
}

static enum status init(struct generator *g, const struct npb_job *job, struct err *e)
{
  struct ft *ft = (struct ft *)g;
  (void)e;
  const uint32_t log_ranks = npb_log2(job->ranks), rows = log_of_rows(job->class, log_ranks);
  uint32_t points = 0;
  for (int a = 0; a < AXES; a++)
    points += ft->log[a] = SIZE_LOG[job->class][a];
  ft->rows = 1u << rows;
  ft->columns = 1u << (log_ranks - rows);
  ft->points = (int64_t)1 << (points - log_ranks);
  /* Operations as counted by NPB: of the set-up and the first transform, and of each iteration. */
  const double ln = points * log(2.0), n = (double)ft->points;
  ft->set_up = 14.8157 * n;
  ft->evolve = 5.23518 * n;
  ft->forth = 7.19641 * ln * n;
  ft->back = 7.21113 * ln * n;
  g->warmup = 1;
  g->middle = 1;
  g->fill = fill;
  return OK;
}

const struct npb_benchmark npb_ft = {.name = "ft",
                                     .help = "Fourier transform in 3-D, transposes by all-to-all",
                                     .iterations = {6, 6, 6, 20, 20, 25, 25, 25},
                                     .ranks_used = ranks_used,
                                     .bytes = sizeof(struct ft),
                                     .init = init};
