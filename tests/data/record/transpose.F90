! Transposes a matrix with collectives on rows of a communicator: all forms with MPI_IN_PLACE, counts and without
! blocking.
#include "binding.h"
program transpose_matrix
  USE_MPI
  implicit none
  INCLUDE_MPI
  double precision, allocatable :: a(:), b(:)
  integer, allocatable :: counts(:), at(:)
  integer :: rank, ranks, i, mine, ierr
  COMM_T :: half, twin, third
  REQUEST_T :: r(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierr)
  call MPI_Comm_dup(half, twin, ierr)
  call MPI_Comm_idup(half, third, r(1), ierr)
  call MPI_Wait(r(1), MPI_STATUS_IGNORE, ierr)
  call MPI_Comm_rank(half, mine, ierr)
  call MPI_Comm_size(half, ranks, ierr)
  allocate(a(100 * ranks), b(100 * ranks), counts(ranks), at(ranks))
  a = rank
  counts = [(i, i = 1, ranks)]
  at = [(10 * (i - 1), i = 1, ranks)]
  call MPI_Bcast(a, 100, MPI_DOUBLE_PRECISION, ranks - 1, half, ierr)
  call MPI_Alltoall(a, 20, MPI_DOUBLE_PRECISION, b, 20, MPI_DOUBLE_PRECISION, half, ierr)
  call MPI_Alltoall(MPI_IN_PLACE, 20, MPI_DOUBLE_PRECISION, b, 20, MPI_DOUBLE_PRECISION, twin, ierr)
  call MPI_Allgather(MPI_IN_PLACE, 7, MPI_DOUBLE_PRECISION, b, 7, MPI_DOUBLE_PRECISION, half, ierr)
  call MPI_Allgatherv(a, mine + 1, MPI_DOUBLE_PRECISION, b, counts, at, MPI_DOUBLE_PRECISION, half, ierr)
  call MPI_Gather(a, 5, MPI_DOUBLE_PRECISION, b, 5, MPI_DOUBLE_PRECISION, 0, half, ierr)
  call MPI_Gatherv(a, mine + 1, MPI_DOUBLE_PRECISION, b, counts, at, MPI_DOUBLE_PRECISION, 0, half, ierr)
  call MPI_Scatter(a, 5, MPI_DOUBLE_PRECISION, b, 5, MPI_DOUBLE_PRECISION, 0, half, ierr)
  if (mine == 0) then
    call MPI_Reduce(MPI_IN_PLACE, b, 50, MPI_DOUBLE_PRECISION, MPI_SUM, 0, half, ierr)
  else
    call MPI_Reduce(b, a, 50, MPI_DOUBLE_PRECISION, MPI_SUM, 0, half, ierr)
  end if
  call MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE_PRECISION, MPI_SUM, half, ierr)
  call MPI_Scan(a, b, 3, MPI_DOUBLE_PRECISION, MPI_SUM, half, ierr)
  call MPI_Iallreduce(a, b, 10, MPI_DOUBLE_PRECISION, MPI_MAX, half, r(1), ierr)
  call MPI_Ibarrier(third, r(2), ierr)
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
