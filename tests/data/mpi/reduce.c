/* Iterates until a reduced residual is small: communication decides when the loop ends.  The
 * loop is a do with a call of MPI in its condition. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

static int agree(double mine, double *all, MPI_Comm comm)
{
  return MPI_Allreduce(&mine, all, 1, MPI_DOUBLE, MPI_MAX, comm);
}

int main(int argc, char **argv)
{
  int rank, rounds = 0;
  double x = 1, worst, heavy = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  x += rank;
  do {
    const double before = x;
    x = (x + 2 / x) / 2;
    for (int i = 0; i < 1000; i++)
      heavy += sin(i) * x;
    rounds++;
    worst = fabs(x - before);
  } while (agree(worst, &worst, MPI_COMM_WORLD) == MPI_SUCCESS && worst > 1e-9);
  MPI_Allreduce(MPI_IN_PLACE, &heavy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("reduce %d %.9f %.6f\n", rounds, x, heavy);
  MPI_Finalize();
  return 0;
}
