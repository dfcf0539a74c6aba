#include "mappers/tune/exchanges.h"

#include "common/arena.h"
#include "mappers/tune/descent.h"

static double score(void *estimate, const uint32_t *at)
{
  return estimate_of_slots(estimate, at);
}

enum status exchanges_improve(uint32_t *host, const struct mapper_input *in, struct estimate *x,
                              const struct exchanges_plan *plan, double *value, struct err *e)
{
  ARENA(mem, e);
  struct descent d = {.score = score,
                      .data = x,
                      .heat = plan->heat,
                      .steps = (uint32_t)(plan->work / estimate_work(x))};
  struct rng r = rng_new(plan->seed, plan->stream);
  if (moves_new(&d.moves, in, &mem) != OK)
    return FAIL;
  uint32_t *at = arena_array(&mem, moves_slots(d.moves), sizeof *at);
  if (at == NULL || moves_place(d.moves, host, at, e) != OK ||
      descent_run(&d, &r, at, value, e) != OK)
    return FAIL;
  mapper_hosts(in, at, host);
  return OK;
}
