/* Gathers of unequal sizes, scans, splits of the communicator and a table in static memory. */
#include <mpi.h>
#include <stdio.h>

static int table[64], sizes[64], places[64];

int main(int argc, char **argv)
{
  int rank, ranks, part, parts, sum = 0, before, i, turn;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &part);
  MPI_Comm_size(half, &parts);
  for (i = 0; i < ranks; i++) {
    sizes[i] = i % 3;
    places[i] = i == 0 ? 0 : places[i - 1] + sizes[i - 1];
  }
  for (turn = 0; turn < 6; turn++) {
    int mine[3] = {rank + turn, rank * 2, turn};
    MPI_Allgatherv(mine, sizes[rank], MPI_INT, table, sizes, places, MPI_INT, MPI_COMM_WORLD);
    for (i = 0; i < places[ranks - 1] + sizes[ranks - 1]; i++)
      sum += table[i] * (i + 1);
    if (parts > 1 && turn < part + 2) {
      MPI_Scan(&sum, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
      sum = before % 1000003;
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, half);
  }
  MPI_Comm_free(&half);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &sum, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("windows %d\n", sum);
  MPI_Finalize();
  return 0;
}
