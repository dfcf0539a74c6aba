/** @file scatter.h
 *  Private to traces/: the algorithms of scatter and scatterv.
 */
#ifndef TRACES_COLLECTIVES_SCATTER_H
#define TRACES_COLLECTIVES_SCATTER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_scatter_default, lower_scatter_ompi_basic_linear,
    lower_scatter_ompi_linear_nb, lower_scatter_ompi_binomial,
    lower_scatter_mvapich2_two_level_binomial, lower_scatter_mvapich2_two_level_direct,
    lower_scatterv_default;

#endif
