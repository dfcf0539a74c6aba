/* usage: poll: rank 0 computes, rank 1 polls for its message; then a second thread of rank 1
 * computes before its first call of MPI.  Each computation takes 0.3 s of CPU time. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static double cpu_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(void)
{
  const double begin = cpu_s();
  while (cpu_s() - begin < 0.3)
    continue;
}

static void *work(void *unused)
{
  char x = 0;
  compute();
  MPI_Send(&x, 1, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
  return unused;
}

int main(int argc, char **argv)
{
  int level, rank, found = 0;
  char x = 0;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    compute();
    MPI_Send(&x, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    while (!found)
      MPI_Iprobe(0, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
  MPI_Finalize();
  return 0;
}
