/* Open MPI's choices: SimGrid 3.32, src/smpi/colls/smpi_openmpi_selector.cpp, for commutative
 * operations, the only ones in replays. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/selectors/selector.h"

/* Open MPI's thresholds.  A row applies below its ranks and bytes.  Its pick is Open MPI's number
 * of an algorithm. */

#define ANY SELECTOR_ANY

static const struct selector_row ompi_allreduce_rows[] = {
    {4, 8, 4},        {4, 4096, 3},   {4, 8192, 4},     {4, 16384, 3},   {4, 65536, 4},
    {4, 262144, 5},   {4, ANY, 6},    {8, 16, 4},       {8, 8192, 3},    {8, ANY, 6},
    {16, 8192, 3},    {16, ANY, 6},   {32, 64, 5},      {32, 4096, 3},   {32, ANY, 6},
    {64, 128, 5},     {64, ANY, 6},   {128, 262144, 3}, {128, ANY, 6},   {256, 131072, 2},
    {256, 262144, 3}, {256, ANY, 6},  {512, 4096, 2},   {512, ANY, 6},   {2048, 2048, 2},
    {2048, 16384, 3}, {2048, ANY, 6}, {4096, 2048, 2},  {4096, 4096, 5}, {4096, 16384, 3},
    {4096, ANY, 6},   {ANY, 2048, 2}, {ANY, 16384, 5},  {ANY, 32768, 3}, {ANY, ANY, 6}};

static const struct selector_row ompi_alltoall_rows[] = {
    {3, 2, 2},         {3, 4, 5},         {3, 16, 2},      {3, 64, 5},       {3, 256, 2},
    {3, 4096, 5},      {3, 32768, 2},     {3, 262144, 4},  {3, 1048576, 5},  {3, ANY, 2},
    {8, 8192, 4},      {8, 16384, 1},     {8, 65536, 4},   {8, 524288, 1},   {8, 1048576, 2},
    {8, ANY, 1},       {16, 262144, 4},   {16, ANY, 1},    {32, 4, 4},       {32, 512, 3},
    {32, 8192, 4},     {32, 32768, 1},    {32, 262144, 4}, {32, 524288, 1},  {32, ANY, 4},
    {64, 512, 3},      {64, 524288, 1},   {64, ANY, 4},    {128, 1024, 3},   {128, 2048, 1},
    {128, 4096, 4},    {128, 262144, 1},  {128, ANY, 2},   {256, 1024, 3},   {256, 2048, 4},
    {256, 262144, 1},  {256, ANY, 2},     {512, 1024, 3},  {512, 8192, 4},   {512, 32768, 1},
    {512, ANY, 2},     {1024, 512, 3},    {1024, 8192, 4}, {1024, 16384, 1}, {1024, 131072, 4},
    {1024, 262144, 1}, {1024, ANY, 2},    {2048, 512, 3},  {2048, 1024, 4},  {2048, 2048, 1},
    {2048, 16384, 4},  {2048, 262144, 1}, {2048, ANY, 4},  {4096, 1024, 3},  {4096, 4096, 4},
    {4096, 8192, 1},   {4096, 131072, 4}, {4096, ANY, 1},  {ANY, 2048, 3},   {ANY, 8192, 4},
    {ANY, 16384, 1},   {ANY, 32768, 4},   {ANY, 65536, 1}, {ANY, ANY, 4}};

static const struct selector_row ompi_alltoallv_rows[] = {
    {4, ANY, 2}, {64, ANY, 1}, {128, ANY, 2}, {256, ANY, 1}, {1024, ANY, 2}, {ANY, ANY, 1}};

static const struct selector_row ompi_barrier_rows[] = {
    {4, ANY, 3},   {8, ANY, 1},    {64, ANY, 3},   {256, ANY, 4},
    {512, ANY, 6}, {1024, ANY, 4}, {4096, ANY, 6}, {ANY, ANY, 4}};

static const struct selector_row ompi_bcast_rows[] = {
    {4, 32, 3},      {4, 256, 5},       {4, 512, 3},      {4, 1024, 7},      {4, 32768, 1},
    {4, 131072, 5},  {4, 262144, 2},    {4, 524288, 1},   {4, 1048576, 6},   {4, ANY, 5},
    {8, 64, 5},      {8, 128, 6},       {8, 2048, 5},     {8, 8192, 6},      {8, 1048576, 1},
    {8, ANY, 2},     {16, 8, 7},        {16, 64, 5},      {16, 4096, 7},     {16, 16384, 5},
    {16, 32768, 6},  {16, ANY, 1},      {32, 4096, 7},    {32, 1048576, 6},  {32, ANY, 8},
    {64, 2048, 6},   {64, ANY, 7},      {128, ANY, 7},    {256, 2, 6},       {256, 16384, 5},
    {256, 32768, 1}, {256, 65536, 5},   {256, ANY, 7},    {1024, 16384, 7},  {1024, 32768, 4},
    {1024, ANY, 7},  {2048, 524288, 7}, {2048, ANY, 8},   {4096, 262144, 7}, {4096, ANY, 8},
    {ANY, 8192, 7},  {ANY, 16384, 5},   {ANY, 262144, 7}, {ANY, ANY, 8}};

