#ifndef RING_H
#define RING_H
#include <mpi.h>

static inline int ring_rank(void)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static inline void ring_shift(int *value)
{
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rank = ring_rank();
  MPI_Sendrecv_replace(value, 1, MPI_INT, (rank + 1) % ranks, 0, (rank + ranks - 1) % ranks, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#endif
