/* SimGrid 3.32: alltoall-{pair,ring}-{light,mpi,one}-barrier.cpp in src/smpi/colls/alltoall, and
 * the same in alltoallv.  SMPI's pair fails if the number of ranks is no power of two; the partners
 * of ring are used in this case. */
#include "traces/collectives/alltoall/alltoall.h"
#include "traces/collectives/shapes/rounds.h"

static bool pair_light(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_light_step(l, i, lower_power_of_two(l->ranks), op);
}

static bool ring_light(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_light_step(l, i, false, op);
}

static const struct lower_algorithm *pair_mpi(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  return rounds_barrier_piece(l, k, lower_power_of_two(l->ranks), sub);
}

static const struct lower_algorithm *ring_mpi(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  return rounds_barrier_piece(l, k, false, sub);
}

static const struct lower_algorithm *pair_one(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  (void)sub;
  if (k == 0)
    return lower_chosen(l, ACTION_BARRIER);
  return k == 1 ? &lower_alltoall_pair : NULL;
}

static const struct lower_algorithm *ring_one(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  (void)sub;
  if (k == 0)
    return lower_chosen(l, ACTION_BARRIER);
  return k == 1 ? &lower_alltoall_ring : NULL;
}

const struct lower_algorithm lower_alltoall_pair_light_barrier = {
    .row = {"pair_light_barrier", "as pair, a byte to and from the next partner after each round",
            "alltoall/alltoall-pair-light-barrier.cpp"},
    .steps = rounds_light_steps,
    .step = pair_light};

const struct lower_algorithm lower_alltoall_pair_mpi_barrier = {
    .row = {"pair_mpi_barrier", "as pair, a barrier before each round",
            "alltoall/alltoall-pair-mpi-barrier.cpp"},
    .piece = pair_mpi};

const struct lower_algorithm lower_alltoall_pair_one_barrier = {
    .row = {"pair_one_barrier", "a barrier, then pair", "alltoall/alltoall-pair-one-barrier.cpp"},
    .piece = pair_one};

const struct lower_algorithm lower_alltoall_ring_light_barrier = {
    .row = {"ring_light_barrier", "as ring, a byte from and to the next partners after each round",
            "alltoall/alltoall-ring-light-barrier.cpp"},
    .steps = rounds_light_steps,
    .step = ring_light};

const struct lower_algorithm lower_alltoall_ring_mpi_barrier = {
    .row = {"ring_mpi_barrier", "as ring, a barrier before each round",
            "alltoall/alltoall-ring-mpi-barrier.cpp"},
    .piece = ring_mpi};

const struct lower_algorithm lower_alltoall_ring_one_barrier = {
    .row = {"ring_one_barrier", "a barrier, then ring", "alltoall/alltoall-ring-one-barrier.cpp"},
    .piece = ring_one};
