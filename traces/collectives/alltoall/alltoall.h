/** @file alltoall.h
 *  Private to traces/: the algorithms of alltoall that others call.
 */
#ifndef TRACES_COLLECTIVES_ALLTOALL_H
#define TRACES_COLLECTIVES_ALLTOALL_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_alltoall_default, lower_alltoall_basic_linear,
    lower_alltoall_pair, lower_alltoall_bruck, lower_alltoall_ring;

#endif
