/** @file alltoall.h
 *  Private to traces/: the algorithms of alltoall.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of alltoall, the default first. */
#define ALLTOALL_ALGORITHMS(ROW)                                                                   \
  ROW(lower_alltoall_default)                                                                      \
  ROW(lower_alltoall_basic_linear)                                                                 \
  ROW(lower_alltoall_pair)                                                                         \
  ROW(lower_alltoall_bruck)                                                                        \
  ROW(lower_alltoall_ring)                                                                         \
  ROW(lower_alltoall_pair_light_barrier)                                                           \
  ROW(lower_alltoall_pair_mpi_barrier)                                                             \
  ROW(lower_alltoall_pair_one_barrier)                                                             \
  ROW(lower_alltoall_ring_light_barrier)                                                           \
  ROW(lower_alltoall_ring_mpi_barrier)                                                             \
  ROW(lower_alltoall_ring_one_barrier)                                                             \
  ROW(lower_alltoall_2dmesh)                                                                       \
  ROW(lower_alltoall_3dmesh)                                                                       \
  ROW(lower_alltoall_rdb)                                                                          \
  ROW(lower_alltoall_mvapich2_scatter_dest)
ALLTOALL_ALGORITHMS(LOWER_DECLARE)
