/* Ranks that mpirun binds to packages in turn: even ranks to the processing units 0 to 3, odd ranks
 * to 4 to 7, which this machine need not have.  Creates a periodic grid of one axis with
 * reordering.  Rank 0 prints the number of neighbours in another package. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

static int rank;

/* The library asks this function, because the program is linked with -rdynamic. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
  (void)pid;
  CPU_ZERO_S(size, set);
  for (size_t i = 0; i < 4; i++)
    CPU_SET_S(4 * (size_t)(rank % 2) + i, size, set);
  return 0;
}

int main(int argc, char **argv)
{
  int n, before, after, other, apart, all;
  const int periodic = 1;
  MPI_Comm ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 1, &ring);
  MPI_Cart_shift(ring, 0, 1, &before, &after);
  MPI_Sendrecv(&rank, 1, MPI_INT, after, 0, &other, 1, MPI_INT, before, 0, ring, MPI_STATUS_IGNORE);
  apart = other % 2 != rank % 2;
  MPI_Reduce(&apart, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d neighbours are in another package\n", all);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
