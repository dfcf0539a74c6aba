/* A Jacobi iteration with 19 points on a grid in three dimensions, after the Himeno benchmark: the
 * pressure of an incompressible fluid.  Written for haichi.
 *
 * usage: himeno [ITERATIONS [NX NY NZ]], the points of the whole grid in each dimension
 *
 * With -DMODEL the sweep is not computed: SMPI simulates its number of flops, so that simulated
 * times do not depend on the machine that simulates. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MODEL
#include <smpi/smpi.h>
#endif

enum { DIMENSIONS = 3, SIDES = 2 * DIMENSIONS, OPERATIONS = 34 };

#define OMEGA 0.8f

struct grid {
  MPI_Comm comm;
  int rank, size[DIMENSIONS]; /* points of this rank, plus a layer of neighbours' points per side */
  int offset[DIMENSIONS];     /* of the first own point in the whole grid */
  int neighbour[SIDES];       /* below and above in each dimension */
  MPI_Datatype face[DIMENSIONS];
  float *pressure, *work, *source, *bound;
  float *a[4], *b[3], *c[3];
};

static size_t at(const struct grid *g, int i, int j, int k)
{
  return ((size_t)i * (size_t)g->size[1] + (size_t)j) * (size_t)g->size[2] + (size_t)k;
}

static float *field(const struct grid *g, float value)
{
  const size_t n = (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
  float *x = malloc(n * sizeof *x);
  if (x == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = 0; i < n; i++)
    x[i] = value;
  return x;
}

/* Splits the points of the whole grid over the ranks. */
static void decompose(struct grid *g, const int points[DIMENSIONS])
{
  int ranks, parts[DIMENSIONS] = {0, 0, 0}, periodic[DIMENSIONS] = {0, 0, 0}, me[DIMENSIONS];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, DIMENSIONS, parts);
  MPI_Cart_create(MPI_COMM_WORLD, DIMENSIONS, parts, periodic, 1, &g->comm);
  MPI_Comm_rank(g->comm, &g->rank);
  MPI_Cart_coords(g->comm, g->rank, DIMENSIONS, me);
  for (int d = 0; d < DIMENSIONS; d++) {
    const int first = points[d] * me[d] / parts[d], end = points[d] * (me[d] + 1) / parts[d];
    g->offset[d] = first;
    g->size[d] = end - first + 2;
    MPI_Cart_shift(g->comm, d, 1, &g->neighbour[2 * d], &g->neighbour[2 * d + 1]);
  }
}

/* The layers of points that neighbours exchange. */
static void make_faces(struct grid *g)
{
  const int nx = g->size[0], ny = g->size[1], nz = g->size[2];
  MPI_Type_vector(ny, nz, nz, MPI_FLOAT, &g->face[0]);
  MPI_Type_vector(nx, nz, ny * nz, MPI_FLOAT, &g->face[1]);
  MPI_Type_vector(nx * ny, 1, nz, MPI_FLOAT, &g->face[2]);
  for (int d = 0; d < DIMENSIONS; d++)
    MPI_Type_commit(&g->face[d]);
}

static void initialise(struct grid *g, const int points[DIMENSIONS])
{
  g->pressure = field(g, 0);
  g->work = field(g, 0);
  g->source = field(g, 0);
  g->bound = field(g, 1);
  for (int m = 0; m < 4; m++)
    g->a[m] = field(g, m < 3 ? 1.0f : 1.0f / 6.0f);
  for (int m = 0; m < 3; m++) {
    g->b[m] = field(g, 0);
    g->c[m] = field(g, 1);
  }
  for (int i = 0; i < g->size[0]; i++) {
    const float x = (float)(g->offset[0] + i) / (float)points[0];
    for (int j = 0; j < g->size[1]; j++)
      for (int k = 0; k < g->size[2]; k++)
        g->pressure[at(g, i, j, k)] = x * x;
  }
}

