/** @file preload.h
 *  The preloaded library.  It replaces MPI_X and PMPI_X by two functions, which call the next MPI_X
 *  and PMPI_X in the order of the loader.  So tools that replace either see the same calls as
 *  without this library.  Calls that an MPI library makes within its own calls are not changed.
 */
#pragma once

#include "interpose/interpose.h"
#include "reorder/reorder.h"

/** Begins a call.  True if it is the outermost one. */
bool preload_enter(void);

/** Ends the call.  Returns @p result. */
int preload_leave(int result);

/** The next function MPI_X, or PMPI_X if @p profiled, of @p name "PMPI_X".  Cached in *known. */
void *preload_next(void **known, const char *name, bool profiled);

/** The functions through which a call of PMPI_X (@p profiled) or MPI_X creates topologies. */
struct mpi preload_mpi(bool profiled);

/** Prints a line if this is the first rank of @p comm and @p why is not empty. */
void preload_report(MPI_Comm comm, const char *call, const char *why);

#ifndef REORDER_SMPI
/** The communicator that takes the place of @p comm: the world with exchanged ranks for
 *  MPI_COMM_WORLD, if there is one (HAICHI_REORDER=world). */
MPI_Comm world_for(MPI_Comm comm);

/** Called by MPI_Init: exchanges the ranks of the world if the environment asks for it. */
void world_begin(const struct mpi *m);

/** Called by MPI_Finalize: frees the communicator of the exchanged ranks. */
void world_end(const struct mpi *m);
#endif
