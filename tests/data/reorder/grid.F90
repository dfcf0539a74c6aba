! Grids and graphs with exchanged ranks: each rank sends its number to its neighbours and checks what arrives.
! Rank 0 prints the number of wrong ranks, and of ranks that moved.
#include "binding.h"
program grid
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, ranks, own, k, ierr, wrong, moved, got(4), around(4), dims(2), coords(2), sums(2), mine(2)
  integer :: sources(2), destinations(2)
  logical :: periods(2)
  COMM_T :: cart, graph
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  dims = [ranks / 2, 2]
  periods = [.true., .false.]
  wrong = 0
  moved = 0
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., cart, ierr)
  call MPI_Comm_rank(cart, own, ierr)
  if (own /= rank) moved = 1
  call MPI_Cart_coords(cart, own, 2, coords, ierr)
  if (own /= coords(1) * 2 + coords(2)) wrong = 1
  do k = 0, 1
    call MPI_Cart_shift(cart, k, 1, around(2 * k + 1), around(2 * k + 2), ierr)
  end do
  got = MPI_PROC_NULL
  call MPI_Neighbor_allgather(own, 1, MPI_INTEGER, got, 1, MPI_INTEGER, cart, ierr)
  if (any(got /= around)) wrong = 1
  call MPI_Comm_free(cart, ierr)

  sources = [modulo(rank - 1, ranks), modulo(rank - 5, ranks)]
  destinations = [modulo(rank + 1, ranks), modulo(rank + 5, ranks)]
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .true., graph, ierr)
  call MPI_Comm_rank(graph, own, ierr)
  if (own /= rank) moved = 1
  got = -1
  call MPI_Neighbor_allgather(own, 1, MPI_INTEGER, got, 1, MPI_INTEGER, graph, ierr)
  if (got(1) /= modulo(own - 1, ranks) .or. got(2) /= modulo(own - 5, ranks)) wrong = 1
  call MPI_Comm_free(graph, ierr)
  mine = [wrong, moved]
  call MPI_Reduce(mine, sums, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(i0, a, i0, a)', sums(1), ' wrong, ', sums(2), ' moved'
  call MPI_Finalize(ierr)
end program
