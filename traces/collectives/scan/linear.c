/* colls::scan and exscan in src/smpi/colls/smpi_coll.cpp of SimGrid 3.32. */
#include "traces/collectives/rows.h"

/* Every rank sends to all above it. */
static uint64_t steps(const struct lowering *l)
{
  return (uint64_t)l->ranks + 1;
}

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  if (i == l->ranks)
    return lower_waitall(op);
  if (i == l->rank)
    return false;
  return i < l->rank ? lower_irecv(op, (uint32_t)i, LOWER_TAG_SCAN, l->send_bytes)
                     : lower_isend(op, (uint32_t)i, LOWER_TAG_SCAN, l->send_bytes);
}

static const struct lower_algorithm LINEAR = {
    .row = {"default", "linear: each rank sends to all above it", "smpi_coll.cpp"},
    .steps = steps,
    .step = step};

const struct lower_algorithm *const lower_scan_rows[] = {
    &LINEAR,
    NULL,
};