static const struct selector_row ompi_reduce_rows[] = {
    {4, 8, 7},        {4, 16, 4},      {4, 32, 3},      {4, 262144, 1},  {4, 524288, 3},
    {4, 1048576, 2},  {4, ANY, 3},     {8, 4096, 4},    {8, 65536, 2},   {8, 262144, 5},
    {8, 524288, 1},   {8, 1048576, 5}, {8, ANY, 1},     {16, 8192, 4},   {16, ANY, 5},
    {32, 4096, 4},    {32, ANY, 5},    {256, ANY, 5},   {512, 8192, 5},  {512, 16384, 6},
    {512, ANY, 5},    {2048, ANY, 5},  {4096, 512, 5},  {4096, 1024, 6}, {4096, 8192, 5},
    {4096, 16384, 6}, {4096, ANY, 5},  {ANY, 16, 5},    {ANY, 32, 6},    {ANY, 1024, 5},
    {ANY, 2048, 6},   {ANY, 8192, 5},  {ANY, 16384, 6}, {ANY, ANY, 5}};

static const struct selector_row ompi_reduce_scatter_rows[] = {
    {4, 65536, 3},    {4, 131072, 4},   {4, ANY, 3},    {8, 8, 1},      {8, 262144, 2},
    {8, ANY, 3},      {32, 262144, 2},  {32, ANY, 3},   {64, 64, 1},    {64, 2048, 2},
    {64, 524288, 4},  {64, ANY, 3},     {128, 256, 1},  {128, 512, 2},  {128, 2048, 4},
    {128, 4096, 2},   {128, ANY, 4},    {256, 256, 1},  {256, 512, 2},  {256, ANY, 4},
    {512, 256, 1},    {512, 1024, 2},   {512, ANY, 4},  {1024, 512, 1}, {1024, 2048, 2},
    {1024, 8192, 4},  {1024, 16384, 2}, {1024, ANY, 4}, {2048, 512, 1}, {2048, 4096, 2},
    {2048, 16384, 4}, {2048, 32768, 2}, {2048, ANY, 4}, {4096, 512, 1}, {4096, 4096, 2},
    {4096, ANY, 4},   {ANY, 1024, 1},   {ANY, 8192, 2}, {ANY, ANY, 4}};

static const struct selector_row ompi_allgather_rows[] = {
    {3, ANY, 6},      {32, ANY, 3},      {64, 1024, 3},    {64, 65536, 5},    {64, ANY, 4},
    {128, 512, 3},    {128, 65536, 5},   {128, ANY, 4},    {256, 512, 3},     {256, 131072, 5},
    {256, 524288, 4}, {256, 1048576, 5}, {256, ANY, 4},    {512, 32, 3},      {512, 128, 2},
    {512, 1024, 3},   {512, 131072, 5},  {512, 524288, 4}, {512, 1048576, 5}, {512, ANY, 4},
    {1024, 64, 3},    {1024, 256, 2},    {1024, 2048, 3},  {1024, ANY, 5},    {2048, 4, 3},
    {2048, 8, 2},     {2048, 16, 3},     {2048, 32, 2},    {2048, 256, 3},    {2048, 512, 2},
    {2048, 4096, 3},  {2048, ANY, 5},    {4096, 32, 2},    {4096, 128, 3},    {4096, 512, 2},
    {4096, 4096, 3},  {4096, ANY, 5},    {ANY, 2, 3},      {ANY, 8, 2},       {ANY, 16, 3},
    {ANY, 512, 2},    {ANY, 4096, 3},    {ANY, ANY, 5}};

static const struct selector_row ompi_allgatherv_rows[] = {
    {3, 2048, 3},   {3, 4096, 5},   {3, 8192, 3},    {3, ANY, 5},     {8, 256, 1},
    {8, 4096, 4},   {8, 8192, 3},   {8, 16384, 4},   {8, 262144, 2},  {8, ANY, 4},
    {16, 1024, 1},  {16, ANY, 2},   {32, 128, 1},    {32, 262144, 2}, {32, ANY, 3},
    {64, 256, 1},   {64, 8192, 2},  {64, ANY, 3},    {128, 256, 1},   {128, 4096, 2},
    {128, ANY, 3},  {256, 1024, 2}, {256, 65536, 4}, {256, ANY, 3},   {512, 1024, 2},
    {512, ANY, 3},  {1024, 512, 2}, {1024, 1024, 1}, {1024, 4096, 2}, {1024, 1048576, 4},
    {1024, ANY, 3}, {ANY, 4096, 2}, {ANY, ANY, 4}};

static const struct selector_row ompi_gather_rows[] = {
    {4, 2, 3},      {4, 4, 1},      {4, 32768, 2}, {4, 65536, 1},  {4, 131072, 2}, {4, ANY, 3},
    {8, 1024, 2},   {8, 8192, 1},   {8, 32768, 2}, {8, 262144, 1}, {8, ANY, 3},    {256, ANY, 2},
    {512, 2048, 2}, {512, 8192, 1}, {512, ANY, 2}, {ANY, ANY, 2}};

static const struct selector_row ompi_scatter_rows[] = {
    {4, 2, 3},      {4, 131072, 1}, {4, 262144, 3},  {4, ANY, 1},  {8, 2048, 2},   {8, 4096, 1},
    {8, 8192, 2},   {8, 32768, 1},  {8, 1048576, 3}, {8, ANY, 1},  {16, 16384, 2}, {16, 1048576, 3},
    {16, ANY, 1},   {32, 16384, 2}, {32, 32768, 1},  {32, ANY, 3}, {64, 512, 2},   {64, 8192, 3},
    {64, 16384, 2}, {64, ANY, 3},   {ANY, 512, 2},   {ANY, ANY, 3}};

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

selector_set selector_ompi = {SELECTOR_EACH(SELECTOR_MEMBER, ompi)};
