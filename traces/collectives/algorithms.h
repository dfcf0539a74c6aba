/** @file algorithms.h
 *  Private to traces/: the algorithms of all collectives, the parts that they share, and the
 *  selectors of MPI libraries.
 */
#pragma once

#include "traces/collectives/lower.h"

/* The lists of algorithms, the default first. */

#define BARRIER_ALGORITHMS(ROW)                                                                    \
  ROW(lower_barrier_default)                                                                       \
  ROW(lower_barrier_ompi_basic_linear)                                                             \
  ROW(lower_barrier_ompi_two_procs)                                                                \
  ROW(lower_barrier_ompi_tree)                                                                     \
  ROW(lower_barrier_ompi_bruck)                                                                    \
  ROW(lower_barrier_ompi_recursivedoubling)                                                        \
  ROW(lower_barrier_ompi_doublering)                                                               \
  ROW(lower_barrier_mpich_smp)                                                                     \
  ROW(lower_barrier_mvapich2_pair)
BARRIER_ALGORITHMS(LOWER_DECLARE)

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

/** If the root is not rank 0, it sends the message to rank 0. */
extern const struct lower_algorithm lower_bcast_to_first;

/** First half of the scatter_* algorithms: a binomial tree in which each rank receives the parts of
 *  its subtree. */
extern const struct lower_algorithm lower_bcast_scatter;

/** Bytes of the parts of @p n successive ranks, the first of which is @p first ranks after the
 *  root.  A part is the message's bytes / ranks, rounded up; the last parts may be shorter or
 *  empty. */
uint64_t lower_bcast_parts(const struct lowering *l, uint64_t first, uint64_t n);

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

/** Part of other algorithms: a ring of reductions of blocks, then a ring of results.  Blocks have
 *  count / ranks elements; the last one also has the remainder. */
extern const struct lower_algorithm lower_allreduce_rings;

#define ALLTOALL_ALGORITHMS(ROW)                                                                   \
  ROW(lower_alltoall_default)                                                                      \
  ROW(lower_alltoall_basic_linear)                                                                 \
  ROW(lower_alltoall_pair)                                                                         \
  ROW(lower_alltoall_bruck)                                                                        \
  ROW(lower_alltoall_ring)                                                                         \
  ROW(lower_alltoall_pair_light_barrier)                                                           \
  ROW(lower_alltoall_pair_mpi_barrier)                                                             \
  ROW(lower_alltoall_pair_one_barrier)                                                             \
  ROW(lower_alltoall_ring_light_barrier)                                                           \
  ROW(lower_alltoall_ring_mpi_barrier)                                                             \
  ROW(lower_alltoall_ring_one_barrier)                                                             \
  ROW(lower_alltoall_2dmesh)                                                                       \
  ROW(lower_alltoall_3dmesh)                                                                       \
  ROW(lower_alltoall_rdb)                                                                          \
  ROW(lower_alltoall_mvapich2_scatter_dest)
ALLTOALL_ALGORITHMS(LOWER_DECLARE)

#define ALLTOALLV_ALGORITHMS(ROW)                                                                  \
  ROW(lower_alltoallv_default)                                                                     \
  ROW(lower_alltoallv_pair)                                                                        \
  ROW(lower_alltoall_pair_light_barrier)                                                           \
  ROW(lower_alltoall_pair_mpi_barrier)                                                             \
  ROW(lower_alltoall_pair_one_barrier)                                                             \
  ROW(lower_alltoallv_ring)                                                                        \
  ROW(lower_alltoall_ring_light_barrier)                                                           \
  ROW(lower_alltoall_ring_mpi_barrier)                                                             \
  ROW(lower_alltoall_ring_one_barrier)                                                             \
  ROW(lower_alltoallv_bruck)                                                                       \
  ROW(lower_alltoallv_ompi_basic_linear)
ALLTOALLV_ALGORITHMS(LOWER_DECLARE)

#define GATHER_ALGORITHMS(ROW)                                                                     \
  ROW(lower_gather_default)                                                                        \
  ROW(lower_gather_ompi_basic_linear)                                                              \
  ROW(lower_gather_ompi_binomial)                                                                  \
  ROW(lower_gather_ompi_linear_sync)                                                               \
  ROW(lower_gather_mvapich2_two_level)
