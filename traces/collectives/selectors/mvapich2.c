/* MVAPICH2's choices on the Stampede cluster: SimGrid 3.32,
 * src/smpi/colls/smpi_mvapich2_selector.cpp and smpi_mvapich2_selector_stampede.hpp.
 *
 * SMPI keeps the choice of the last call of any rank in global variables, which two-level
 * algorithms read later.  Here each call keeps its own choice.  SMPI's sums of bytes wrap at 2^31;
 * the sums here do not. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/selectors/selector.h"

/* Picks of the tables: an algorithm or, for two levels, one between leaders and one within
 * nodes. */
enum {
  BINOMIAL,
  BRUCK,
  DEFAULT,
  HALVING,
  KNOMIAL,
  LINEAR,
  MPICH,
  PAIR,
  RDB,
  RING,
  RS,
  SCATTER_DEST,
  SCATTER_GATHER,
  SCATTER_RING,
  SMP,
  BINOMIAL_BINOMIAL,
  BINOMIAL_KNOMIAL,
  BINOMIAL_LINEAR,
  BINOMIAL_MPICH,
  DIRECT_BINOMIAL,
  DIRECT_LINEAR,
  DIRECT_MPICH,
  KNOMIAL_BINOMIAL,
  KNOMIAL_KNOMIAL,
  KNOMIAL_LINEAR,
  MPICH_MPICH,
  RDB_REDUCE,
  REDUCE_REDUCE,
  RS_REDUCE,
  SCATTER_RDB_MPICH,
  SCATTER_RING_MPICH
};

#define ANY SELECTOR_ANY

struct choice {
  const struct lower_algorithm *algorithm, *between, *within; /* see struct lowering */
};

/* Finds the row of a call.  Bounds are inclusive in all tables. */
static const struct selector_row *row_of(const struct selector_row *rows, const struct lowering *l,
                                         uint64_t bytes)
{
  return selector_find(rows, l->ranks - 1, bytes == 0 ? 0 : bytes - 1);
}

/* Applies the choice of a table. */
static const struct lower_algorithm *take(const struct choice *c, struct lowering *sub)
{
  sub->between = c->between;
  sub->within = c->within;
  return c->algorithm;
}

/* Selects the table by ranks per node: 1, 2 or 16.  Other numbers, and nodes with unequal numbers,
 * use the table for 1. */
static const struct selector_row *table_of(const struct lowering *l,
                                           const struct selector_row *const tables[3])
{
  const uint32_t here = lower_node_size(l, lower_node_of(l, l->rank));
  if (lower_uniform(l) && here == 2)
    return tables[1];
  return tables[lower_uniform(l) && here == 16 ? 2 : 0];
}

/* --- barrier, alltoall, alltoallv ------------------------------------------------------------- */

static const struct lower_algorithm *barrier(const struct lowering *l, uint32_t k,
                                             struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_barrier_mvapich2_pair : NULL;
}

static const struct selector_row ALLTOALL[] = {
    {2, ANY, PAIR},     {4, 262144, SCATTER_DEST}, {4, ANY, PAIR},
    {8, 8, RDB},        {8, ANY, SCATTER_DEST},    {16, 64, RDB},
    {16, 512, BRUCK},   {16, ANY, SCATTER_DEST},   {32, 32, RDB},
    {32, 2048, BRUCK},  {32, ANY, SCATTER_DEST},   {ANY, 8, RDB},
    {ANY, 1024, BRUCK}, {ANY, ANY, SCATTER_DEST}};

static const struct choice ALLTOALL_CHOICES[] = {
    [BRUCK] = {.algorithm = &lower_alltoall_bruck},
    [PAIR] = {.algorithm = &lower_alltoall_pair},
    [RDB] = {.algorithm = &lower_alltoall_rdb},
    [SCATTER_DEST] = {.algorithm = &lower_alltoall_mvapich2_scatter_dest},
};

static const struct lower_algorithm *alltoall(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  if (k > 0)
    return NULL;
  return take(&ALLTOALL_CHOICES[row_of(ALLTOALL, l, l->send_bytes)->pick], sub);
}

static const struct lower_algorithm *alltoallv(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_alltoallv_ring : NULL;
}

/* --- allgather, allgatherv -------------------------------------------------------------------- */

static const struct selector_row ALLGATHER_1[] = {
    {2, ANY, RING},   {4, 262144, RDB}, {4, ANY, RING},    {16, 131072, RDB}, {16, ANY, RING},
    {32, 65536, RDB}, {32, ANY, RING},  {ANY, 32768, RDB}, {ANY, ANY, RING}};

