/** @file impi_rows.h
 *  Private to traces/: Intel MPI's thresholds.  A row applies up to its ranks and below its bytes.
 *  Its pick is the number of an algorithm in Intel's reference (I_MPI_ADJUST_COLLECTIVE).
 */
#pragma once

#include "traces/collectives/selectors/selector.h"

/** Number of tables: for 1, 2, 4, 8 and 16 ranks per node. */
#define IMPI_TABLES 5

/** The tables of one collective. */
typedef const struct selector_row *const impi_tables[IMPI_TABLES];

extern impi_tables impi_allreduce_tables, impi_alltoall_tables, impi_alltoallv_tables,
    impi_barrier_tables, impi_bcast_tables, impi_reduce_tables, impi_reduce_scatter_tables,
    impi_allgather_tables, impi_allgatherv_tables, impi_gather_tables, impi_scatter_tables;
