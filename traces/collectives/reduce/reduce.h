/** @file reduce.h
 *  Private to traces/: the algorithms of reduce.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of reduce, the default first. */
#define REDUCE_ALGORITHMS(ROW)                                                                     \
  ROW(lower_reduce_default)                                                                        \
  ROW(lower_reduce_binomial)                                                                       \
  ROW(lower_reduce_flat_tree)                                                                      \
  ROW(lower_reduce_ntsl)                                                                           \
  ROW(lower_reduce_scatter_gather)                                                                 \
  ROW(lower_reduce_ompi_chain)                                                                     \
  ROW(lower_reduce_ompi_pipeline)                                                                  \
  ROW(lower_reduce_ompi_basic_linear)                                                              \
  ROW(lower_reduce_ompi_in_order_binary)                                                           \
  ROW(lower_reduce_ompi_binary)                                                                    \
  ROW(lower_reduce_ompi_binomial)                                                                  \
  ROW(lower_reduce_mvapich2_knomial)                                                               \
  ROW(lower_reduce_rab)                                                                            \
  ROW(lower_reduce_mvapich2_two_level)
REDUCE_ALGORITHMS(LOWER_DECLARE)

/** Part of other algorithms: binomial, but with messages even if there are no elements. */
extern const struct lower_algorithm lower_reduce_tree;
