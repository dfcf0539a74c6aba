/** @file allreduce.h
 *  Private to traces/: the algorithms of allreduce.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of allreduce, the default first. */
#define ALLREDUCE_ALGORITHMS(ROW)                                                                  \
  ROW(lower_allreduce_default)                                                                     \
  ROW(lower_allreduce_rdb)                                                                         \
  ROW(lower_allreduce_rab_rdb)                                                                     \
  ROW(lower_allreduce_mvapich2_rs)                                                                 \
  ROW(lower_allreduce_rab)                                                                         \
  ROW(lower_allreduce_lr)                                                                          \
  ROW(lower_allreduce_rab1)                                                                        \
  ROW(lower_allreduce_rab2)                                                                        \
  ROW(lower_allreduce_redbcast)                                                                    \
  ROW(lower_allreduce_ompi_ring_segmented)                                                         \
  ROW(lower_allreduce_smp_binomial)                                                                \
  ROW(lower_allreduce_smp_binomial_pipeline)                                                       \
  ROW(lower_allreduce_smp_rdb)                                                                     \
  ROW(lower_allreduce_smp_rsag)                                                                    \
  ROW(lower_allreduce_smp_rsag_lr)                                                                 \
  ROW(lower_allreduce_smp_rsag_rab)                                                                \
  ROW(lower_allreduce_mvapich2_two_level)
ALLREDUCE_ALGORITHMS(LOWER_DECLARE)

/** Part of other algorithms: a ring of reductions of blocks, then a ring of results.  The last
 *  block also has the elements left over by equal blocks. */
extern const struct lower_algorithm lower_allreduce_rings;
