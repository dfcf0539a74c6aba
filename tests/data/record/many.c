/* usage: many MESSAGES [KILLED]: small messages from rank 0 to rank 1, more lines than a window of
 * the recorder holds. The first receive is cancelled at the end.  Rank 1 is killed before it
 * receives message KILLED, and rank 0 by the launcher. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAGS = 1000 };

int main(int argc, char **argv)
{
  const long messages = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  const long killed = argc > 2 ? strtol(argv[2], NULL, 10) : -1;
  int rank;
  char byte = 0, none = 0;
  MPI_Request cancelled;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&none, 1, MPI_CHAR, 1 - rank, TAGS, MPI_COMM_WORLD, &cancelled);
  for (long i = 0; i < messages; i++) {
    if (i == killed && rank == 1)
      raise(SIGKILL);
    if (i == killed)
      pause();
    if (rank == 0)
      MPI_Send(&byte, 1, MPI_CHAR, 1, (int)(i % TAGS), MPI_COMM_WORLD);
    else
      MPI_Recv(&byte, 1, MPI_CHAR, 0, (int)(i % TAGS), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Cancel(&cancelled);
  MPI_Wait(&cancelled, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
