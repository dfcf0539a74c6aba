/** @file allreduce.h
 *  Private to traces/: the algorithms of allreduce that others call.
 */
#ifndef TRACES_COLLECTIVES_ALLREDUCE_H
#define TRACES_COLLECTIVES_ALLREDUCE_H

#include "traces/collectives/lower.h"

extern const struct lower_algorithm lower_allreduce_default, lower_allreduce_rdb,
    lower_allreduce_rab_rdb, lower_allreduce_mvapich2_rs, lower_allreduce_rab;

#endif
