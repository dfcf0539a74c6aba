/** @file bcast.h
 *  Private to traces/: the algorithms of bcast.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The algorithms of bcast, the default first. */
#define BCAST_ALGORITHMS(ROW)                                                                      \
  ROW(lower_bcast_default)                                                                         \
  ROW(lower_bcast_binomial_tree)                                                                   \
  ROW(lower_bcast_flattree)                                                                        \
  ROW(lower_bcast_flattree_pipeline)                                                               \
  ROW(lower_bcast_ntsb)                                                                            \
  ROW(lower_bcast_ntsl)                                                                            \
  ROW(lower_bcast_ntsl_isend)                                                                      \
  ROW(lower_bcast_scatter_lr_allgather)                                                            \
  ROW(lower_bcast_scatter_rdb_allgather)                                                           \
  ROW(lower_bcast_smp_binary)                                                                      \
  ROW(lower_bcast_smp_binomial)                                                                    \
  ROW(lower_bcast_smp_linear)                                                                      \
  ROW(lower_bcast_ompi_split_bintree)                                                              \
  ROW(lower_bcast_ompi_pipeline)                                                                   \
  ROW(lower_bcast_mvapich2_inter_node_whole)                                                       \
  ROW(lower_bcast_mvapich2_intra_node)                                                             \
  ROW(lower_bcast_mvapich2_knomial_intra_node)
BCAST_ALGORITHMS(LOWER_DECLARE)

/** SMPI's mvapich2_inter_node: sends the message to the leaders only. */
extern const struct lower_algorithm lower_bcast_mvapich2_inter_node;

/** The root sends the message to rank 0, unless it is rank 0. */
extern const struct lower_algorithm lower_bcast_to_first;

/** First half of the scatter_* algorithms: a binomial tree in which a rank receives the parts of
 *  its subtree. */
extern const struct lower_algorithm lower_bcast_scatter;

/** Bytes of the parts of @p n ranks from @p first on, counted from the root.  All ranks have equal
 *  parts of the message, rounded up; the last parts may be shorter or empty. */
uint64_t lower_bcast_parts(const struct lowering *l, uint64_t first, uint64_t n);
