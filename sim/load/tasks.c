/* Endless competing computations on random hosts, drawn with replacement: the competing tasks of
 * the MegaScript paper.  They share a host as ranks do: on one core, n of them leave a rank
 * 1/(n+1).  With work= and pause= each alternately pauses and computes; both lengths are random,
 * exponential with these means. */
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "sim/load/kind.h"

/* Length of a step: long enough that few end, short enough that the flops left keep their
 * digits. */
#define SECONDS 1e8

struct tasks {
  struct load base;
  uint32_t number;
  double work_s, pause_s; /* mean times, work at the host's full speed; 0: they never pause */
  struct rng *rng;        /* by actor; owned; NULL: they never pause */
  struct step *step;      /* by actor; owned */
};

#define AT(FIELD) offsetof(struct tasks, FIELD)

static const struct spec_option OPTIONS[] = {
    LOAD_NUMBER(AT(number), "computations"),
    {"work", SPEC_TIME, AT(work_s), "", .help = "mean time of a computation between two pauses"},
    {"pause", SPEC_TIME, AT(pause_s), "", .help = "mean time of a pause"},
    LOAD_SEED,
    {.name = NULL},
};

static enum status check(struct load *l, struct err *e)
{
  const struct tasks *t = (const struct tasks *)l;
  l->varies = spec_given(&l->spec, "work") || spec_given(&l->spec, "pause");
  return !l->varies || (t->work_s > 0 && t->pause_s > 0)
             ? OK
             : err_set(e, "work= and pause= must both be above 0");
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
  if (!l->varies)
    return OK;
  if ((t->rng = mem_array(t->number, sizeof *t->rng, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < t->number; i++)
    t->rng[i] = rng_new(l->seed + l->site->seed, 1 + (uint64_t)i);
  return OK;
}

static double exponential(struct rng *r, double mean)
{
  return -mean * log(1 - rng_double(r));
}

/* A step is zeroed at first: an empty computation, which precedes the first pause. */
static struct step *step(struct load *l, uint32_t actor)
{
  struct tasks *t = (struct tasks *)l;
  struct step *s = &t->step[actor];
  const double speed = platform_full_speed(l->site->platform, l->host[actor]);
  const bool worked = s->kind == STEP_EXEC;
  if (worked)
    l->figures.flops += s->amount;
  if (t->rng == NULL)
    *s = (struct step){.kind = STEP_EXEC, .amount = SECONDS * speed, .watched = true};
  else if (worked)
    *s = (struct step){.kind = STEP_SLEEP, .amount = exponential(&t->rng[actor], t->pause_s)};
  else
    *s = (struct step){.kind = STEP_EXEC,
                       .amount = exponential(&t->rng[actor], t->work_s) * speed,
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
  free(((struct tasks *)l)->rng);
}

const struct load_kind load_tasks = {
    .name = "tasks",
    .example = "tasks:10,seed=1",
    .help = "N computations on random hosts that share them with the ranks",
    .competes = true,
    .bytes = sizeof(struct tasks),
    .options = OPTIONS,
    .check = check,
    .place = place,
    .step = step,
    .finish = finish,
    .clear = clear,
};
