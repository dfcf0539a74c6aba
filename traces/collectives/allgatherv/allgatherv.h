/** @file allgatherv.h
 *  Private to traces/: the algorithms of allgatherv.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of allgatherv, the default first. */
#define ALLGATHERV_ALGORITHMS(ROW)                                                                 \
  ROW(lower_allgatherv_default)                                                                    \
  ROW(lower_allgatherv_gb)                                                                         \
  ROW(lower_allgatherv_pair)                                                                       \
  ROW(lower_allgatherv_ring)                                                                       \
  ROW(lower_allgatherv_ompi_neighborexchange)                                                      \
  ROW(lower_allgatherv_ompi_bruck)                                                                 \
  ROW(lower_allgatherv_mpich_rdb)                                                                  \
  ROW(lower_allgatherv_mpich_ring)
ALLGATHERV_ALGORITHMS(LOWER_DECLARE)
