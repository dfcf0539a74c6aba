! A halo exchange on a Cartesian grid of 3x2 ranks, which is not periodic: rows, columns as a vector type, an
! exchange of corners with MPI_Sendrecv, and a neighbourhood collective.
#include "binding.h"
program stencil
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer, parameter :: n = 10
  double precision :: a(0:n + 1, 0:n + 1), sums(2), sides(4), around(4)
  integer :: rank, ranks, step, west, east, south, north, ierr
  integer :: dims(2)
  logical :: periods(2)
  COMM_T :: grid
  TYPE_T :: row
  REQUEST_T :: r(8)
  STATUS_T(status)
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  dims = [ranks / 2, 2]
  periods = .false.
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierr)
  call MPI_Comm_rank(grid, rank, ierr)
  call MPI_Cart_shift(grid, 0, 1, west, east, ierr)
  call MPI_Cart_shift(grid, 1, 1, south, north, ierr)
  call MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE_PRECISION, row, ierr)
  call MPI_Type_commit(row, ierr)
  a = rank
  do step = 1, 5
    call MPI_Irecv(a(1, 0), n, MPI_DOUBLE_PRECISION, west, 1, grid, r(1), ierr)
    call MPI_Irecv(a(1, n + 1), n, MPI_DOUBLE_PRECISION, east, 2, grid, r(2), ierr)
    call MPI_Irecv(a(0, 1), 1, row, south, 3, grid, r(3), ierr)
    call MPI_Irecv(a(n + 1, 1), 1, row, north, 4, grid, r(4), ierr)
    call MPI_Isend(a(1, n), n, MPI_DOUBLE_PRECISION, east, 1, grid, r(5), ierr)
    call MPI_Isend(a(1, 1), n, MPI_DOUBLE_PRECISION, west, 2, grid, r(6), ierr)
    call MPI_Isend(a(n, 1), 1, row, north, 3, grid, r(7), ierr)
    call MPI_Isend(a(1, 1), 1, row, south, 4, grid, r(8), ierr)
    call MPI_Waitall(8, r, MPI_STATUSES_IGNORE, ierr)
    a(1:n, 1:n) = 0.25d0 * (a(0:n - 1, 1:n) + a(2:n + 1, 1:n) + a(1:n, 0:n - 1) + a(1:n, 2:n + 1))
    call MPI_Sendrecv(a(1, 1), 1, MPI_DOUBLE_PRECISION, east, 7, a(0, 0), 1, MPI_DOUBLE_PRECISION, west, 7, grid, &
                      status, ierr)
    sides = a(1, 1)
    call MPI_Neighbor_alltoall(sides, 1, MPI_DOUBLE_PRECISION, around, 1, MPI_DOUBLE_PRECISION, grid, ierr)
    sums = a(1, 1)
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, grid, ierr)
  end do
  call MPI_Type_free(row, ierr)
  call MPI_Comm_free(grid, ierr)
  call MPI_Finalize(ierr)
end program
