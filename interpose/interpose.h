/** @file interpose.h
 *  For libraries that are loaded into MPI programs: record/ and reorder/.  Each defines MPI_X and
 *  PMPI_X of the calls that it replaces, for one MPI library.  choose.c is preloaded, and passes
 *  the calls of the program on to them.  Programs in C call MPI_X.  The Fortran bindings of Open
 *  MPI and MPICH (mpif.h, use mpi, use mpi_f08) call MPI_X or PMPI_X, after they have translated
 *  handles and constants.
 */
#pragma once

#define INTERPOSE_PUBLIC __attribute__((visibility("default")))

/** Defines MPI_NAME, and PMPI_NAME as its alias. */
#define MPI(NAME, ...)                                                                             \
  INTERPOSE_PUBLIC int PMPI_##NAME(__VA_ARGS__) __attribute__((alias("MPI_" #NAME)));              \
  INTERPOSE_PUBLIC int MPI_##NAME(__VA_ARGS__)

/** The next function @p name after the preloaded library, in the order of the loader, or NULL. */
typedef void *interpose_next_function(const char *name);
void *interpose_next(const char *name);

/** Defined by each library: finds the functions of MPI that it calls.  Called before its first
 *  call. */
void interpose_begin(void);

/** The type of haichi_interpose_start(), by which choose.c starts a library. */
typedef void interpose_start_function(interpose_next_function *function);
interpose_start_function haichi_interpose_start;
