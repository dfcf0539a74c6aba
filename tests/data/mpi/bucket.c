/* Bucket sort: counts decide the sizes of an all-to-all exchange. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { EACH = 200 };

static int by_value(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  int rank, ranks, *key, *send_count, *receive_count, *send_at, *receive_at, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  key = malloc(EACH * sizeof *key);
  send_count = calloc((size_t)ranks * 4, sizeof *send_count);
  receive_count = send_count + ranks, send_at = receive_count + ranks, receive_at = send_at + ranks;
  srand(rank + 1);
  for (int i = 0; i < EACH; i++)
    key[i] = rand() % 1000;
  qsort(key, EACH, sizeof *key, by_value);
  for (int i = 0; i < EACH; i++)
    send_count[key[i] * ranks / 1000]++;
  MPI_Alltoall(send_count, 1, MPI_INT, receive_count, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 1; r < ranks; r++) {
    send_at[r] = send_at[r - 1] + send_count[r - 1];
    receive_at[r] = receive_at[r - 1] + receive_count[r - 1];
  }
  for (int r = 0; r < ranks; r++)
    total += receive_count[r];
  int *mine = malloc((size_t)total * sizeof *mine + 1);
  MPI_Alltoallv(key, send_count, send_at, MPI_INT, mine, receive_count, receive_at, MPI_INT,
                MPI_COMM_WORLD);
  qsort(mine, (size_t)total, sizeof *mine, by_value);
  long sum = 0, all;
  for (int i = 0; i < total; i++)
    sum += (long)mine[i] * (i + 1);
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("bucket %ld %d\n", all, total);
  free(mine);
  free(key);
  free(send_count);
  MPI_Finalize();
  return 0;
}
