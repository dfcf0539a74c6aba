! A grid, a graph and two distributed graphs with exchanged ranks: each rank sends its number to its neighbours and checks
! what arrives.  Rank 0 prints the number of wrong ranks, how many ranks each of the four calls has moved, and how many have
! another number in MPI_COMM_WORLD than the launcher gave them.
#include "binding.h"
program grid
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, ranks, own, k, ierr, wrong, around(4), dims(2), coords(2), sums(6), mine(6), weights(2)
  integer :: sources(2), destinations(2), node(1), degree(1)
  integer, allocatable :: index(:), edges(:)
  character(len=16) :: text
  logical :: periods(2)
  COMM_T :: made
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  dims = [ranks / 2, 2]
  periods = [.true., .false.]
  wrong = 0
  mine = 0
  call get_environment_variable('OMPI_COMM_WORLD_RANK', text)
  if (text == '') call get_environment_variable('PMI_RANK', text)
  read (text, *) k
  if (k /= rank) mine(6) = 1

  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., made, ierr)
  call look(2)
  call MPI_Cart_coords(made, own, 2, coords, ierr)
  if (own /= coords(1) * 2 + coords(2)) wrong = 1
  do k = 0, 1
    call MPI_Cart_shift(made, k, 1, around(2 * k + 1), around(2 * k + 2), ierr)
  end do
  call gather(4, .true.)

  ! Rank r and the ranks before and after it.
  allocate(index(ranks), edges(2 * ranks))
  do k = 0, ranks - 1
    index(k + 1) = 2 * (k + 1)
    edges(2 * k + 1:2 * k + 2) = [modulo(k - 1, ranks), modulo(k + 1, ranks)]
  end do
  call MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, .true., made, ierr)
  call look(3)
  around(1:2) = [modulo(own - 1, ranks), modulo(own + 1, ranks)]
  call gather(2, .true.)

  node = rank
  degree = 2
  weights = [3, 1]
  destinations = [modulo(rank + 1, ranks), modulo(rank + 5, ranks)]
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, node, degree, destinations, weights, MPI_INFO_NULL, .true., made, ierr)
  call look(4)
  around(1:2) = [modulo(own - 1, ranks), modulo(own - 5, ranks)]
  call gather(2, .false.)

  sources = [modulo(rank - 1, ranks), modulo(rank - 5, ranks)]
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, destinations, weights, MPI_INFO_NULL, &
                                      .true., made, ierr)
  call look(5)
  around(1:2) = [modulo(own - 1, ranks), modulo(own - 5, ranks)]
  call gather(2, .true.)

  mine(1) = wrong
  call MPI_Reduce(mine, sums, 6, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(i0, a, 4(1x, i0), a, i0)', sums(1), ' wrong, moved:', sums(2:5), ', in the world: ', sums(6)
  call MPI_Finalize(ierr)
contains
  ! Sets the number of this rank in the new communicator.
  subroutine look(call_number)
    integer, intent(in) :: call_number
    call MPI_Comm_rank(made, own, ierr)
    if (own /= rank) mine(call_number) = 1
  end subroutine

  ! The numbers of `around` must arrive, in this order if it is fixed.
  subroutine gather(n, ordered)
    integer, intent(in) :: n
    logical, intent(in) :: ordered
    integer :: got(4)
    got = MPI_PROC_NULL
    call MPI_Neighbor_allgather(own, 1, MPI_INTEGER, got, 1, MPI_INTEGER, made, ierr)
    if (.not. ordered .and. got(1) /= around(1)) got(1:2) = got(2:1:-1)
    if (any(got(1:n) /= around(1:n))) wrong = 1
    call MPI_Comm_free(made, ierr)
  end subroutine
end program
