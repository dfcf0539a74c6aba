/* Conditionals of the preprocessor through statements, braceless bodies, dangling else, labels in
 * switches, nested switches, empty statements. */
/* clang-format off */
#include <mpi.h>
#include <stdio.h>
#ifndef ROUNDS
#define ROUNDS 7
#endif
#define SEND(to) MPI_Send(&x, 1, MPI_INT, (to), 0, MPI_COMM_WORLD)
#define RECEIVE(from)                                                                              \
  MPI_Recv(&x, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                            \
  y += x

int main(int argc, char **argv)
{
  int rank, ranks, x, y = 0, z = 0, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 0; i < ROUNDS; i++) {
    x = i;
    if (ranks > 1)
      if (rank % 2 == 0)
        if (rank + 1 < ranks) SEND(rank + 1); else ;
      else { RECEIVE(rank - 1); }
    else
      y++;
#ifdef NEVER
    if (y > 100) {
      MPI_Barrier(MPI_COMM_WORLD);
#else
    if (y > 1) {
#endif
      z += y;
    }
    switch (i % 3) {
    case 0:
      MPI_Barrier(MPI_COMM_WORLD);
      /* falls through */
    case 1: z++; break;
    default:
      switch (rank) { case 0: z += 2; break; default: z += 3; }
      if (i == 5) { MPI_Bcast(&z, 1, MPI_INT, 0, MPI_COMM_WORLD); break; }
      z--;
    }
  }
  MPI_Reduce(&z, &y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (!rank) printf("branches %d\n", y);
  MPI_Finalize(); return 0;
}
