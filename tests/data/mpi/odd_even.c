/* Odd-even sort of one value on each rank: partners change with the phase; a count from the command
 * line, which is broadcast; nonblocking messages, completed by MPI_Waitany. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void exchange(int rank, int partner, int *value)
{
  int other;
  MPI_Request r[2];
  MPI_Irecv(&other, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &r[1]);
  int which, left = 2;
  while (left-- > 0)
    MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
  if ((rank < partner) == (other < *value))
    *value = other;
}

int main(int argc, char **argv)
{
  int rank, ranks, phases = 0, value, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  value = (rank * 37 + 11) % 101;
  if (rank == 0)
    phases = argc > 1 ? (int)strtol(argv[1], NULL, 10) : ranks;
  MPI_Bcast(&phases, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int p = 0; p < phases; ++p) {
    int partner = (p + rank) % 2 == 0 ? rank + 1 : rank - 1;
    if (partner < 0 || partner >= ranks)
      continue;
    exchange(rank, partner, &value);
  }
  value *= rank + 1;
  MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("odd_even %d\n", sum);
  MPI_Finalize();
  return 0;
}
