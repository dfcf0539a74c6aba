#include "traces/collectives/algorithms.h"

#include "traces/collectives/barrier/barrier.h"

static const struct lower_algorithm *pick(const struct lowering *l, uint32_t k,
                                          struct lowering *sub)
{
  (void)l;
  (void)sub;
  return k == 0 ? &lower_barrier_ompi_basic_linear : NULL;
}

const struct lower_algorithm lower_barrier_default = {
    .row = {"default", "ompi_basic_linear", "smpi_default_selector.cpp"}, .piece = pick};

const struct lower_algorithm *const lower_barrier_rows[] = {
    &lower_barrier_default,         &lower_barrier_ompi_basic_linear,
    &lower_barrier_ompi_two_procs,  &lower_barrier_ompi_tree,
    &lower_barrier_ompi_bruck,      &lower_barrier_ompi_recursivedoubling,
    &lower_barrier_ompi_doublering, &lower_barrier_mpich_smp,
    &lower_barrier_mvapich2_pair,   NULL,
};
