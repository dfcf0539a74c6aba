! A master, who answers workers in the order of their numbers, so that each run has the same trace: persistent requests,
! tests, probes and receives from any source with any tag.
#include "binding.h"
program workers
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer, parameter :: rounds = 6
  integer :: rank, ranks, i, w, n, task, text(100), ierr
  logical :: done
  REQUEST_T :: request, standing
  STATUS_T(status)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  text = rank
  if (rank == 0) then
    do i = 1, rounds
      do w = 1, ranks - 1
        task = i * w
        call MPI_Send(task, 1, MPI_INTEGER, w, 1, MPI_COMM_WORLD, ierr)
      end do
      do w = 1, ranks - 1
        call MPI_Probe(w, 2, MPI_COMM_WORLD, status, ierr)
        call MPI_Get_count(status, MPI_INTEGER, n, ierr)
        call MPI_Recv(text, n, MPI_INTEGER, SOURCE_OF(status), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end do
      do w = 1, ranks - 1
        call MPI_Recv(text, 100, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
      end do
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
  else
    call MPI_Recv_init(task, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, standing, ierr)
    do i = 1, rounds
      call MPI_Start(standing, ierr)
      done = .false.
      do while (.not. done)
        call MPI_Test(standing, done, MPI_STATUS_IGNORE, ierr)
      end do
      call MPI_Isend(text, 10 * rank, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Ssend(text, rank, MPI_INTEGER, 0, 100 + rank, MPI_COMM_WORLD, ierr)
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    end do
    call MPI_Request_free(standing, ierr)
  end if
  call MPI_Finalize(ierr)
end program
