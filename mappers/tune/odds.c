#include "mappers/tune/odds.h"

static uint64_t chance(const struct odds *x)
{
  return 1000 * (x->gained + 5) / (x->tried + 100) + 5;
}

uint32_t odds_draw(const struct odds *odds, uint32_t n, struct rng *r)
{
  uint64_t sum = 0;
  for (uint32_t k = 0; k < n; k++)
    sum += chance(&odds[k]);
  uint64_t number = rng_below(r, sum);
  uint32_t k = 0;
  for (; number >= chance(&odds[k]); k++)
    number -= chance(&odds[k]);
  return k;
}
