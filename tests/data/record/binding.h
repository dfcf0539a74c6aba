! The binding of Fortran: BINDING is 1 (mpif.h), 2 (use mpi) or 3 (use mpi_f08).
#if BINDING == 3
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define COMM_T type(MPI_Comm)
#define REQUEST_T type(MPI_Request)
#define TYPE_T type(MPI_Datatype)
#define STATUS_T(name) type(MPI_Status) :: name
#define SOURCE_OF(status) status%MPI_SOURCE
#elif BINDING == 2
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#if BINDING != 3
#define COMM_T integer
#define REQUEST_T integer
#define TYPE_T integer
#define STATUS_T(name) integer :: name(MPI_STATUS_SIZE)
#define SOURCE_OF(status) status(MPI_SOURCE)
#endif
