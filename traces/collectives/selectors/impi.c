/* Intel MPI's choices on the Stampede cluster: SimGrid 3.32,
 * src/smpi/colls/smpi_intel_mpi_selector.cpp.  Each selector first finds which ranks share a
 * host. */
#include "traces/collectives/allgather/allgather.h"
#include "traces/collectives/allgatherv/allgatherv.h"
#include "traces/collectives/allreduce/allreduce.h"
#include "traces/collectives/alltoall/alltoall.h"
#include "traces/collectives/alltoallv/alltoallv.h"
#include "traces/collectives/barrier/barrier.h"
#include "traces/collectives/bcast/bcast.h"
#include "traces/collectives/gather/gather.h"
#include "traces/collectives/reduce/reduce.h"
#include "traces/collectives/reduce_scatter/reduce_scatter.h"
#include "traces/collectives/scatter/scatter.h"
#include "traces/collectives/selectors/impi_rows.h"
#include "traces/collectives/selectors/libraries.h"

/* Algorithms by Intel's numbers, which start from 1 (I_MPI_ADJUST_COLLECTIVE). */
typedef const struct lower_algorithm *const numbered[];

static numbered BARRIER = {&lower_barrier_ompi_basic_linear, &lower_barrier_ompi_recursivedoubling,
                           &lower_barrier_ompi_basic_linear, &lower_barrier_ompi_recursivedoubling,
                           &lower_barrier_default,           &lower_barrier_default};
static numbered BCAST = {&lower_bcast_binomial_tree, &lower_bcast_ntsl, &lower_bcast_ntsl,
                         &lower_bcast_smp_binomial,  &lower_bcast_ntsl, &lower_bcast_smp_linear,
                         &lower_bcast_mvapich2};
static numbered REDUCE = {&lower_reduce_mvapich2, &lower_reduce_binomial,
                          &lower_reduce_mvapich2, &lower_reduce_mvapich2_two_level,
                          &lower_reduce_rab,      &lower_reduce_rab};
static numbered ALLREDUCE = {&lower_allreduce_rdb,
                             &lower_allreduce_rab1,
                             &lower_allreduce_redbcast,
                             &lower_allreduce_mvapich2_two_level,
                             &lower_allreduce_smp_binomial,
                             &lower_allreduce_mvapich2_two_level,
                             &lower_allreduce_ompi_ring_segmented,
                             &lower_allreduce_ompi_ring_segmented};
static numbered ALLTOALL = {&lower_alltoall_bruck, &lower_alltoall_mvapich2_scatter_dest,
                            &lower_alltoall_pair, &lower_alltoall_mvapich2};
static numbered ALLTOALLV = {&lower_alltoallv_ompi_basic_linear, &lower_alltoallv_bruck};
static numbered GATHER = {&lower_gather_ompi_binomial, &lower_gather_ompi_binomial,
                          &lower_gather_mvapich2};
static numbered SCATTER = {&lower_scatter_ompi_binomial, &lower_scatter_ompi_binomial,
                           &lower_scatter_mvapich2};
static numbered ALLGATHER = {&lower_allgather_rdb, &lower_allgather_bruck, &lower_allgather_ring,
                             &lower_allgather_gb};
static numbered ALLGATHERV = {&lower_allgatherv_mpich_rdb, &lower_allgatherv_ompi_bruck,
                              &lower_allgatherv_ring, &lower_allgatherv_gb};
static numbered REDUCE_SCATTER = {&lower_reduce_scatter_ompi_basic_recursivehalving,
                                  &lower_reduce_scatter_mpich_pair, &lower_reduce_scatter_mpich_rdb,
                                  &lower_reduce_scatter_default, &lower_reduce_scatter_default};

/* Selects the table by ranks per node: 1, 2, 4, 8 or 16.  Other numbers, and nodes with unequal
 * numbers, use the table for 1. */
static const struct selector_row *table_of(const struct lowering *l, impi_tables tables)
{
  const uint32_t here = lower_node_size(l, lower_node_of(l, l->rank));
  if (!lower_uniform(l) || !lower_power_of_two(here) || here > 16)
    return tables[0];
  return tables[lower_rounds(here)];
}

/* Bytes that SMPI compares in collectives without a size. */
static uint64_t no_bytes(const struct lowering *l)
{
  (void)l;
  return 1;
}

static uint64_t sent(const struct lowering *l)
{
  return l->send_bytes;
}

static uint64_t received(const struct lowering *l)
{
  return l->recv_bytes;
}

static uint64_t all_parts(const struct lowering *l)
{
  return selector_total(l, l->recv_size);
}

#define SELECTOR(NAME, PICKS, BYTES)                                                               \
  static const struct lower_algorithm *NAME##_piece(const struct lowering *l, uint32_t k,          \
                                                    struct lowering *sub)                          \
  {                                                                                                \
    (void)sub;                                                                                     \
    if (k != 1)                                                                                    \
      return k == 0 ? lower_prepared(l) : NULL;                                                    \
    return PICKS[selector_find(table_of(l, impi_##NAME##_tables), l->ranks - 1, BYTES(l))->pick -  \
                 1];                                                                               \
  }                                                                                                \
  const struct lower_algorithm lower_##NAME##_impi = {                                             \
      .row = {"impi", "as Intel MPI chooses", "smpi_intel_mpi_selector.cpp"},                      \
      .piece = NAME##_piece};

SELECTOR(barrier, BARRIER, no_bytes)
SELECTOR(bcast, BCAST, sent)
SELECTOR(reduce, REDUCE, sent)
SELECTOR(allreduce, ALLREDUCE, sent)
SELECTOR(alltoall, ALLTOALL, sent)
SELECTOR(alltoallv, ALLTOALLV, no_bytes)
SELECTOR(gather, GATHER, selector_gathered)
SELECTOR(scatter, SCATTER, selector_scattered)
SELECTOR(allgather, ALLGATHER, received)
SELECTOR(allgatherv, ALLGATHERV, all_parts)
SELECTOR(reduce_scatter, REDUCE_SCATTER, all_parts)

selector_set selector_impi = {SELECTOR_SET(impi)};
