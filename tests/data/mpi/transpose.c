/* Transposes a matrix by blocks, repeatedly; VLAs, and a ternary with calls of MPI. */
#include <mpi.h>
#include <stdio.h>

static double sum(int n, double m[n][n])
{
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += m[i][j] * (i + 2 * j + 1);
  return s;
}

int main(int argc, char **argv)
{
  int rank, ranks, odd = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = ranks * 3;
  double mine[3][n], packed[ranks][9], got[ranks][9], whole[n][n];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++)
      mine[i][j] = (rank * 3 + i) * n + j;
  for (int round = 0; round < 5; round++) {
    for (int r = 0; r < ranks; r++)
      for (int k = 0; k < 9; k++)
        packed[r][k] = mine[k % 3][r * 3 + k / 3];
    (round % 2 == 0)
        ? MPI_Alltoall(packed, 9, MPI_DOUBLE, got, 9, MPI_DOUBLE, MPI_COMM_WORLD)
        : (odd++, MPI_Alltoall(packed, 9, MPI_DOUBLE, got, 9, MPI_DOUBLE, MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++)
      for (int k = 0; k < 9; k++)
        mine[k / 3][r * 3 + k % 3] = got[r][k] + round;
  }
  MPI_Gather(mine, 3 * n, MPI_DOUBLE, whole, 3 * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("transpose %.3f %d\n", sum(n, whole), odd);
  return MPI_Finalize();
}
