/** @file alltoallv.h
 *  Private to traces/: the algorithms of alltoallv.
 */
#ifndef TRACES_COLLECTIVES_ALLTOALLV_H
#define TRACES_COLLECTIVES_ALLTOALLV_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_alltoallv_default, lower_alltoallv_pair,
    lower_alltoallv_ring, lower_alltoallv_bruck, lower_alltoallv_ompi_basic_linear;

#endif
