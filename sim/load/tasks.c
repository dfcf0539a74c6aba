/* Endless competing computations on random hosts, drawn with replacement: the MEGA paper's
 * competing tasks.  They share a host as ranks do: on one core, n of them leave a rank 1/(n+1).
 * With work= and pause= each alternately pauses and computes; both lengths are random, exponential
 * with these means. */
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

static enum status parse(struct load **out, const char *text, struct err *e)
{
  struct field f[] = {{.name = "work"}, {.name = "pause"}, {.name = "seed"}};
  struct tasks made = {.number = 0};
  if (load_fields(text, &made.number, f, 3, &made.base.seed, e) != OK ||
      fields_quantity(&f[0], NUM_TIME, 0, &made.work_s, e) != OK ||
      fields_quantity(&f[1], NUM_TIME, 0, &made.pause_s, e) != OK)
    return FAIL;
  const bool given = f[0].value[0] != '\0' || f[1].value[0] != '\0';
  if (given && !(made.work_s > 0 && made.pause_s > 0))
    return err_set(e, "work= and pause= are two times above 0");
  made.base.varies = given;
  struct tasks *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  *t = made;
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
    .parse = parse,
    .place = place,
    .step = step,
    .finish = finish,
    .clear = clear,
};