static const struct selector_row ALLGATHER_2[] = {
    {4, 524288, RDB}, {4, ANY, RING}, {8, 32768, RDB}, {8, ANY, SMP},
    {16, 16384, RDB}, {16, ANY, SMP}, {ANY, ANY, SMP}};

/* For more than 16 ranks and up to 1,024 bytes, SMPI calls a function that does nothing.  MVAPICH2
 * uses recursive doubling. */
static const struct selector_row ALLGATHER_16[] = {{ANY, 1024, RDB}, {ANY, ANY, RING}};

static const struct choice ALLGATHER_CHOICES[] = {
    [RDB] = {.algorithm = &lower_allgather_rdb},
    [RING] = {.algorithm = &lower_allgather_ring},
    [SMP] = {.algorithm = &lower_allgather_mvapich2_smp},
};

static const struct lower_algorithm *allgather(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  static const struct selector_row *const TABLES[] = {ALLGATHER_1, ALLGATHER_2, ALLGATHER_16};
  if (k != 1)
    return k == 0 ? lower_prepared(l) : NULL;
  const uint8_t pick = row_of(table_of(l, TABLES), l, l->recv_bytes)->pick;
  if (pick == SMP && !lower_blocked(l))
    return &lower_allgather_mpich;
  return take(&ALLGATHER_CHOICES[pick], sub);
}

static const struct selector_row ALLGATHERV[] = {
    {32, 512, RDB}, {32, ANY, RING}, {ANY, 256, RDB}, {ANY, ANY, RING}};

static const struct lower_algorithm *allgatherv(const struct lowering *l, uint32_t k,
                                                struct lowering *sub)
{
  (void)sub;
  if (k > 0)
    return NULL;
  const uint64_t mean = (selector_total(l, l->recv_size) + l->ranks - 1) / l->ranks;
  if (row_of(ALLGATHERV, l, mean)->pick == RING)
    return &lower_allgatherv_mpich_ring;
  return lower_power_of_two(l->ranks) ? &lower_allgatherv_mpich_rdb : &lower_allgatherv_ompi_bruck;
}

/* --- gather, scatter -------------------------------------------------------------------------- */

static const struct selector_row GATHER[] = {
    {16, 524288, LINEAR}, {16, ANY, MPICH},        {32, 16384, LINEAR},
    {32, 131072, MPICH},  {32, ANY, DIRECT_MPICH}, {64, 256, DIRECT_MPICH},
    {64, 16384, LINEAR},  {64, ANY, DIRECT_MPICH}, {ANY, 512, DIRECT_MPICH},
    {ANY, 16384, LINEAR}, {ANY, ANY, DIRECT_MPICH}};

static const struct choice GATHER_CHOICES[] = {
    [LINEAR] = {.algorithm = &lower_gather_ompi_basic_linear},
    [MPICH] = {.algorithm = &lower_gather_mpich},
    [DIRECT_MPICH] = {.algorithm = &lower_gather_mvapich2_two_level, .within = &lower_gather_mpich},
};

/* The choice depends on whether the ranks of nodes are consecutive.  As in SMPI, the answer is no
 * until lower_prepare has run in another collective. */
static const struct lower_algorithm *gather(const struct lowering *l, uint32_t k,
                                            struct lowering *sub)
{
  if (k > 0)
    return NULL;
  if (lower_prepared(l) != &lower_nothing || !lower_blocked(l))
    return &lower_gather_mpich;
  return take(&GATHER_CHOICES[row_of(GATHER, l, selector_gathered(l))->pick], sub);
}

static const struct selector_row SCATTER_1[] = {
    {2, ANY, BINOMIAL}, {32, ANY, LINEAR}, {ANY, 32, BINOMIAL}, {ANY, ANY, LINEAR}};

static const struct selector_row SCATTER_2[] = {
    {4, 4096, BINOMIAL},         {4, ANY, LINEAR},
    {8, 512, DIRECT_BINOMIAL},   {8, ANY, LINEAR},
    {32, 2048, DIRECT_BINOMIAL}, {32, ANY, LINEAR},
    {64, 8192, DIRECT_BINOMIAL}, {64, ANY, LINEAR},
    {ANY, 16, BINOMIAL},         {ANY, 128, BINOMIAL_LINEAR},
    {ANY, 16384, DIRECT_LINEAR}, {ANY, ANY, LINEAR}};

