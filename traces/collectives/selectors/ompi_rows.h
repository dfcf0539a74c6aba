/** @file ompi_rows.h
 *  Private to traces/: Open MPI's thresholds.  A row applies below its ranks and bytes.  Its pick
 *  is Open MPI's number of an algorithm.
 */
#pragma once

#include "traces/collectives/selectors/selector.h"

extern const struct selector_row ompi_allreduce_rows[], ompi_alltoall_rows[], ompi_alltoallv_rows[],
    ompi_barrier_rows[], ompi_bcast_rows[], ompi_reduce_rows[], ompi_reduce_scatter_rows[],
    ompi_allgather_rows[], ompi_allgatherv_rows[], ompi_gather_rows[], ompi_scatter_rows[];