/* Exchanges the outer layers with all neighbours. */
static void exchange(struct grid *g)
{
  MPI_Request request[2 * SIDES];
  int n = 0;
  for (int d = 0; d < DIMENSIONS; d++) {
    const int step[DIMENSIONS] = {d == 0, d == 1, d == 2};
    const int last = g->size[d] - 1;
    float *p = g->pressure;
    const size_t stride = at(g, step[0], step[1], step[2]);
    MPI_Irecv(p, 1, g->face[d], g->neighbour[2 * d], d, g->comm, &request[n++]);
    MPI_Irecv(p + stride * (size_t)last, 1, g->face[d], g->neighbour[2 * d + 1], d, g->comm,
              &request[n++]);
    MPI_Isend(p + stride, 1, g->face[d], g->neighbour[2 * d], d, g->comm, &request[n++]);
    MPI_Isend(p + stride * (size_t)(last - 1), 1, g->face[d], g->neighbour[2 * d + 1], d, g->comm,
              &request[n++]);
  }
  MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

#ifndef MODEL
/* The new value of a point minus the old value, before relaxation. */
static float residual(const struct grid *g, size_t x)
{
  const size_t nz = (size_t)g->size[2], ny = nz * (size_t)g->size[1];
  const float *p = g->pressure;
  const float sum =
      g->a[0][x] * p[x + ny] + g->a[1][x] * p[x + nz] + g->a[2][x] * p[x + 1] +
      g->b[0][x] * (p[x + ny + nz] - p[x + ny - nz] - p[x - ny + nz] + p[x - ny - nz]) +
      g->b[1][x] * (p[x + nz + 1] - p[x - nz + 1] - p[x + nz - 1] + p[x - nz - 1]) +
      g->b[2][x] * (p[x + ny + 1] - p[x - ny + 1] - p[x + ny - 1] + p[x - ny - 1]) +
      g->c[0][x] * p[x - ny] + g->c[1][x] * p[x - nz] + g->c[2][x] * p[x - 1] + g->source[x];
  return (sum * g->a[3][x] - p[x]) * g->bound[x];
}
#endif

/* One sweep over the inner points.  Returns the sum of the squares of the residuals. */
static float sweep(struct grid *g)
{
  float squares = 0;
#ifdef MODEL
  smpi_execute_flops((double)OPERATIONS * (g->size[0] - 2) * (g->size[1] - 2) * (g->size[2] - 2));
#else
  for (int i = 1; i < g->size[0] - 1; i++)
    for (int j = 1; j < g->size[1] - 1; j++)
      for (int k = 1; k < g->size[2] - 1; k++) {
        const size_t x = at(g, i, j, k);
        const float r = residual(g, x);
        squares += r * r;
        g->work[x] = g->pressure[x] + OMEGA * r;
      }
  for (int i = 1; i < g->size[0] - 1; i++)
    for (int j = 1; j < g->size[1] - 1; j++)
      for (int k = 1; k < g->size[2] - 1; k++)
        g->pressure[at(g, i, j, k)] = g->work[at(g, i, j, k)];
#endif
  return squares;
}

static float jacobi(struct grid *g, int iterations)
{
  float all = 0;
  for (int n = 0; n < iterations; n++) {
    const float mine = sweep(g);
    exchange(g);
    MPI_Allreduce(&mine, &all, 1, MPI_FLOAT, MPI_SUM, g->comm);
  }
  return all;
}

static void release(struct grid *g)
{
  free(g->pressure);
  free(g->work);
  free(g->source);
  free(g->bound);
  for (int m = 0; m < 4; m++)
    free(g->a[m]);
  for (int m = 0; m < 3; m++) {
    free(g->b[m]);
    free(g->c[m]);
  }
  for (int d = 0; d < DIMENSIONS; d++)
    MPI_Type_free(&g->face[d]);
  MPI_Comm_free(&g->comm);
}

int main(int argc, char **argv)
{
  struct grid g;
  int points[DIMENSIONS] = {64, 32, 32};
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
  for (int d = 0; d < DIMENSIONS && d + 2 < argc; d++)
    points[d] = (int)strtol(argv[d + 2], NULL, 10);
  decompose(&g, points);
  make_faces(&g);
  initialise(&g, points);
  const float squares = jacobi(&g, iterations);
  if (g.rank == 0)
    printf("%d iterations, residual %.6e\n", iterations, squares);
  release(&g);
  MPI_Finalize();
  return 0;
}
