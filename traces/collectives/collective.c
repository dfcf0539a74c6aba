#include "traces/collectives/collective.h"

#include <string.h>

#include "traces/collectives/lower.h"

#define ROW(NAME, HELP, ...)                                                                       \
  {                                                                                                \
    .row = {NAME, HELP}, .part = { __VA_ARGS__ }                                                   \
  }
#define END                                                                                        \
  {                                                                                                \
    .row = { NULL, NULL }                                                                          \
  }

static const struct lower_algorithm BARRIER[] = {
    ROW("default", "ompi_basic_linear: rank 0 collects, then releases", &lower_barrier_linear),
    ROW("ompi_bruck", "dissemination", &lower_barrier_bruck),
    ROW("ompi_recursivedoubling", "recursive doubling", &lower_barrier_recursivedoubling),
    END,
};

static const struct lower_algorithm BCAST[] = {
    ROW("default", "binomial_tree", &lower_bcast_binomial),
    ROW("flattree", "the root sends to all at once", &lower_bcast_flattree),
    END,
};

static const struct lower_algorithm REDUCE[] = {
    ROW("default", "linear: all send to the root at once", &lower_reduce_linear),
    ROW("binomial", "binomial tree", &lower_reduce_binomial),
    END,
};

static const struct lower_algorithm ALLREDUCE[] = {
    ROW("default", "linear reduce to rank 0, then binomial bcast", &lower_reduce_linear,
        &lower_bcast_binomial),
    ROW("rdb", "recursive doubling", &lower_allreduce_rdb),
    END,
};

static const struct lower_algorithm *alltoall_default(const struct lowering *l);

static const struct lower_algorithm ALLTOALL[] = {
    {.row = {"default", "Open MPI's table: bruck, basic_linear or pair by size and ranks"},
     .select = alltoall_default},
    ROW("basic_linear", "all sends and receives posted at once", &lower_alltoall_linear),
    ROW("pair", "one partner a round, by exclusive or", &lower_alltoall_pair),
    ROW("bruck", "log2(ranks) rounds of packed blocks", &lower_alltoall_bruck),
    ROW("ring", "a round a distance: sends that far ahead, receives from that far behind",
        &lower_alltoall_ring),
    END,
};

static const struct lower_algorithm ALLTOALLV[] = {
    ROW("default", "linear: all sends and receives posted at once", &lower_alltoallv_linear),
    ROW("pair", "one partner a round, by exclusive or", &lower_alltoallv_pair),
    ROW("ring", "a round a distance: sends that far ahead, receives from that far behind",
        &lower_alltoallv_ring),
    END,
};

static const struct lower_algorithm GATHER[] = {
    ROW("default", "linear: all send to the root at once", &lower_gather),
    END,
};

static const struct lower_algorithm GATHERV[] = {
    ROW("default", "linear: all send to the root at once", &lower_gatherv),
    END,
};

static const struct lower_algorithm SCATTER[] = {
    ROW("default", "linear: the root sends to all at once", &lower_scatter),
    END,
};

static const struct lower_algorithm SCATTERV[] = {
    ROW("default", "linear: the root sends to all at once", &lower_scatterv),
    END,
};

static const struct lower_algorithm ALLGATHER[] = {
    ROW("default", "linear: all sends and receives posted at once", &lower_allgather_linear),
    ROW("ring", "a round a distance: sends that far ahead, receives from that far behind",
        &lower_allgather_ring),
    END,
};

static const struct lower_algorithm ALLGATHERV[] = {
    ROW("default", "linear: all sends and receives posted at once", &lower_allgatherv_linear),
    END,
};

static const struct lower_algorithm *reducescatter_default(const struct lowering *l);

static const struct lower_algorithm REDUCESCATTER[] = {
    {.row = {"default", "equal parts: reduce_scatterv; else mpich_pair or mpich_rdb by size"},
     .select = reducescatter_default},
    ROW("reduce_scatterv", "linear reduce to rank 0, then linear scatterv",
        &lower_reduce_of_recvcounts, &lower_scatterv_of_recvcounts),
    ROW("mpich_pair", "one partner a round", &lower_reducescatter_pair),
    ROW("mpich_rdb", "recursive doubling", &lower_reducescatter_rdb),
    END,
};

static const struct lower_algorithm SCAN[] = {
    ROW("default", "linear: each rank sends to all above it", &lower_scan),
    END,
};

static const struct {
  enum action_kind kind;
  const struct lower_algorithm *algorithms;
} TABLE[COLLECTIVE_KINDS] = {
    {ACTION_BARRIER, BARRIER},
    {ACTION_BCAST, BCAST},
    {ACTION_REDUCE, REDUCE},
    {ACTION_ALLREDUCE, ALLREDUCE},
    {ACTION_ALLTOALL, ALLTOALL},
    {ACTION_ALLTOALLV, ALLTOALLV},
    {ACTION_GATHER, GATHER},
    {ACTION_GATHERV, GATHERV},
    {ACTION_SCATTER, SCATTER},
    {ACTION_SCATTERV, SCATTERV},
    {ACTION_ALLGATHER, ALLGATHER},
    {ACTION_ALLGATHERV, ALLGATHERV},
    {ACTION_REDUCESCATTER, REDUCESCATTER},
    {ACTION_SCAN, SCAN},
    {ACTION_EXSCAN, SCAN},
};

