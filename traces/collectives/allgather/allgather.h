/** @file allgather.h
 *  Private to traces/: the algorithms of allgather and allgatherv that others call.
 */
#ifndef TRACES_COLLECTIVES_ALLGATHER_H
#define TRACES_COLLECTIVES_ALLGATHER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_allgather_default, lower_allgather_ring;

#endif
