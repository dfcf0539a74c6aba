/* Random factors of computations: jitter of the command line, noise of hosts. */
#include "common/numeric/rng.h"
#include "sim/effects/effects.h"
#include "sim/replay/replay.h"

double replay_jitter(const struct replay_options *o, uint32_t rank, uint64_t nth)
{
  double factor = 1;
  if (o->noise != NULL && o->noise->sd > 0)
    factor = effects_noise(o->noise, o->jitter_seed, o->host[rank - o->first_rank], rank, nth);
  if (o->jitter <= 0)
    return factor;
  struct rng rng = rng_new(o->jitter_seed, ((uint64_t)rank << 40) + nth);
  return factor * (1 + o->jitter * (2 * rng_double(&rng) - 1));
}
