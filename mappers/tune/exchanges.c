#include "mappers/tune/exchanges.h"

#include <math.h>
#include <string.h>

#include "common/arena.h"
#include "mappers/tune/descent.h"

struct scoring {
  const struct mapper_input *in;
  struct estimate *estimate;
  uint32_t *host; /* by rank */
  double fixed_s; /* estimate_fixed() */
};

static double score(void *data, const uint32_t *at)
{
  const struct scoring *x = data;
  struct err unused;
  double time_s;
  mapper_hosts(x->in, at, x->host);
  return estimate_time(x->estimate, x->host, &time_s, &unused) == OK ? time_s - x->fixed_s
                                                                     : INFINITY;
}

enum status exchanges_improve(uint32_t *host, const struct mapper_input *in, struct estimate *x,
                              const struct exchanges_plan *plan, double *value, struct err *e)
{
  ARENA(mem, e);
  struct scoring by = {in, x, arena_array(&mem, in->ranks, sizeof *by.host),
                       estimate_fixed(x, host)};
  struct descent d = {.score = score,
                      .data = &by,
                      .heat = plan->heat,
                      .steps = (uint32_t)(plan->work / estimate_work(x))};
  struct rng r = rng_new(plan->seed, plan->stream);
  double unused;
  if (by.host == NULL || moves_new(&d.moves, in, &mem) != OK)
    return FAIL;
  uint32_t *at = arena_array(&mem, moves_slots(d.moves), sizeof *at);
  if (at == NULL || moves_place(d.moves, host, at, e) != OK ||
      descent_run(&d, &r, at, &unused, e) != OK)
    return FAIL;
  mapper_hosts(in, at, by.host);
  if (estimate_time(x, by.host, value, e) != OK)
    return FAIL;
  memcpy(host, by.host, in->ranks * sizeof *host);
  return OK;
}
