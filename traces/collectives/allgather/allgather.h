/** @file allgather.h
 *  Private to traces/: the algorithms of allgather.
 */
#ifndef TRACES_COLLECTIVES_ALLGATHER_H
#define TRACES_COLLECTIVES_ALLGATHER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_allgather_default, lower_allgather_2dmesh,
    lower_allgather_3dmesh, lower_allgather_bruck, lower_allgather_gb, lower_allgather_ntslr,
    lower_allgather_ntslr_nb, lower_allgather_pair, lower_allgather_rdb, lower_allgather_rhv,
    lower_allgather_ring, lower_allgather_spreading_simple, lower_allgather_ompi_neighborexchange,
    lower_allgather_loosely_lr, lower_allgather_smp_nts, lower_allgather_smp_simple,
    lower_allgather_mvapich2_smp;

#endif
