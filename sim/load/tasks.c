/* Competing computations on random hosts, with replacement, which never end: the MEGA paper's
 * competing tasks.  They share a host as ranks do: on one core, n of them leave a rank 1/(n+1). */
#include <stdlib.h>

#include "common/mem.h"
#include "common/rng.h"
#include "sim/load/kind.h"

/* Long enough that few end, short enough that what is left has digits to count flops by. */
#define SECONDS 1e8

struct tasks {
  struct load base;
  uint32_t number;
  struct step *step; /* by actor; owned */
};

static enum status parse(struct load **out, const char *text, struct err *e)
{
  struct field f[] = {{.name = "seed"}};
  uint32_t number;
  uint64_t seed;
  if (load_fields(text, &number, f, 1, &seed, e) != OK)
    return FAIL;
  struct tasks *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  t->number = number;
  t->base.seed = seed;
  *out = &t->base;
  return OK;
}

static enum status place(struct load *l, struct err *e)
{
  struct tasks *t = (struct tasks *)l;
  const struct platform *p = l->site->platform;
  struct rng rng = rng_new(l->seed + l->site->seed, 0);
  if ((t->step = mem_array(t->number, sizeof *t->step, e)) == NULL ||
      load_actors(l, t->number, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < t->number; i++)
    l->host[i] = (uint32_t)rng_below(&rng, platform_hosts(p));
  return OK;
}

static struct step *step(struct load *l, uint32_t actor)
{
  struct step *s = &((struct tasks *)l)->step[actor];
  l->figures.flops += s->amount; /* of the step before; 0 at first */
  *s = (struct step){.kind = STEP_EXEC,
                     .amount = SECONDS * platform_full_speed(l->site->platform, l->host[actor]),
                     .watched = true};
  return s;
}

static void finish(struct load *l)
{
  const struct tasks *t = (struct tasks *)l;
  for (uint32_t i = 0; i < l->actors; i++)
    l->figures.flops += load_done(l, i, &t->step[i]);
}

static void clear(struct load *l)
{
  free(((struct tasks *)l)->step);
}

const struct load_kind load_tasks = {
    .name = "tasks",
    .example = "tasks:10,seed=1",
    .help = "N computations on random hosts that share them with the ranks",
    .competes = true,
    .parse = parse,
    .place = place,
    .step = step,
    .finish = finish,
    .clear = clear,
};
