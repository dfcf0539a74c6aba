/* Open MPI's choice: alltoall__ompi in src/smpi/colls/smpi_openmpi_selector.cpp of SimGrid 3.32,
 * where "linear", "linear_sync" and "two_proc" are all basic_linear.  The first entry with below >
 * bytes of a block applies. */
#include "traces/collectives/alltoall/alltoall.h"

enum { LINEAR, PAIR, BRUCK };

static const struct lower_algorithm *const PICK[] = {
    [LINEAR] = &lower_alltoall_basic_linear,
    [PAIR] = &lower_alltoall_pair,
    [BRUCK] = &lower_alltoall_bruck,
};

struct choice {
  uint32_t below;
  uint8_t pick;
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

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)sub;
  if (k > 0)
    return NULL;
  const struct choice *c = TWO_RANKS;
  if (l->ranks != 2) {
    size_t i = 0;
    while (OPENMPI[i].ranks_below != ANY && l->ranks >= OPENMPI[i].ranks_below)
      i++;
    c = OPENMPI[i].choice;
  }
  while (c->below != ANY && l->send_bytes >= c->below)
    c++;
  return PICK[c->pick];
}

const struct lower_algorithm lower_alltoall_default = {
    .row = {"default", "Open MPI's table: bruck, basic_linear or pair by size and ranks"},
    .piece = piece};
