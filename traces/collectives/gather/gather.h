/** @file gather.h
 *  Private to traces/: the algorithms of gather and gatherv.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of gather, the default first. */
#define GATHER_ALGORITHMS(ROW)                                                                     \
  ROW(lower_gather_default)                                                                        \
  ROW(lower_gather_ompi_basic_linear)                                                              \
  ROW(lower_gather_ompi_binomial)                                                                  \
  ROW(lower_gather_ompi_linear_sync)                                                               \
  ROW(lower_gather_mvapich2_two_level)
GATHER_ALGORITHMS(LOWER_DECLARE)

/** The algorithms of gatherv, the default first. */
#define GATHERV_ALGORITHMS(ROW) ROW(lower_gatherv_default)
GATHERV_ALGORITHMS(LOWER_DECLARE)
