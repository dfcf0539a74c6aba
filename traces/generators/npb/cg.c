/* CG: power iterations around a conjugate gradient solver.  The matrix is divided among a grid of
 * ranks with equal numbers of rows and columns, or with two columns per row.  Vectors are divided
 * by columns.  The products of a grid row are summed by recursive halving along the row, then sent
 * to the transposed rank.  NPB 3.4: CG/cg.f (setup_submatrix_info, conj_grad). */

#include <math.h>

#include "traces/generators/npb/npb.h"

enum {
  INNER = 25, /* iterations of conj_grad */
  /* Blocks of an outer iteration. */
  STEP_RHO = 0,
  STEP_INNER = 1, /* three blocks for each inner iteration: the product, p.q, rho */
  STEP_RESIDUAL = STEP_INNER + 3 * INNER,
  STEP_RESIDUAL_NORM,
  STEP_NORMS,
  STEPS
};

struct cg {
  struct generator base;
  int64_t na;     /* rows and columns of the matrix */
  double row_ops; /* multiplications and additions per row of a product, as counted by NPB */
  uint32_t rows, cols, stages; /* of the grid; cols is 2^stages */
};

/* A rank's block of the matrix, in NPB's names. */
struct part {
  uint32_t row, col;
  int64_t nrows, ncols; /* of its block of the matrix; ncols also of its piece of a vector */
  int64_t send_len;
  uint32_t exchange; /* the transposed rank */
};

/* Size of piece @p i of @p n elements cut into @p pieces; the first pieces have one element
 * more. */
static int64_t piece(int64_t n, uint32_t pieces, uint32_t i)
{
  return n / pieces + (i < n % pieces);
}

static struct part part_of(const struct cg *cg, uint32_t rank)
{
  struct part p = {.row = rank / cg->cols, .col = rank % cg->cols};
  p.nrows = piece(cg->na, cg->rows, p.row);
  if (cg->cols == cg->rows) {
    p.ncols = piece(cg->na, cg->cols, p.col);
    p.send_len = p.nrows;
    p.exchange = rank % cg->rows * cg->rows + rank / cg->rows;
    return p;
  }
  const uint32_t odd = rank % 2, half = rank / 2;
  const int64_t pair = piece(cg->na, cg->cols / 2, p.col / 2);
  p.ncols = (pair + 1 - odd) / 2;
  p.send_len = (p.nrows + 1 - odd) / 2;
  p.exchange = 2 * (half % cg->rows * cg->rows + half / cg->rows) + odd;
  return p;
}

/* reduce_exch_proc(stage); stages count from 1. */
static uint32_t partner(const struct cg *cg, const struct part *p, uint32_t stage)
{
  const uint32_t group = cg->cols >> (stage - 1);
  return p->row * cg->cols + p->col / group * group + (p->col + group / 2) % group;
}

static void exchange(struct emit *out, uint32_t with, int32_t tag, const int64_t sent_received[2])
{
  emit_irecv(out, with, tag, sent_received[1], EMIT_DOUBLE);
  emit_send(out, with, tag, sent_received[0], EMIT_DOUBLE);
  emit_wait_recv(out, with, tag);
}

/* Sums @p count numbers along the row of the grid. */
static void sum_row(const struct cg *cg, const struct part *p, int64_t count, struct emit *out)
{
  for (uint32_t i = 1; i <= cg->stages; i++)
    exchange(out, partner(cg, p, i), (int32_t)i, (int64_t[]){count, count});
}

/* Flops of @p passes over a vector, two per element.  Divided by the number of grid rows: each of
 * them makes the pass, but NPB counts it once. */
static double vector_flops(const struct cg *cg, const struct part *p, double passes)
{
  return 2.0 * passes * (double)p->ncols / cg->rows;
}

/* Multiplies the matrix by a vector, sums along the row of the grid and sends to the columns. */
static void product(const struct cg *cg, const struct part *p, struct emit *out)
{
  emit_compute(out, 2.0 * cg->row_ops * (double)p->nrows * ((double)p->ncols / (double)cg->na));
  for (uint32_t i = cg->stages; i >= 1; i--) {
    const bool pairs = cg->cols != cg->rows && i == cg->stages;
    exchange(out, partner(cg, p, i), (int32_t)i,
             (int64_t[]){pairs ? p->nrows - p->send_len : p->send_len, p->send_len});
  }
  if (cg->stages > 0)
    exchange(out, p->exchange, 1, (int64_t[]){p->send_len, p->ncols});
}

