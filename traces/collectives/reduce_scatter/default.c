/* SimGrid 3.32: reduce_scatter__default in src/smpi/colls/smpi_default_selector.cpp and
 * reduce_scatter__mpich in smpi_mpich_selector.cpp; the threshold counts elements, not bytes. */
#include "traces/collectives/reduce_scatter/reduce_scatter.h"

uint64_t reduce_scatter_sum(const struct lowering *l, uint64_t from, uint64_t to)
{
  uint64_t sum = 0;
  for (uint64_t r = from; r < to && r < l->ranks; r++)
    sum += (uint64_t)l->recvcounts[r];
  return sum;
}

bool reduce_scatter_equal(const struct lowering *l)
{
  for (uint32_t r = 1; r < l->ranks; r++)
    if (l->recvcounts[r] != l->recvcounts[0])
      return false;
  return true;
}

static const struct lower_algorithm *halves(const struct lowering *l, uint32_t k,
                                            struct lowering *sub)
{
  sub->root = 0;
  if (k == 0) {
    sub->count = reduce_scatter_sum(l, 0, l->ranks);
    sub->send_bytes = sub->count * l->recv_size;
    return &lower_reduce_default;
  }
  sub->sendcounts = l->recvcounts;
  sub->send_size = l->recv_size;
  sub->recv_bytes = lower_bytes_from(l, l->rank);
  return k == 1 ? &lower_scatterv_default : NULL;
}

const struct lower_algorithm lower_reduce_scatter_scatterv = {
    .row = {"reduce_scatterv", "linear reduce to rank 0, then linear scatterv",
            "smpi_default_selector.cpp"},
    .piece = halves};

static const struct lower_algorithm *pick(const struct lowering *l)
{
  if (reduce_scatter_equal(l))
    return &lower_reduce_scatter_scatterv;
  return reduce_scatter_sum(l, 0, l->ranks) > 524288 ? &lower_reduce_scatter_mpich_pair
                                                     : &lower_reduce_scatter_mpich_rdb;
}

const struct lower_algorithm lower_reduce_scatter_default = {
    .row = {"default", "equal parts: reduce_scatterv; else mpich_pair or mpich_rdb by size",
            "smpi_mpich_selector.cpp"},
    .pick = pick};
