/* A pipeline: blocks of items pass through the ranks; else-if chains, K&R definitions, requests
 * that may be null. */
#include <mpi.h>
#include <stdio.h>

#define ITEMS  64
#define STAGES 9

static double stage(rank, x)
int rank;
double x;
{
  return x * (1.0 + 1.0 / (rank + 2)) + rank;
}

int main(argc, argv)
int argc;
char **argv;
{
  int rank, ranks, i, batch;
  double item[ITEMS], sum = 0;
  MPI_Request receive = MPI_REQUEST_NULL, send = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (batch = 0; batch < STAGES; batch++) {
    if (rank == 0)
      for (i = 0; i < ITEMS; i++)
        item[i] = i + batch;
    else if (send == MPI_REQUEST_NULL) {
      MPI_Irecv(item, ITEMS, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &receive);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
    for (i = 0; i < ITEMS; i++)
      item[i] = stage(rank, item[i]);
    if (rank + 1 < ranks) {
      MPI_Isend(item, ITEMS, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &send);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
    } else
      for (i = 0; i < ITEMS; i++)
        sum += item[i];
  }
  if (rank + 1 == ranks)
    printf("pipeline %.6f\n", sum);
  MPI_Finalize();
  return 0;
}
