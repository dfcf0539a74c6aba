/** @file barrier.h
 *  Private to traces/: the algorithms of barrier.
 */
#ifndef TRACES_COLLECTIVES_BARRIER_H
#define TRACES_COLLECTIVES_BARRIER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_barrier_default, lower_barrier_ompi_basic_linear,
    lower_barrier_ompi_two_procs, lower_barrier_ompi_tree, lower_barrier_ompi_bruck,
    lower_barrier_ompi_recursivedoubling, lower_barrier_ompi_doublering, lower_barrier_mpich_smp,
    lower_barrier_mvapich2_pair;

#endif
