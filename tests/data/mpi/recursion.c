/* A reduction by halves in a function that calls itself; calls in the arguments of calls. */
#include <mpi.h>
#include <stdio.h>

static int halve(int value, int rank, int low, int count)
{
  if (count == 1)
    return value;
  const int left = (count + 1) / 2, other = low + left;
  value = rank < other ? halve(value, rank, low, left) : halve(value, rank, other, count - left);
  if (rank == other)
    MPI_Send(&value, 1, MPI_INT, low, count, MPI_COMM_WORLD);
  if (rank == low) {
    int more;
    MPI_Recv(&more, 1, MPI_INT, other, count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value += more;
  }
  return value;
}

static int share(int value)
{
  int out = value;
  MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return out;
}

static int twice(int value)
{
  return 2 * value;
}

/* clang-format off */
static int add(int a, int b)
{
  MPI_Barrier(MPI_COMM_WORLD);
  return(a + b);
}
/* clang-format on */

int main(int argc, char **argv)
{
  int rank, ranks, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 5; i++)
    sum = add(sum, twice(share(halve(twice(rank + i), rank, 0, ranks))));
  if (rank == 0)
    printf("recursion %d\n", sum);
  MPI_Finalize();
  return 0;
}
