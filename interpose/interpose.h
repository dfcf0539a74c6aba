/** @file interpose.h
 *  For libraries that are preloaded into MPI programs: record/ and reorder/.  Each defines MPI_X
 *  and PMPI_X of the calls that it replaces.  Programs in C call MPI_X.  The Fortran bindings of
 *  Open MPI and MPICH (mpif.h, use mpi, use mpi_f08) call MPI_X or PMPI_X, after they have
 *  translated handles and constants.
 */
#pragma once

#define INTERPOSE_PUBLIC __attribute__((visibility("default")))

/** Defines MPI_NAME, and PMPI_NAME as its alias. */
#define MPI(NAME, ...)                                                                             \
  INTERPOSE_PUBLIC int PMPI_##NAME(__VA_ARGS__) __attribute__((alias("MPI_" #NAME)));              \
  INTERPOSE_PUBLIC int MPI_##NAME(__VA_ARGS__)

/** Drops the libraries whose names begin with @p library from LD_PRELOAD: programs that the program
 *  starts run without them. */
void interpose_forget(const char *library);
