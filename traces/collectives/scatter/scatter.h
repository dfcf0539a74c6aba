/** @file scatter.h
 *  Private to traces/: the algorithms of scatter and scatterv that others call.
 */
#ifndef TRACES_COLLECTIVES_SCATTER_H
#define TRACES_COLLECTIVES_SCATTER_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_scatter_default, lower_scatterv_default;

#endif
