/** @file preload.h
 *  The preloaded library: MPI_X and PMPI_X of the calls that it replaces are different functions,
 *  which call the next MPI_X and PMPI_X in the order of the loader, so that tools that replace
 *  either see the same calls as without this library.  Calls of MPI within calls of MPI are left
 *  alone.
 */
#ifndef REORDER_PRELOAD_H
#define REORDER_PRELOAD_H

#include "interpose/interpose.h"
#include "reorder/reorder.h"

/** Begins and ends a call; true if it is outermost. */
bool preload_enter(void);
int preload_leave(int result);

/** The next function of the name MPI_X, or PMPI_X if @p profiled; stored in *known. */
void *preload_next(void **known, const char *name, bool profiled);

/** The functions of MPI of the same kind as the call, "MPI_X" or "PMPI_X". */
struct mpi preload_mpi(bool profiled);

/** Prints a line if this is the first rank of @p comm and @p why is not empty. */
void preload_report(MPI_Comm comm, const char *call, const char *why);

#ifndef REORDER_SMPI
/** The communicator that takes the place of @p comm: the world with exchanged ranks for
 *  MPI_COMM_WORLD, if there is one (HAICHI_REORDER=world). */
MPI_Comm world_for(MPI_Comm comm);

/** Exchanges the ranks of the world if the environment asks for it; for MPI_Init. */
void world_begin(const struct mpi *m);

/** Frees the communicator; for MPI_Finalize. */
void world_end(const struct mpi *m);
#endif

#endif
