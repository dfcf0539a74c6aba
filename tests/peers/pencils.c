/* usage: pencils ROWS COLUMNS POINTS ITERATIONS, under smpirun.
 * The MPI calls of NPB FT on a grid of ranks, with POINTS of 16 bytes per rank and real
 * communicators, without computations.  Traces do not contain the time of MPI_Comm_split, so all
 * ranks start at START, after it.  Each rank prints the seconds from START to its end. */
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>

#define START 1.0 /* s; all communicators exist by then */

struct grid {
  int rows, columns, points;
  MPI_Comm row, column;
  double *from, *to;
};

static void transpose(const struct grid *g, int along_row)
{
  const int count = 2 * (g->points / (along_row ? g->columns : g->rows));
  MPI_Alltoall(g->from, count, MPI_DOUBLE, g->to, count, MPI_DOUBLE,
               along_row ? g->row : g->column);
}

static void run(const struct grid *g, int iterations)
{
  int word = 0;
  double mine[2] = {0, 0}, sum[2];
  for (int i = 0; i < 5; i++)
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++) {
    if (i > 0)
      MPI_Barrier(MPI_COMM_WORLD);
    transpose(g, 0);
    transpose(g, 1);
  }
  for (int i = 0; i < iterations; i++) {
    transpose(g, 1);
    transpose(g, 0);
    MPI_Reduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv)
{
  struct grid g;
  int rank;
  MPI_Init(&argc, &argv);
  if (argc != 5)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  g.rows = (int)strtol(argv[1], NULL, 10);
  g.columns = (int)strtol(argv[2], NULL, 10);
  g.points = (int)strtol(argv[3], NULL, 10);
  MPI_Comm_split(MPI_COMM_WORLD, rank / g.columns, rank % g.columns, &g.row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % g.columns, rank / g.columns, &g.column);
  g.from = calloc((size_t)g.points, 2 * sizeof(double));
  g.to = calloc((size_t)g.points, 2 * sizeof(double));
  if (g.from == NULL || g.to == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  sg_actor_sleep_for(START - simgrid_get_clock());
  run(&g, (int)strtol(argv[4], NULL, 10));
  printf("%.12g\n", simgrid_get_clock() - START);
  free(g.from);
  free(g.to);
  MPI_Finalize();
  return 0;
}
