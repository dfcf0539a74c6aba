#include "mappers/tune/exchanges.h"

#include <string.h>

#include "common/arena.h"
#include "mappers/tune/descent.h"

struct scoring {
  struct estimate *estimate;
  double fixed_s; /* estimate_fixed() */
};

static double score(void *data, const uint32_t *at)
{
  const struct scoring *x = data;
  return estimate_of_slots(x->estimate, at) - x->fixed_s;
}

static enum status blame(void *data, struct moves *moves, struct err *e)
{
  const struct scoring *x = data;
  const struct mapper_blame *list;
  const size_t n = estimate_blame(x->estimate, &list);
  return moves_blame(moves, list, n, e);
}

enum status exchanges_improve(uint32_t *host, const struct mapper_input *in, struct estimate *x,
                              const struct exchanges_plan *plan, double *value, struct err *e)
{
  ARENA(mem, e);
  struct scoring by = {x, estimate_fixed(x, host)};
  struct descent d = {.score = score,
                      .blame = plan->blamed ? blame : NULL,
                      .data = &by,
                      .heat = plan->heat,
                      .steps = (uint32_t)(plan->work / estimate_work(x))};
  struct rng r = rng_new(plan->seed, plan->stream);
  double unused;
  uint32_t *found = arena_array(&mem, in->ranks, sizeof *found);
  if (found == NULL || moves_new(&d.moves, in, &mem) != OK)
    return FAIL;
  uint32_t *at = arena_array(&mem, moves_slots(d.moves), sizeof *at);
  if (at == NULL || moves_place(d.moves, host, at, e) != OK ||
      descent_run(&d, &r, at, &unused, e) != OK)
    return FAIL;
  mapper_hosts(in, at, found);
  if (estimate_time(x, found, value, e) != OK)
    return FAIL;
  memcpy(host, found, in->ranks * sizeof *host);
  return OK;
}