static const struct selector_row SCATTER_16[] = {
    {16, 256, BINOMIAL},          {16, ANY, LINEAR},
    {32, 512, BINOMIAL},          {32, ANY, LINEAR},
    {64, 1024, DIRECT_LINEAR},    {64, ANY, LINEAR},
    {256, 2048, DIRECT_LINEAR},   {256, ANY, LINEAR},
    {512, 4096, DIRECT_BINOMIAL}, {512, ANY, LINEAR},
    {1024, 32, BINOMIAL},         {1024, 4096, DIRECT_BINOMIAL},
    {1024, ANY, LINEAR},          {ANY, 128, BINOMIAL_BINOMIAL},
    {ANY, 1024, DIRECT_BINOMIAL}, {ANY, 16384, DIRECT_LINEAR},
    {ANY, 65536, LINEAR},         {ANY, ANY, DIRECT_LINEAR}};

static const struct choice SCATTER_CHOICES[] = {
    [BINOMIAL] = {.algorithm = &lower_scatter_ompi_binomial},
    [LINEAR] = {.algorithm = &lower_scatter_ompi_basic_linear},
    [BINOMIAL_BINOMIAL] = {.algorithm = &lower_scatter_mvapich2_two_level_binomial,
                           .within = &lower_scatter_ompi_binomial},
    [BINOMIAL_LINEAR] = {.algorithm = &lower_scatter_mvapich2_two_level_binomial,
                         .within = &lower_scatter_ompi_basic_linear},
    [DIRECT_BINOMIAL] = {.algorithm = &lower_scatter_mvapich2_two_level_direct,
                         .within = &lower_scatter_ompi_binomial},
    [DIRECT_LINEAR] = {.algorithm = &lower_scatter_mvapich2_two_level_direct,
                       .within = &lower_scatter_ompi_basic_linear},
};

static const struct lower_algorithm *scatter(const struct lowering *l, uint32_t k,
                                             struct lowering *sub)
{
  static const struct selector_row *const TABLES[] = {SCATTER_1, SCATTER_2, SCATTER_16};
  if (k != 1)
    return k == 0 ? lower_prepared(l) : NULL;
  const uint8_t pick = row_of(table_of(l, TABLES), l, selector_scattered(l))->pick;
  const struct choice *c = &SCATTER_CHOICES[pick];
  return take(c->within != NULL && !lower_blocked(l) ? &SCATTER_CHOICES[BINOMIAL] : c, sub);
}

/* --- bcast ------------------------------------------------------------------------------------ */

static const struct selector_row BCAST[] = {{16, 8192, MPICH_MPICH},
                                            {16, 16384, BINOMIAL_MPICH},
                                            {16, 65536, MPICH_MPICH},
                                            {16, 262144, SCATTER_RING_MPICH},
                                            {16, 524288, SCATTER_RDB_MPICH},
                                            {16, ANY, SCATTER_RING_MPICH},
                                            {64, ANY, MPICH_MPICH},
                                            {128, 524288, MPICH_MPICH},
                                            {128, ANY, SCATTER_RING},
                                            {256, 131072, MPICH_MPICH},
                                            {256, 262144, SCATTER_RING_MPICH},
                                            {256, 524288, MPICH_MPICH},
                                            {256, ANY, SCATTER_RING_MPICH},
                                            {512, 262144, MPICH_MPICH},
                                            {512, ANY, SCATTER_RING_MPICH},
                                            {ANY, 524288, MPICH_MPICH},
                                            {ANY, ANY, SCATTER_RING_MPICH}};

static const struct choice BCAST_CHOICES[] = {
    [SCATTER_RING] = {.algorithm = &lower_bcast_scatter_lr_allgather},
    [BINOMIAL_MPICH] = {&lower_bcast_mvapich2_inter_node, &lower_bcast_binomial_tree,
                        &lower_bcast_mpich},
    [MPICH_MPICH] = {&lower_bcast_mvapich2_inter_node, &lower_bcast_mpich, &lower_bcast_mpich},
    [SCATTER_RDB_MPICH] = {&lower_bcast_mvapich2_inter_node, &lower_bcast_scatter_rdb_allgather,
                           &lower_bcast_mpich},
    [SCATTER_RING_MPICH] = {&lower_bcast_mvapich2_inter_node, &lower_bcast_scatter_lr_allgather,
                            &lower_bcast_mpich},
};

/* A bcast from the root to the leaders, then within each node. */
static const struct lower_algorithm *bcast(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (l->count == 0 || k > 2)
    return NULL;
  if (k == 0)
    return lower_prepared(l);
  const struct choice *c = &BCAST_CHOICES[row_of(BCAST, l, l->send_bytes)->pick];
  if (k == 1)
    return take(c, sub);
  return c->within != NULL && lower_enter(l, LOWER_NODE, sub) ? c->within : NULL;
}

