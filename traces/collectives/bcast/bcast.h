/** @file bcast.h
 *  Private to traces/: the algorithms of bcast that others call.
 */
#ifndef TRACES_COLLECTIVES_BCAST_H
#define TRACES_COLLECTIVES_BCAST_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_bcast_default, lower_bcast_binomial_tree,
    lower_bcast_flattree;

#endif
