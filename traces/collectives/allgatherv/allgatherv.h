/** @file allgatherv.h
 *  Private to traces/: the algorithms of allgatherv.
 */
#ifndef TRACES_COLLECTIVES_ALLGATHERV_H
#define TRACES_COLLECTIVES_ALLGATHERV_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_allgatherv_default, lower_allgatherv_gb,
    lower_allgatherv_pair, lower_allgatherv_ring, lower_allgatherv_ompi_neighborexchange,
    lower_allgatherv_ompi_bruck, lower_allgatherv_mpich_rdb, lower_allgatherv_mpich_ring;

#endif