/* --- reduce, allreduce, reduce_scatter -------------------------------------------------------- */

static const struct selector_row REDUCE[] = {{16, 65536, KNOMIAL_LINEAR},
                                             {16, 262144, KNOMIAL_BINOMIAL},
                                             {16, 1048576, BINOMIAL},
                                             {16, ANY, SCATTER_GATHER},
                                             {32, 8192, KNOMIAL_LINEAR},
                                             {32, 16384, KNOMIAL_KNOMIAL},
                                             {32, 32768, KNOMIAL_LINEAR},
                                             {32, 65536, BINOMIAL_LINEAR},
                                             {32, 262144, KNOMIAL},
                                             {32, 1048576, BINOMIAL},
                                             {32, ANY, SCATTER_GATHER},
                                             {64, 8192, KNOMIAL_LINEAR},
                                             {64, 16384, KNOMIAL_KNOMIAL},
                                             {64, 65536, BINOMIAL_LINEAR},
                                             {64, 262144, KNOMIAL_KNOMIAL},
                                             {64, ANY, SCATTER_GATHER},
                                             {128, 8192, KNOMIAL_LINEAR},
                                             {128, 16384, KNOMIAL},
                                             {128, 65536, BINOMIAL_LINEAR},
                                             {128, 262144, KNOMIAL},
                                             {128, 1048576, BINOMIAL_BINOMIAL},
                                             {128, ANY, SCATTER_GATHER},
                                             {256, 8192, KNOMIAL_LINEAR},
                                             {256, 16384, KNOMIAL_KNOMIAL},
                                             {256, 32768, BINOMIAL_LINEAR},
                                             {256, 65536, BINOMIAL},
                                             {256, 262144, BINOMIAL_KNOMIAL},
                                             {256, 1048576, BINOMIAL_BINOMIAL},
                                             {256, ANY, SCATTER_GATHER},
                                             {512, 8192, KNOMIAL_LINEAR},
                                             {512, 16384, KNOMIAL},
                                             {512, 65536, BINOMIAL_LINEAR},
                                             {512, 262144, BINOMIAL_KNOMIAL},
                                             {512, 1048576, BINOMIAL_BINOMIAL},
                                             {512, ANY, SCATTER_GATHER},
                                             {1024, 8192, KNOMIAL_LINEAR},
                                             {1024, 16384, KNOMIAL},
                                             {1024, 65536, BINOMIAL_LINEAR},
                                             {1024, 262144, BINOMIAL_KNOMIAL},
                                             {1024, ANY, BINOMIAL_BINOMIAL},
                                             {ANY, 2048, KNOMIAL_LINEAR},
                                             {ANY, 4096, KNOMIAL},
                                             {ANY, 16384, BINOMIAL_LINEAR},
                                             {ANY, 65536, BINOMIAL_KNOMIAL},
                                             {ANY, 131072, BINOMIAL_BINOMIAL},
                                             {ANY, ANY, BINOMIAL_LINEAR}};

static const struct choice REDUCE_CHOICES[] = {
    [BINOMIAL] = {.algorithm = &lower_reduce_binomial},
    [KNOMIAL] = {.algorithm = &lower_reduce_mvapich2_knomial},
    [SCATTER_GATHER] = {.algorithm = &lower_reduce_scatter_gather},
    [BINOMIAL_BINOMIAL] = {&lower_reduce_mvapich2_two_level, &lower_reduce_binomial,
                           &lower_reduce_binomial},
    [BINOMIAL_KNOMIAL] = {&lower_reduce_mvapich2_two_level, &lower_reduce_binomial,
                          &lower_reduce_mvapich2_knomial},
    [BINOMIAL_LINEAR] = {&lower_reduce_mvapich2_two_level, &lower_reduce_binomial,
                         &lower_reduce_ompi_basic_linear},
    [KNOMIAL_BINOMIAL] = {&lower_reduce_mvapich2_two_level, &lower_reduce_mvapich2_knomial,
                          &lower_reduce_binomial},
    [KNOMIAL_KNOMIAL] = {&lower_reduce_mvapich2_two_level, &lower_reduce_mvapich2_knomial,
                         &lower_reduce_mvapich2_knomial},
    [KNOMIAL_LINEAR] = {&lower_reduce_mvapich2_two_level, &lower_reduce_mvapich2_knomial,
                        &lower_reduce_ompi_basic_linear},
};

