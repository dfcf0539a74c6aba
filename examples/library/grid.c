/* Creates a grid of all ranks, which haichi places.  Prints the sides of the grid and the number of
 * ranks that moved.
 *
 * usage: mpirun ... grid */
#include <haichi/mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  int ranks, rank, moved, before, all, side[2] = {0, 0}, periodic[2] = {1, 1};
  struct haichi_error why;
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &before);
  MPI_Dims_create(ranks, 2, side);
  if (haichi_mpi_cart_create(MPI_COMM_WORLD, 2, side, periodic, &grid, &why) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(grid, &rank);
  moved = rank != before;
  MPI_Reduce(&moved, &all, 1, MPI_INT, MPI_SUM, 0, grid);
  if (rank == 0)
    printf("grid of %dx%d: %d ranks moved%s%s\n", side[0], side[1], all,
           why.text[0] == '\0' ? "" : ": ", why.text);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
