/** @file barrier.h
 *  Private to traces/: the algorithms of barrier.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of barrier, the default first. */
#define BARRIER_ALGORITHMS(ROW)                                                                    \
  ROW(lower_barrier_default)                                                                       \
  ROW(lower_barrier_ompi_basic_linear)                                                             \
  ROW(lower_barrier_ompi_two_procs)                                                                \
  ROW(lower_barrier_ompi_tree)                                                                     \
  ROW(lower_barrier_ompi_bruck)                                                                    \
  ROW(lower_barrier_ompi_recursivedoubling)                                                        \
  ROW(lower_barrier_ompi_doublering)                                                               \
  ROW(lower_barrier_mpich_smp)                                                                     \
  ROW(lower_barrier_mvapich2_pair)
BARRIER_ALGORITHMS(LOWER_DECLARE)