/* Pieces of a choice.  With two levels, the ranks first find which of them share a host. */
static const struct lower_algorithm *piece_of(const struct choice *c, const struct lowering *l,
                                              uint32_t k, struct lowering *sub)
{
  const uint32_t before = c->between != NULL ? 1 : 0;
  if (k < before)
    return lower_prepared(l);
  return k == before ? take(c, sub) : NULL;
}

static const struct lower_algorithm *reduce(const struct lowering *l, uint32_t k,
                                            struct lowering *sub)
{
  if (l->count == 0)
    return NULL;
  uint8_t pick = row_of(REDUCE, l, l->send_bytes)->pick;
  if (pick == SCATTER_GATHER && l->count < lower_power_below(l->ranks))
    pick = BINOMIAL;
  return piece_of(&REDUCE_CHOICES[pick], l, k, sub);
}

/* Part of an allreduce within a node or among the leaders.  A bcast at the end gives the result to
 * the other ranks of the node. */
static const struct lower_algorithm *to_first(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  sub->root = 0;
  return k == 0 ? lower_chosen(l, ACTION_REDUCE) : NULL;
}

static const struct lower_algorithm reduce_to_first = {
    .row = {"reduce", "to the first rank", "smpi_mvapich2_selector.cpp"}, .piece = to_first};

static const struct selector_row ALLREDUCE[] = {{16, 1024, RDB_REDUCE},
                                                {16, ANY, RS},
                                                {512, 16384, RDB_REDUCE},
                                                {512, ANY, RS},
                                                {1024, 8192, RDB_REDUCE},
                                                {1024, 65536, RS_REDUCE},
                                                {1024, ANY, RS},
                                                {ANY, 64, RDB_REDUCE},
                                                {ANY, 512, REDUCE_REDUCE},
                                                {ANY, 4096, RDB_REDUCE},
                                                {ANY, ANY, RS}};

static const struct choice ALLREDUCE_CHOICES[] = {
    [RS] = {.algorithm = &lower_allreduce_mvapich2_rs},
    [RDB_REDUCE] = {&lower_allreduce_mvapich2_two_level, &lower_allreduce_rdb, &reduce_to_first},
    [REDUCE_REDUCE] = {&lower_allreduce_mvapich2_two_level, &reduce_to_first, &reduce_to_first},
    [RS_REDUCE] = {&lower_allreduce_mvapich2_two_level, &lower_allreduce_mvapich2_rs,
                   &reduce_to_first},
};

static const struct lower_algorithm *allreduce(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  if (l->count == 0)
    return NULL;
  return piece_of(&ALLREDUCE_CHOICES[row_of(ALLREDUCE, l, l->send_bytes)->pick], l, k, sub);
}

static const struct selector_row REDUCE_SCATTER[] = {
    {16, 64, DEFAULT},     {16, 65536, HALVING}, {16, ANY, PAIR},     {32, 64, DEFAULT},
    {32, 131072, HALVING}, {32, ANY, PAIR},      {64, 1024, DEFAULT}, {64, 262144, HALVING},
    {64, ANY, PAIR},       {256, 128, DEFAULT},  {256, ANY, HALVING}, {ANY, 256, DEFAULT},
    {ANY, ANY, HALVING}};

static const struct choice REDUCE_SCATTER_CHOICES[] = {
    [DEFAULT] = {.algorithm = &lower_reduce_scatter_default},
    [HALVING] = {.algorithm = &lower_reduce_scatter_ompi_basic_recursivehalving},
    [PAIR] = {.algorithm = &lower_reduce_scatter_mpich_pair},
};

static const struct lower_algorithm *reduce_scatter(const struct lowering *l, uint32_t k,
                                                    struct lowering *sub)
{
  if (k > 0)
    return NULL;
  const uint64_t total = selector_total(l, l->recv_size);
  return take(&REDUCE_SCATTER_CHOICES[row_of(REDUCE_SCATTER, l, total)->pick], sub);
}

#define SELECTOR(KIND, NAME, LIBRARY)                                                              \
  const struct lower_algorithm lower_##NAME##_##LIBRARY = {                                        \
      .row = {"mvapich2", "as MVAPICH2 chooses", "smpi_mvapich2_selector.cpp"}, .piece = NAME};

SELECTOR_EACH(SELECTOR, mvapich2)

selector_set selector_mvapich2 = {SELECTOR_EACH(SELECTOR_MEMBER, mvapich2)};
