/** @file scatter.h
 *  Private to traces/: the algorithms of scatter and scatterv.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of scatter, the default first. */
#define SCATTER_ALGORITHMS(ROW)                                                                    \
  ROW(lower_scatter_default)                                                                       \
  ROW(lower_scatter_ompi_basic_linear)                                                             \
  ROW(lower_scatter_ompi_linear_nb)                                                                \
  ROW(lower_scatter_ompi_binomial)                                                                 \
  ROW(lower_scatter_mvapich2_two_level_binomial)                                                   \
  ROW(lower_scatter_mvapich2_two_level_direct)
SCATTER_ALGORITHMS(LOWER_DECLARE)

/** The algorithms of scatterv, the default first. */
#define SCATTERV_ALGORITHMS(ROW) ROW(lower_scatterv_default)
SCATTERV_ALGORITHMS(LOWER_DECLARE)
