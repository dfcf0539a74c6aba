/* MPI in the headers of loops and in conditions; comma expressions; a while that tests. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  int rank, ranks, n, value, got = 0, total = 0, steps = 0;
  MPI_Request request;
  for (MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank); steps < 1; steps++)
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (n = 0, value = rank; n < 6; MPI_Barrier(MPI_COMM_WORLD), n++)
    total += value * n;
  if (MPI_Allreduce(&total, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS)
    return 1;
  n = 3;
  while (MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD), n > 0)
    n--;
  value = (rank + 1) % ranks;
  MPI_Isend(&total, 1, MPI_INT, value, 0, MPI_COMM_WORLD, &request);
  if (MPI_Recv(&value, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE))
    return 2;
  else if (MPI_Wait(&request, MPI_STATUS_IGNORE))
    return 3;
  else if (value < 0)
    MPI_Barrier(MPI_COMM_WORLD);
  switch (MPI_Reduce(&value, &got, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD)) {
  case MPI_SUCCESS:
    total = got;
  }
  if (rank == 0)
    printf("headers %d %d %d\n", total, got, n);
  MPI_Finalize();
  return 0;
}
