#include "traces/collectives/algorithms.h"
#include "traces/collectives/nonblocking/nonblocking.h"

static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  (void)l;
  (void)sub;
  return lower_waited(ACTION_SCAN, k);
}

static const struct lower_algorithm LINEAR = {
    .row = {"default", "linear: each rank sends to all above it", "smpi_coll.cpp"}, .piece = piece};

const struct lower_algorithm *const lower_scan_rows[] = {
    &LINEAR,
    NULL,
};
