/** @file allgather.h
 *  Private to traces/: the algorithms of allgather.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of allgather, the default first. */
#define ALLGATHER_ALGORITHMS(ROW)                                                                  \
  ROW(lower_allgather_default)                                                                     \
  ROW(lower_allgather_2dmesh)                                                                      \
  ROW(lower_allgather_3dmesh)                                                                      \
  ROW(lower_allgather_bruck)                                                                       \
  ROW(lower_allgather_gb)                                                                          \
  ROW(lower_allgather_loosely_lr)                                                                  \
  ROW(lower_allgather_ntslr)                                                                       \
  ROW(lower_allgather_ntslr_nb)                                                                    \
  ROW(lower_allgather_pair)                                                                        \
  ROW(lower_allgather_rdb)                                                                         \
  ROW(lower_allgather_rhv)                                                                         \
  ROW(lower_allgather_ring)                                                                        \
  ROW(lower_allgather_smp_nts)                                                                     \
  ROW(lower_allgather_smp_simple)                                                                  \
  ROW(lower_allgather_spreading_simple)                                                            \
  ROW(lower_allgather_ompi_neighborexchange)                                                       \
  ROW(lower_allgather_mvapich2_smp)
ALLGATHER_ALGORITHMS(LOWER_DECLARE)
