/* Stencil in two dimensions: a Cartesian communicator, columns as a derived type, macros that
 * check, bodies without braces. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    int status_ = (call);                                                                          \
    if (status_ != MPI_SUCCESS) {                                                                  \
      fprintf(stderr, "failed in line %d\n", __LINE__);                                            \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
    }                                                                                              \
  } while (0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define N         16
#define AT(i, j)  grid[(i) * (N + 2) + (j)]

int main(int argc, char **argv)
{
  static double grid[(N + 2) * (N + 2)], next[(N + 2) * (N + 2)];
  int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], up, down, left, right, rank, ranks;
  double worst = 0, all = 0;
  MPI_Comm cart;
  MPI_Datatype column;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  CHECK(MPI_Dims_create(ranks, 2, dims));
  CHECK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart));
  CHECK(MPI_Comm_rank(cart, &rank));
  CHECK(MPI_Cart_coords(cart, rank, 2, coords));
  CHECK(MPI_Cart_shift(cart, 0, 1, &up, &down));
  CHECK(MPI_Cart_shift(cart, 1, 1, &left, &right));
  MPI_Type_vector(N, 1, N + 2, MPI_DOUBLE, &column), MPI_Type_commit(&column);
  for (int i = 0; i < N + 2; i++)
    for (int j = 0; j < N + 2; j++)
      AT(i, j) = (coords[0] * N + i) % 7 + (coords[1] * N + j) % 5;
  for (int step = 0; step < 12; step++) {
    MPI_Status status;
    CHECK(MPI_Sendrecv(&AT(1, 1), N, MPI_DOUBLE, up, 1, &AT(N + 1, 1), N, MPI_DOUBLE, down, 1, cart,
                       &status));
    CHECK(MPI_Sendrecv(&AT(N, 1), N, MPI_DOUBLE, down, 2, &AT(0, 1), N, MPI_DOUBLE, up, 2, cart,
                       &status));
    CHECK(MPI_Sendrecv(&AT(1, 1), 1, column, left, 3, &AT(1, N + 1), 1, column, right, 3, cart,
                       &status));
    CHECK(
        MPI_Sendrecv(&AT(1, N), 1, column, right, 4, &AT(1, 0), 1, column, left, 4, cart, &status));
    worst = 0;
    for (int i = 1; i <= N; i++)
      for (int j = 1; j <= N; j++) {
        const double value = (AT(i - 1, j) + AT(i + 1, j) + AT(i, j - 1) + AT(i, j + 1)) / 4;
        const double off = value > AT(i, j) ? value - AT(i, j) : AT(i, j) - value;
        worst = MAX(worst, off);
        next[i * (N + 2) + j] = value;
      }
    for (int i = 1; i <= N; i++)
      memcpy(&AT(i, 1), &next[i * (N + 2) + 1], N * sizeof *next);
    if (step % 4 == 3)
      CHECK(MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, cart));
    else if (step % 4 == 1)
      MPI_Barrier(cart);
  }
  if (rank == 0)
    printf("stencil %.9f\n", all);
  MPI_Type_free(&column);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
