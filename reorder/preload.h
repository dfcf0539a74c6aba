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

/** Begins a function of the program that MPI calls; MPI calls of that function are outermost ones.
 *  Returns the argument of preload_resume(), which ends it. */
unsigned preload_suspend(void);
void preload_resume(unsigned depth);

/** True if the address is in a library with Fortran bindings of MPI. */
bool preload_is_fortran(const void *address);

/** The next function MPI_X, or PMPI_X if @p profiled is true, in the order of the loader.  @p name
 *  is "PMPI_X".  Cached in *known. */
void *preload_next(void **known, const char *name, bool profiled);

/** The functions through which a call of PMPI_X (@p profiled) or MPI_X creates topologies. */
struct mpi preload_mpi(bool profiled);

/** Prints a line if this is the first rank of @p comm and @p why is not empty. */
void preload_report(MPI_Comm comm, const char *call, const char *why);

#ifndef REORDER_SMPI
/** The communicator that takes the place of @p comm: the world with exchanged ranks for
 *  MPI_COMM_WORLD, if there is one (HAICHI_REORDER=world). */
MPI_Comm world_for(MPI_Comm comm);

bool world_is_exchanged(void);

/** The inverse of world_for(): the name that the program has for a communicator. */
MPI_Comm world_named(MPI_Comm comm);

/** Called by MPI_Init: exchanges the ranks of the world if the environment asks for it.
 *  MPI_Finalize frees the communicator. */
void world_begin(const struct mpi *m);

/** Called with a communicator of a session.  Sessions exchange no ranks, because MPI_Session_init
 *  is not collective.  Prints a line about it if the environment asks for an exchange and the
 *  program has not called MPI_Init. */
void world_of_session(MPI_Comm comm);

/** The stand-ins (callbacks.c) of functions of the program that MPI calls, with the same arguments:
 *  error handlers of communicators, error handlers of other objects, operations, and, in C,
 *  functions that copy and delete attributes.  The last three return @p function itself if the
 *  world is not exchanged. */
void *callback_handler(void *function);
void *callback_other_handler(void *function);
void *callback_operation(void *function);
void *callback_copy(void *function);
void *callback_deletion(void *function);
#endif
