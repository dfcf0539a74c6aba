/* Conjugate gradients for the five-point Laplacian on a square, whose rows are split over the
 * ranks. Written for haichi.
 *
 * usage: cg [ITERATIONS [N]], N points a side
 *
 * With -DMODEL the vector operations are not computed: SMPI simulates their numbers of flops. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MODEL
#include <smpi/smpi.h>
#endif

struct problem {
  int rank, ranks, side, rows; /* rows: of this rank */
};

/* Rows 1 to p->rows belong to this rank.  Rows 0 and p->rows + 1 are copies of neighbours' rows. */
static double *vector(const struct problem *p)
{
  double *x = calloc((size_t)(p->rows + 2) * (size_t)p->side, sizeof *x);
  if (x == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return x;
}

static void fetch_rows(const struct problem *p, double *x)
{
  const int below = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL;
  const int above = p->rank + 1 < p->ranks ? p->rank + 1 : MPI_PROC_NULL;
  const size_t n = (size_t)p->side, rows = (size_t)p->rows;
  MPI_Sendrecv(x + n, p->side, MPI_DOUBLE, below, 0, x + (rows + 1) * n, p->side, MPI_DOUBLE, above,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(x + rows * n, p->side, MPI_DOUBLE, above, 1, x, p->side, MPI_DOUBLE, below, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void multiply(const struct problem *p, double *x, double *y)
{
  fetch_rows(p, x);
#ifdef MODEL
  (void)y;
  smpi_execute_flops(6.0 * p->rows * p->side);
#else
  const size_t n = (size_t)p->side;
  for (size_t i = 1; i <= (size_t)p->rows; i++)
    for (size_t j = 0; j < n; j++) {
      const double left = j > 0 ? x[i * n + j - 1] : 0;
      const double right = j + 1 < n ? x[i * n + j + 1] : 0;
      y[i * n + j] = 4 * x[i * n + j] - left - right - x[(i - 1) * n + j] - x[(i + 1) * n + j];
    }
#endif
}

static double dot(const struct problem *p, const double *x, const double *y)
{
  double mine = 0, all;
#ifdef MODEL
  (void)x;
  (void)y;
  smpi_execute_flops(2.0 * p->rows * p->side);
  mine = 1;
#else
  for (size_t i = (size_t)p->side; i < (size_t)(p->rows + 1) * (size_t)p->side; i++)
    mine += x[i] * y[i];
#endif
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* y = x + factor * y if `scale`, else y += factor * x. */
static void add(const struct problem *p, double *y, const double *x, double factor, int scale)
{
#ifdef MODEL
  (void)y;
  (void)x;
  (void)factor;
  (void)scale;
  smpi_execute_flops(2.0 * p->rows * p->side);
#else
  for (size_t i = (size_t)p->side; i < (size_t)(p->rows + 1) * (size_t)p->side; i++)
    y[i] = scale ? x[i] + factor * y[i] : y[i] + factor * x[i];
#endif
}

static double solve(const struct problem *p, int iterations)
{
  double *x = vector(p), *r = vector(p), *d = vector(p), *q = vector(p);
  for (size_t i = (size_t)p->side; i < (size_t)(p->rows + 1) * (size_t)p->side; i++)
    r[i] = d[i] = 1;
  double squares = dot(p, r, r);
  for (int n = 0; n < iterations; n++) {
    multiply(p, d, q);
    const double alpha = squares / dot(p, d, q);
    add(p, x, d, alpha, 0);
    add(p, r, q, -alpha, 0);
    const double before = squares;
    squares = dot(p, r, r);
    add(p, d, r, squares / before, 1);
  }
  free(x);
  free(r);
  free(d);
  free(q);
  return squares;
}

int main(int argc, char **argv)
{
  struct problem p;
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
  p.side = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 256;
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
  p.rows = p.side * (p.rank + 1) / p.ranks - p.side * p.rank / p.ranks;
  const double squares = solve(&p, iterations);
  if (p.rank == 0)
    printf("%d iterations, residual %.6e\n", iterations, squares);
  MPI_Finalize();
  return 0;
}
