/* SimGrid 3.32: ompi_bruck and ompi_two_procs in src/smpi/colls/barrier/barrier-ompi.cpp.  SMPI's
 * ompi_two_procs never ends on more than two ranks; on two ranks it is one round of ompi_bruck. */
#include "traces/collectives/algorithms.h"

/* Dissemination (ompi_bruck). */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t distance = UINT64_C(1) << (i / LOWER_EXCHANGE_STEPS);
  const struct lower_exchange x = lower_shift(l, distance, LOWER_TAG_BARRIER);
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

const struct lower_algorithm lower_barrier_ompi_bruck = {
    .row = {"ompi_bruck", "dissemination", "barrier/barrier-ompi.cpp"},
    .steps = lower_rounds_steps,
    .step = step};

const struct lower_algorithm lower_barrier_ompi_two_procs = {
    .row = {"ompi_two_procs", "two ranks exchange; more ranks: dissemination",
            "barrier/barrier-ompi.cpp"},
    .steps = lower_rounds_steps,
    .step = step};
