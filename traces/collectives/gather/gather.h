/** @file gather.h
 *  Private to traces/: the algorithms of gather and gatherv.
 */
#ifndef TRACES_COLLECTIVES_GATHER_H
#define TRACES_COLLECTIVES_GATHER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_gather_default, lower_gather_ompi_basic_linear,
    lower_gather_ompi_binomial, lower_gather_ompi_linear_sync, lower_gather_mvapich2_two_level,
    lower_gatherv_default;

#endif
