/* Counts of executions that depend on calls through pointers, on callbacks of the library, on
 * atomic built-ins and on addresses in integers. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int bound, calls;

static void set_bound(void)
{
  bound = 4;
}

static int twice(int n)
{
  return 2 * n;
}

static struct {
  void (*set)(void);
} table = {set_bound};

static int compare(const void *a, const void *b)
{
  calls++;
  return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
  int numbers[] = {5, 3, 4, 1, 2}, atomic = 0, rank, rounds = 0;
  int (*volatile f)(int) = twice;
  char text[] = "12x", *end;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  table.set();
  for (int i = 0; i < bound; i++, rounds++)
    MPI_Barrier(MPI_COMM_WORLD);
  const int n = f(3);
  for (int i = 0; i < n; i++, rounds++)
    MPI_Barrier(MPI_COMM_WORLD);
  qsort(numbers, 5, sizeof *numbers, compare);
  for (int i = 0; i < calls; i++, rounds++)
    MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 7; i++)
    __atomic_fetch_add(&atomic, 1, __ATOMIC_SEQ_CST);
  for (int i = 0; i < atomic; i++, rounds++)
    MPI_Barrier(MPI_COMM_WORLD);
  strtol(text, &end, 10);
  *end = '3';
  const int digits = (int)strtol(text, NULL, 10) - 120;
  for (int i = 0; i < digits; i++, rounds++)
    MPI_Barrier(MPI_COMM_WORLD);
  int hidden = 2;
  const intptr_t address = (intptr_t)&hidden;
  *(int *)address += 3;
  for (int i = 0; i < hidden; i++, rounds++)
    MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("indirect %d\n", rounds);
  MPI_Finalize();
  return 0;
}
