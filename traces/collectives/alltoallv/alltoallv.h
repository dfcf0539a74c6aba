/** @file alltoallv.h
 *  Private to traces/: the algorithms of alltoallv.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of alltoallv, the default first. */
#define ALLTOALLV_ALGORITHMS(ROW)                                                                  \
  ROW(lower_alltoallv_default)                                                                     \
  ROW(lower_alltoallv_pair)                                                                        \
  ROW(lower_alltoall_pair_light_barrier)                                                           \
  ROW(lower_alltoall_pair_mpi_barrier)                                                             \
  ROW(lower_alltoall_pair_one_barrier)                                                             \
  ROW(lower_alltoallv_ring)                                                                        \
  ROW(lower_alltoall_ring_light_barrier)                                                           \
  ROW(lower_alltoall_ring_mpi_barrier)                                                             \
  ROW(lower_alltoall_ring_one_barrier)                                                             \
  ROW(lower_alltoallv_bruck)                                                                       \
  ROW(lower_alltoallv_ompi_basic_linear)
ALLTOALLV_ALGORITHMS(LOWER_DECLARE)
