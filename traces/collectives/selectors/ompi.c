/* Open MPI's choices: SimGrid 3.32, src/smpi/colls/smpi_openmpi_selector.cpp, for commutative
 * operations, the only ones in replays. */
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
#include "traces/collectives/selectors/libraries.h"
#include "traces/collectives/selectors/ompi_rows.h"

/* Algorithms by Open MPI's numbers, which start from 1 (its option
 * coll_tuned_COLLECTIVE_algorithm). */
typedef const struct lower_algorithm *const numbered[];

static numbered BARRIER = {&lower_barrier_ompi_basic_linear,      &lower_barrier_ompi_basic_linear,
                           &lower_barrier_ompi_recursivedoubling, &lower_barrier_ompi_bruck,
                           &lower_barrier_ompi_two_procs,         &lower_barrier_ompi_tree};
static numbered BCAST = {&lower_bcast_ntsl,
                         &lower_bcast_ompi_pipeline,
                         &lower_bcast_ompi_pipeline,
                         &lower_bcast_ompi_split_bintree,
                         &lower_bcast_ntsb,
                         &lower_bcast_binomial_tree,
                         &lower_bcast_mvapich2_knomial_intra_node,
                         &lower_bcast_scatter_rdb_allgather,
                         &lower_bcast_scatter_lr_allgather};
static numbered REDUCE = {&lower_reduce_ompi_basic_linear, &lower_reduce_ompi_chain,
                          &lower_reduce_ompi_pipeline,     &lower_reduce_ompi_binary,
                          &lower_reduce_ompi_binomial,     &lower_reduce_ompi_in_order_binary,
                          &lower_reduce_ompi_basic_linear};
static numbered ALLREDUCE = {&lower_allreduce_redbcast,
                             &lower_allreduce_redbcast,
                             &lower_allreduce_rdb,
                             &lower_allreduce_lr,
                             &lower_allreduce_ompi_ring_segmented,
                             &lower_allreduce_rab_rdb};
static numbered ALLTOALL = {&lower_alltoall_basic_linear, &lower_alltoall_pair,
                            &lower_alltoall_bruck, &lower_alltoall_basic_linear,
                            &lower_alltoall_basic_linear};
static numbered ALLTOALLV = {&lower_alltoallv_ompi_basic_linear, &lower_alltoallv_pair};
static numbered GATHER = {&lower_gather_ompi_basic_linear, &lower_gather_ompi_binomial,
                          &lower_gather_ompi_linear_sync};
static numbered SCATTER = {&lower_scatter_ompi_basic_linear, &lower_scatter_ompi_binomial,
                           &lower_scatter_ompi_linear_nb};
static numbered ALLGATHER = {&lower_allgather_ntslr_nb,
                             &lower_allgather_bruck,
                             &lower_allgather_rdb,
                             &lower_allgather_ring,
                             &lower_allgather_ompi_neighborexchange,
                             &lower_allgather_pair};
static numbered ALLGATHERV = {&lower_allgatherv_gb, &lower_allgatherv_ompi_bruck,
                              &lower_allgatherv_mpich_ring, &lower_allgatherv_ompi_neighborexchange,
                              &lower_allgatherv_pair};
static numbered REDUCE_SCATTER = {
    &lower_reduce_scatter_default, &lower_reduce_scatter_ompi_basic_recursivehalving,
    &lower_reduce_scatter_ompi_ring, &lower_reduce_scatter_ompi_butterfly};

static uint64_t no_bytes(const struct lowering *l)
{
  (void)l;
  return 0;
}

static uint64_t sent(const struct lowering *l)
{
  return l->send_bytes;
}

static uint64_t all_parts(const struct lowering *l)
{
  return selector_total(l, l->recv_size);
}

static uint64_t mean_part(const struct lowering *l)
{
  return selector_total(l, l->send_size) / l->ranks;
}

#define SELECTOR(NAME, ROWS, PICKS, BYTES)                                                         \
  static const struct lower_algorithm *NAME##_piece(const struct lowering *l, uint32_t k,          \
                                                    struct lowering *sub)                          \
  {                                                                                                \
    (void)sub;                                                                                     \
    return k == 0 ? PICKS[selector_find(ROWS, l->ranks, BYTES(l))->pick - 1] : NULL;               \
  }                                                                                                \
  const struct lower_algorithm lower_##NAME##_ompi = {                                             \
      .row = {"ompi", "as Open MPI chooses", "smpi_openmpi_selector.cpp"}, .piece = NAME##_piece};

SELECTOR(barrier, ompi_barrier_rows, BARRIER, no_bytes)
SELECTOR(bcast, ompi_bcast_rows, BCAST, sent)
SELECTOR(reduce, ompi_reduce_rows, REDUCE, sent)
SELECTOR(allreduce, ompi_allreduce_rows, ALLREDUCE, sent)
SELECTOR(alltoall, ompi_alltoall_rows, ALLTOALL, sent)
SELECTOR(alltoallv, ompi_alltoallv_rows, ALLTOALLV, no_bytes)
SELECTOR(gather, ompi_gather_rows, GATHER, selector_gathered)
SELECTOR(scatter, ompi_scatter_rows, SCATTER, selector_scattered)
SELECTOR(allgather, ompi_allgather_rows, ALLGATHER, sent)
SELECTOR(allgatherv, ompi_allgatherv_rows, ALLGATHERV, mean_part)
SELECTOR(reduce_scatter, ompi_reduce_scatter_rows, REDUCE_SCATTER, all_parts)

selector_set selector_ompi = {SELECTOR_SET(ompi)};
