/* SimGrid 3.32: alltoall-{pair,ring}-{light,mpi,one}-barrier.cpp in src/smpi/colls/alltoall, and
 * their counterparts in alltoallv. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/rounds.h"

/* --- light barriers --------------------------------------------------------------------------- */

static uint64_t light_steps(const struct lowering *l)
{
  return 2 * rounds_steps(l);
}

/* After a round, a rank exchanges one byte with the partners of the next round, against the
 * direction of its blocks. */
static bool light_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t each = 2 * LOWER_EXCHANGE_STEPS, round = i / each, s = i % each;
  if (s < LOWER_EXCHANGE_STEPS)
    return rounds_step(l, round * LOWER_EXCHANGE_STEPS + s, op);
  if (round == 0 || round + 1 == l->ranks)
    return false;
  struct lower_exchange x = rounds_partners(l, round + 1, rounds_tag(l));
  const uint32_t dst = x.dst;
  x.dst = x.src;
  x.src = dst;
  x.send_bytes = x.recv_bytes = 1;
  return lower_exchange(&x, s - LOWER_EXCHANGE_STEPS, op);
}

/* --- a barrier before each round -------------------------------------------------------------- */

static uint64_t round_steps(const struct lowering *l)
{
  (void)l;
  return LOWER_EXCHANGE_STEPS;
}

/* l->root holds the number of the round: these collectives have no root. */
static bool round_step(const struct lowering *l, uint64_t i, struct op *op)
{
  return rounds_step(l, (uint64_t)l->root * LOWER_EXCHANGE_STEPS + i, op);
}

static const struct lower_algorithm ROUND_SHIFT = {.steps = round_steps, .step = round_step};
static const struct lower_algorithm ROUND_XOR = {
    .steps = round_steps, .step = round_step, .variant = ROUNDS_XOR};

static const struct lower_algorithm *mpi_piece(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  if (k / 2 >= l->ranks)
    return NULL;
  if (k % 2 == 0)
    return lower_chosen(l, ACTION_BARRIER);
  sub->root = k / 2;
  return l->algorithm->part;
}

/* --- one barrier ------------------------------------------------------------------------------ */

static const struct lower_algorithm *one_piece(const struct lowering *l, uint32_t k,
                                               struct lowering *sub)
{
  (void)sub;
  if (k == 0)
    return lower_chosen(l, ACTION_BARRIER);
  return k == 1 ? l->algorithm->part : NULL;
}

const struct lower_algorithm lower_alltoall_pair_light_barrier = {
    .row = {"pair_light_barrier",
            "as pair, with a byte exchanged with the next partner after each round",
            "alltoall/alltoall-pair-light-barrier.cpp"},
    .steps = light_steps,
    .step = light_step,
    .variant = ROUNDS_XOR};

const struct lower_algorithm lower_alltoall_pair_mpi_barrier = {
    .row = {"pair_mpi_barrier", "as pair, with a barrier before each round",
            "alltoall/alltoall-pair-mpi-barrier.cpp"},
    .piece = mpi_piece,
    .part = &ROUND_XOR};

const struct lower_algorithm lower_alltoall_pair_one_barrier = {
    .row = {"pair_one_barrier", "a barrier, then pair", "alltoall/alltoall-pair-one-barrier.cpp"},
    .piece = one_piece,
    .part = &lower_alltoall_pair};

const struct lower_algorithm lower_alltoall_ring_light_barrier = {
    .row = {"ring_light_barrier",
            "as ring, with a byte exchanged with the next partners after each round",
            "alltoall/alltoall-ring-light-barrier.cpp"},
    .steps = light_steps,
    .step = light_step};

const struct lower_algorithm lower_alltoall_ring_mpi_barrier = {
    .row = {"ring_mpi_barrier", "as ring, with a barrier before each round",
            "alltoall/alltoall-ring-mpi-barrier.cpp"},
    .piece = mpi_piece,
    .part = &ROUND_SHIFT};

const struct lower_algorithm lower_alltoall_ring_one_barrier = {
    .row = {"ring_one_barrier", "a barrier, then ring", "alltoall/alltoall-ring-one-barrier.cpp"},
    .piece = one_piece,
    .part = &lower_alltoall_ring};
