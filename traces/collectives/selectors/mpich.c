/* MPICH's choices: SimGrid 3.32, src/smpi/colls/smpi_mpich_selector.cpp, for commutative
 * operations, such as MPI_SUM.  SMPI's replay has no operations, and crashes if an allreduce or a
 * reduce asks whether its operation is commutative. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/selectors/selector.h"

/* In bytes, unless a comment says elements. */
enum {
  ALLREDUCE_SHORT = 2048,
  REDUCE_SHORT = 2048,
  ALLTOALL_SHORT = 256,
  ALLTOALL_MEDIUM = 32768,
  BCAST_SHORT = 12288,
  BCAST_LONG = 524288,
  REDUCE_SCATTER_LONG = 524288, /* elements */
  ALLGATHER_LONG = 524288,      /* of the blocks of all ranks together; elements in allgatherv */
  ALLGATHER_MEDIUM = 81920      /* as ALLGATHER_LONG */
};

static const struct lower_algorithm *barrier(const struct lowering *l, uint32_t k,
                                             struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_barrier_ompi_bruck : NULL;
}

static const struct lower_algorithm *bcast_by_size(const struct lowering *l)
{
  if (l->send_bytes < BCAST_SHORT || l->ranks <= 8)
    return &lower_bcast_binomial_tree;
  if (l->send_bytes < BCAST_LONG && l->ranks % 2 == 0)
    return &lower_bcast_scatter_rdb_allgather;
  return &lower_bcast_scatter_lr_allgather;
}

/* Two levels if the group is the communicator and all nodes have the same number of ranks. */
static const struct lower_algorithm *bcast(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)sub;
  if (l->group != LOWER_ALL)
    return k == 0 ? bcast_by_size(l) : NULL;
  if (k == 0)
    return lower_prepared(l);
  if (k > 1)
    return NULL;
  return lower_uniform(l) ? &lower_bcast_smp_binomial : bcast_by_size(l);
}

static const struct lower_algorithm *reduce(const struct lowering *l, uint32_t k,
                                            struct lowering *sub)
{
  (void)sub;
  if (l->group == LOWER_ALL && k < 2)
    return k == 0 ? lower_prepared(l) : &lower_reduce_mvapich2_two_level;
  if (k > 0)
    return NULL;
  return l->count < lower_power_below(l->ranks) || l->send_bytes < REDUCE_SHORT
             ? &lower_reduce_binomial
             : &lower_reduce_scatter_gather;
}

static const struct lower_algorithm *allreduce(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  (void)sub;
  if (l->group == LOWER_ALL && k < 2)
    return k == 0 ? lower_prepared(l) : &lower_allreduce_mvapich2_two_level;
  if (k > 0)
    return NULL;
  return l->send_bytes > ALLREDUCE_SHORT && l->count >= lower_power_below(l->ranks)
             ? &lower_allreduce_rab_rdb
             : &lower_allreduce_rdb;
}

static const struct lower_algorithm *alltoall(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  (void)sub;
  if (k > 0)
    return NULL;
  if (l->send_bytes < ALLTOALL_SHORT && l->ranks >= 8)
    return &lower_alltoall_bruck;
  if (l->send_bytes < ALLTOALL_MEDIUM)
    return &lower_alltoall_mvapich2_scatter_dest;
  return l->ranks % 2 != 0 ? &lower_alltoall_pair : &lower_alltoall_ring;
}

static const struct lower_algorithm *alltoallv(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_alltoallv_bruck : NULL;
}

static const struct lower_algorithm *gather(const struct lowering *l, uint32_t k,
                                            struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_gather_ompi_binomial : NULL;
}

/* On ranks other than the root, sets the size of the blocks that they forward: recv_bytes. */
static const struct lower_algorithm *scatter(const struct lowering *l, uint32_t k,
                                             struct lowering *sub)
{
  sub->send_bytes = selector_scattered(l);
  return k == 0 ? &lower_scatter_ompi_binomial : NULL;
}

static const struct lower_algorithm *allgather(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  const uint64_t total = l->send_bytes * l->ranks;
  (void)sub;
  if (k > 0)
    return NULL;
  if (lower_power_of_two(l->ranks) && total < ALLGATHER_LONG)
    return &lower_allgather_rdb;
  return total <= ALLGATHER_MEDIUM ? &lower_allgather_bruck : &lower_allgather_ring;
}

static const struct lower_algorithm *allgatherv(const struct lowering *l, uint32_t k,
                                                struct lowering *sub)
{
  (void)sub;
  if (k > 0)
    return NULL;
  const uint64_t elements = selector_total(l, 1);
  if (elements == 0)
    return NULL;
  if (lower_power_of_two(l->ranks) && elements < ALLGATHER_LONG)
    return &lower_allgatherv_mpich_rdb;
  return elements <= ALLGATHER_MEDIUM ? &lower_allgatherv_ompi_bruck : &lower_allgatherv_mpich_ring;
}

static const struct lower_algorithm *reduce_scatter(const struct lowering *l, uint32_t k,
                                                    struct lowering *sub)
{
  (void)sub;
  if (k > 0)
    return NULL;
  return selector_total(l, 1) > REDUCE_SCATTER_LONG ? &lower_reduce_scatter_mpich_pair
                                                    : &lower_reduce_scatter_mpich_rdb;
}

#define SELECTOR(KIND, NAME, LIBRARY)                                                              \
  const struct lower_algorithm lower_##NAME##_##LIBRARY = {                                        \
      .row = {"mpich", "as MPICH chooses", "smpi_mpich_selector.cpp"}, .piece = NAME};

SELECTOR_EACH(SELECTOR, mpich)

selector_set selector_mpich = {SELECTOR_EACH(SELECTOR_MEMBER, mpich)};
