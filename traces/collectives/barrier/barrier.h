/** @file barrier.h
 *  Private to traces/: the algorithms of barrier that others call.
 */
#ifndef TRACES_COLLECTIVES_BARRIER_H
#define TRACES_COLLECTIVES_BARRIER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_barrier_default, lower_barrier_ompi_basic_linear,
    lower_barrier_ompi_bruck, lower_barrier_ompi_recursivedoubling;

#endif