/* Passes over vectors and sums one number along the row of the grid. */
static void vector_sum(const struct cg *cg, const struct part *p, double passes, struct emit *out)
{
  emit_compute(out, vector_flops(cg, p, passes));
  sum_row(cg, p, 1, out);
}

static void outer_step(const struct cg *cg, const struct part *p, uint32_t step, struct emit *out)
{
  switch (step) {
  case STEP_RHO:
    vector_sum(cg, p, 1, out);
    break;
  case STEP_RESIDUAL:
    product(cg, p, out);
    break;
  case STEP_RESIDUAL_NORM:
    vector_sum(cg, p, 2, out);
    break;
  case STEP_NORMS:
    emit_compute(out, vector_flops(cg, p, 2));
    sum_row(cg, p, 2, out);
    emit_compute(out, vector_flops(cg, p, 1));
    break;
  default:
    if ((step - STEP_INNER) % 3 == 0)
      product(cg, p, out);
    else if ((step - STEP_INNER) % 3 == 1)
      vector_sum(cg, p, 1, out);
    else {
      vector_sum(cg, p, 3, out);
      emit_compute(out, vector_flops(cg, p, 1));
    }
  }
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct cg *cg = (const struct cg *)g;
  const struct part p = part_of(cg, out->rank);
  switch (at->part) {
  case GENERATOR_HEAD: /* timeron */
    emit_bcast(out, 1, 0, EMIT_LOGICAL);
    break;
  case GENERATOR_MIDDLE:
    emit_barrier(out);
    break;
  case GENERATOR_TAIL: /* the time */
    emit_reduce(out, 1, 0, EMIT_DOUBLE);
    break;
  default:
    outer_step(cg, &p, at->step, out);
  }
}

static enum status init(struct generator *g, const struct npb_job *job, struct err *e)
{
  static const struct {
    int64_t na;
    int nonzer;
  } SIZE[NPB_CLASSES] = {{1400, 7},    {7000, 8},     {14000, 11},   {75000, 13},
                         {150000, 15}, {1500000, 21}, {9000000, 26}, {54000000, 31}};
  struct cg *cg = (struct cg *)g;
  (void)e;
  const uint32_t log = npb_log2(job->ranks);
  const int nonzer = SIZE[job->class].nonzer;
  g->warmup = STEPS;
  g->likeness = GENERATOR_ALIKE_WARM;
  g->middle = 1;
  g->loop = STEPS;
  g->fill = fill;
  cg->na = SIZE[job->class].na;
  cg->row_ops = nonzer * (nonzer + 1.0);
  cg->rows = 1u << (log / 2);
  cg->stages = log - log / 2;
  cg->cols = 1u << cg->stages;
  return OK;
}

/* Bytes that the product reads of the matrix for each element (a value and a column), and of a
 * vector for each gather that misses. */
#define STREAMED 12.0
#define LINE     64.0

/* Bytes of cache in use after @p gathers gathers for each line of a vector that fills @p vector
 * bytes: lines gathered, and elements of the matrix between them. */
static double filled(double vector, double gathers)
{
  return vector * (1 - exp(-gathers)) + STREAMED / LINE * vector * gathers;
}

/* The product gathers elements of a vector at random, while the matrix streams through the cache.
 * Under LRU a line stays for as long as it takes to fill the cache with other lines (H. Che, Y.
 * Tung, Z. Wang, "Hierarchical Web caching systems: modeling, design and experimental results",
 * IEEE JSAC 20(7), 2002): with x gathers for each line in that time, a gather misses with
 * probability exp(-x).  Bisection finds x. */
static double traffic(const struct generator *g, double cache)
{
  const struct cg *cg = (const struct cg *)g;
  const double vector = 8.0 * (double)cg->na / cg->cols;
  double low = 0, high = 64;
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    if (filled(vector, middle) < cache)
      low = middle;
    else
      high = middle;
  }
  return 1 + LINE / STREAMED * exp(-low);
}

const struct npb_benchmark npb_cg = {.name = "cg",
                                     .help = "conjugate gradient, irregular sparse matrix",
                                     .iterations = {15, 15, 15, 75, 75, 100, 100, 100},
                                     .ranks_used = npb_power_of_two,
                                     .bytes = sizeof(struct cg),
                                     .init = init,
                                     .traffic = traffic};