GATHER_ALGORITHMS(LOWER_DECLARE)

#define GATHERV_ALGORITHMS(ROW) ROW(lower_gatherv_default)
GATHERV_ALGORITHMS(LOWER_DECLARE)

#define SCATTER_ALGORITHMS(ROW)                                                                    \
  ROW(lower_scatter_default)                                                                       \
  ROW(lower_scatter_ompi_basic_linear)                                                             \
  ROW(lower_scatter_ompi_linear_nb)                                                                \
  ROW(lower_scatter_ompi_binomial)                                                                 \
  ROW(lower_scatter_mvapich2_two_level_binomial)                                                   \
  ROW(lower_scatter_mvapich2_two_level_direct)
SCATTER_ALGORITHMS(LOWER_DECLARE)

#define SCATTERV_ALGORITHMS(ROW) ROW(lower_scatterv_default)
SCATTERV_ALGORITHMS(LOWER_DECLARE)

#define ALLGATHER_ALGORITHMS(ROW)                                                                  \
  ROW(lower_allgather_default)                                                                     \
  ROW(lower_allgather_2dmesh)                                                                      \
  ROW(lower_allgather_3dmesh)                                                                      \
  ROW(lower_allgather_bruck)                                                                       \
  ROW(lower_allgather_gb)                                                                          \
  ROW(lower_allgather_loosely_lr)                                                                  \
  ROW(lower_allgather_ntslr)                                                                       \
  ROW(lower_allgather_ntslr_nb)                                                                    \
  ROW(lower_allgather_pair)                                                                        \
  ROW(lower_allgather_rdb)                                                                         \
  ROW(lower_allgather_rhv)                                                                         \
  ROW(lower_allgather_ring)                                                                        \
  ROW(lower_allgather_smp_nts)                                                                     \
  ROW(lower_allgather_smp_simple)                                                                  \
  ROW(lower_allgather_spreading_simple)                                                            \
  ROW(lower_allgather_ompi_neighborexchange)                                                       \
  ROW(lower_allgather_mvapich2_smp)
ALLGATHER_ALGORITHMS(LOWER_DECLARE)

#define ALLGATHERV_ALGORITHMS(ROW)                                                                 \
  ROW(lower_allgatherv_default)                                                                    \
  ROW(lower_allgatherv_gb)                                                                         \
  ROW(lower_allgatherv_pair)                                                                       \
  ROW(lower_allgatherv_ring)                                                                       \
  ROW(lower_allgatherv_ompi_neighborexchange)                                                      \
  ROW(lower_allgatherv_ompi_bruck)                                                                 \
  ROW(lower_allgatherv_mpich_rdb)                                                                  \
  ROW(lower_allgatherv_mpich_ring)
ALLGATHERV_ALGORITHMS(LOWER_DECLARE)

#define REDUCE_SCATTER_ALGORITHMS(ROW)                                                             \
  ROW(lower_reduce_scatter_default)                                                                \
  ROW(lower_reduce_scatter_scatterv)                                                               \
  ROW(lower_reduce_scatter_mpich_pair)                                                             \
  ROW(lower_reduce_scatter_mpich_rdb)                                                              \
  ROW(lower_reduce_scatter_mpich_noncomm)                                                          \
  ROW(lower_reduce_scatter_ompi_basic_recursivehalving)                                            \
  ROW(lower_reduce_scatter_ompi_ring)                                                              \
  ROW(lower_reduce_scatter_ompi_butterfly)
REDUCE_SCATTER_ALGORITHMS(LOWER_DECLARE)

/** Declares the selectors of an MPI library, one for each collective.  Two-level algorithms use
 *  them for their parts. */
#define LOWER_LIBRARY(name)                                                                        \
  extern const struct lower_algorithm lower_barrier_##name, lower_bcast_##name,                    \
      lower_reduce_##name, lower_allreduce_##name, lower_alltoall_##name, lower_alltoallv_##name,  \
      lower_gather_##name, lower_scatter_##name, lower_allgather_##name, lower_allgatherv_##name,  \
      lower_reduce_scatter_##name;
LOWER_LIBRARY(ompi)
LOWER_LIBRARY(mpich)
LOWER_LIBRARY(mvapich2)
LOWER_LIBRARY(impi)
