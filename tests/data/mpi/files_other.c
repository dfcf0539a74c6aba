#include <mpi.h>

#include "library/ring.h"

extern int ring_turns;

static void step(int *value)
{
  MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

void files_other(int *value)
{
  ring_turns += 2;
  for (int i = 0; i < ring_turns; i++) {
    step(value);
    *value += ring_rank();
  }
  ring_shift(value);
}
