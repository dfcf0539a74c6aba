/** @file mpi.h
 *  For MPI programs: grids whose ranks haichi places.  The functions are in libhaichi-openmpi.so
 * and libhaichi-mpich.so (pkg-config: haichi-openmpi, haichi-mpich).  haichi/haichi.h does not
 * include this header.
 */
#ifndef HAICHI_MPI_H
#define HAICHI_MPI_H

#include <haichi/error.h>
#include <mpi.h>

/** MPI_Cart_create() with reorder true: exchanges the ranks of @p comm by a mapping onto the
 *  machine and creates the grid on them.  Collective.  The environment of the first rank has the
 *  settings, HAICHI_PLATFORM, HAICHI_MAPPER, HAICHI_TIME, HAICHI_HOSTS and HAICHI_REPORT
 *  (docs/reorder.md). Returns the result of MPI_Cart_create().  If haichi fails, no rank is moved,
 *  and @p e, unless NULL, has the reason on all ranks.  Without a failure its text is empty. */
HAICHI_PUBLIC int haichi_mpi_cart_create(MPI_Comm comm, int axes, const int side[],
                                         const int periodic[], MPI_Comm *grid,
                                         struct haichi_error *e);

#endif
