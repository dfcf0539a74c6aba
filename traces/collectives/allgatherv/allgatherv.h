/** @file allgatherv.h
 *  Private to traces/: the algorithms of allgatherv that others call.
 */
#ifndef TRACES_COLLECTIVES_ALLGATHERV_H
#define TRACES_COLLECTIVES_ALLGATHERV_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_allgatherv_default;

#endif