/* --- Open MPI's choice for alltoall: alltoall__ompi in
 * src/smpi/colls/smpi_openmpi_selector.cpp of SimGrid 3.32, where "linear", "linear_sync" and
 * "two_proc" are all basic_linear.  The first entry with below > bytes of a block applies. --- */

enum { LINEAR = 1, PAIR = 2, BRUCK = 3 }; /* rows of ALLTOALL */

struct choice {
  uint32_t below;
  uint8_t row;
};

#define ANY         UINT32_MAX
#define MAX_CHOICES 5

static const struct {
  uint32_t ranks_below;
  struct choice choice[MAX_CHOICES];
} OPENMPI[] = {
    {2, {{ANY, LINEAR}}},
    {8, {{524288, LINEAR}, {1048576, PAIR}, {ANY, LINEAR}}},
    {16, {{ANY, LINEAR}}},
    {32, {{4, LINEAR}, {512, BRUCK}, {ANY, LINEAR}}},
    {64, {{512, BRUCK}, {ANY, LINEAR}}},
    {256, {{1024, BRUCK}, {262144, LINEAR}, {ANY, PAIR}}},
    {512, {{1024, BRUCK}, {32768, LINEAR}, {ANY, PAIR}}},
    {1024, {{512, BRUCK}, {262144, LINEAR}, {ANY, PAIR}}},
    {2048, {{512, BRUCK}, {ANY, LINEAR}}},
    {4096, {{1024, BRUCK}, {ANY, LINEAR}}},
    {ANY, {{2048, BRUCK}, {ANY, LINEAR}}},
};

/* Two ranks: more entries than MAX_CHOICES. */
static const struct choice TWO_RANKS[] = {
    {2, PAIR},      {4, LINEAR},   {16, PAIR},        {64, LINEAR}, {256, PAIR},
    {4096, LINEAR}, {32768, PAIR}, {1048576, LINEAR}, {ANY, PAIR},
};

static const struct lower_algorithm *alltoall_default(const struct lowering *l)
{
  const struct choice *c = TWO_RANKS;
  if (l->ranks != 2) {
    size_t i = 0;
    while (OPENMPI[i].ranks_below != ANY && l->ranks >= OPENMPI[i].ranks_below)
      i++;
    c = OPENMPI[i].choice;
  }
  while (c->below != ANY && l->send_bytes >= c->below)
    c++;
  return &ALLTOALL[c->row];
}

/* reduce_scatter__default in smpi_default_selector.cpp and reduce_scatter__mpich in
 * smpi_mpich_selector.cpp; the threshold counts elements, not bytes. */
static const struct lower_algorithm *reducescatter_default(const struct lowering *l)
{
  uint64_t total = 0;
  bool regular = true;
  for (uint32_t r = 0; r < l->ranks; r++) {
    total += (uint64_t)l->recvcounts[r];
    regular = regular && l->recvcounts[r] == l->recvcounts[0];
  }
  if (regular)
    return &REDUCESCATTER[1];
  return total > 524288 ? &REDUCESCATTER[2] : &REDUCESCATTER[3];
}

const struct lower_algorithm *lower_algorithm(enum action_kind kind, size_t i)
{
  const struct lower_algorithm *a = TABLE[kind - ACTION_BARRIER].algorithms;
  for (size_t k = 0; a[k].row.name != NULL; k++)
    if (k == i)
      return &a[k];
  return NULL;
}

const struct collective_algorithm *collective_algorithm(enum action_kind kind, size_t i)
{
  const struct lower_algorithm *a = lower_algorithm(kind, i);
  return a == NULL ? NULL : &a->row;
}

enum status collectives_set(struct collectives *c, const char *text, struct err *e)
{
  const char *equals = strchr(text, '=');
  if (equals == NULL)
    return err_set(e, "collective '%s': expected NAME=ALGORITHM, as allreduce=rdb", text);
  for (int k = 0; k < COLLECTIVE_KINDS; k++) {
    const enum action_kind kind = (enum action_kind)(ACTION_BARRIER + k);
    const char *name = action_name(kind);
    if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, strlen(name)) != 0)
      continue;
    char known[256] = "";
    for (size_t i = 0; collective_algorithm(kind, i) != NULL; i++) {
      if (strcmp(collective_algorithm(kind, i)->name, equals + 1) == 0) {
        c->algorithm[k] = (uint8_t)i;
        return OK;
      }
      err_list(known, sizeof known, collective_algorithm(kind, i)->name);
    }
    return err_set(e, "collective %s has no algorithm '%s'; it has: %s", name, equals + 1, known);
  }
  return err_set(e, "'%.*s' is not a collective; see 'haichi list collectives'",
                 (int)(equals - text), text);
}
