/** @file gather.h
 *  Private to traces/: the algorithms of gather and gatherv that others call.
 */
#ifndef TRACES_COLLECTIVES_GATHER_H
#define TRACES_COLLECTIVES_GATHER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_gather_default, lower_gatherv_default;

#endif
