/** @file reduce.h
 *  Private to traces/: the algorithms of reduce that others call.
 */
#ifndef TRACES_COLLECTIVES_REDUCE_H
#define TRACES_COLLECTIVES_REDUCE_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_reduce_default, lower_reduce_binomial;

#endif
