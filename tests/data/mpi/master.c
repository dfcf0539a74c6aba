/* A master hands out tasks whose number and end the workers learn from messages; switch, any tag,
 * goto. */
#include <mpi.h>
#include <stdio.h>

enum { TASK = 1, STOP = 2, TASKS = 30 };

static double work(int task)
{
  double s = 0;
  for (int i = 1; i < 200; i++)
    s += 1.0 / (i + task);
  return s;
}

static double master(int ranks)
{
  double total = 0, result;
  int sent = 0, busy = 0, received = 0, r;
  MPI_Status status;
  for (r = 1; r < ranks && sent < TASKS; r++, busy++, sent++)
    MPI_Send(&sent, 1, MPI_INT, r, TASK, MPI_COMM_WORLD);
again:
  if (busy == 0)
    goto done;
  MPI_Recv(&result, 1, MPI_DOUBLE, 1 + received++ % (ranks - 1), MPI_ANY_TAG, MPI_COMM_WORLD,
           &status);
  total += result;
  if (sent < TASKS) {
    MPI_Send(&sent, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
    sent++;
  } else {
    busy--;
  }
  goto again;
done:
  for (r = 1; r < ranks; r++)
    MPI_Send(&sent, 1, MPI_INT, r, STOP, MPI_COMM_WORLD);
  return total;
}

static void worker(void)
{
  int task, more = 1;
  double result;
  MPI_Status status;
  while (more) {
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    switch (status.MPI_TAG) {
    case TASK:
      result = work(task);
      MPI_Send(&result, 1, MPI_DOUBLE, 0, TASK, MPI_COMM_WORLD);
      break;
    case STOP:
    default:
      more = 0;
    }
  }
}

int main(int argc, char **argv)
{
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank != 0)
    worker();
  else
    printf("master %.6f\n", master(ranks));
  MPI_Finalize();
  return 0;
}
