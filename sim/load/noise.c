/* Noise of the operating system: every `every` seconds a computation of `for` seconds at full speed
 * on each host that has ranks, starting at a random phase.  A computation that is still running
 * when the next one is due delays it. */
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "sim/load/kind.h"

/* The shortest time between two computations. */
#define SHORTEST_S 1e-9

struct daemon {
  struct step step;
  double next; /* date in s at which the next computation is due */
};

struct noise {
  struct load base;
  double every_s, for_s;
  struct daemon *daemon; /* by actor; owned */
};

#define AT(FIELD) offsetof(struct noise, FIELD)

static const struct spec_option OPTIONS[] = {
    {"every", SPEC_TIME, AT(every_s), NULL, .help = "time from one computation to the next"},
    {"for", SPEC_TIME, AT(for_s), NULL, .help = "length of a computation"},
    LOAD_SEED,
    {.name = NULL},
};

static enum status check(struct load *l, struct err *e)
{
  const struct noise *n = (const struct noise *)l;
  if (n->for_s <= 0)
    return err_set(e, "for= must be above 0");
  if (n->every_s < SHORTEST_S)
    return err_set(e, "every= must be at least %g s", SHORTEST_S);
  return n->for_s < n->every_s
             ? OK
             : err_set(e, "for= %g s is not below every= %g s", n->for_s, n->every_s);
}

/* Lists each host of a rank once, in the order of hosts. */
static enum status list_hosts(struct load *l, struct err *e)
{
  const struct load_site *site = l->site;
  const uint32_t hosts = platform_hosts(site->platform);
  OWNED bool *busy = mem_array(hosts, sizeof *busy, e);
  if (busy == NULL || load_actors(l, site->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < site->ranks; r++)
    busy[site->host[r]] = true;
  l->actors = 0;
  for (uint32_t h = 0; h < hosts; h++)
    if (busy[h])
      l->host[l->actors++] = h;
  return OK;
}

static enum status place(struct load *l, struct err *e)
{
  struct noise *n = (struct noise *)l;
  struct rng rng = rng_new(l->seed + l->site->seed, 0);
  if (list_hosts(l, e) != OK || (n->daemon = mem_array(l->actors, sizeof *n->daemon, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < l->actors; i++)
    n->daemon[i].next = n->every_s * rng_double(&rng);
  return OK;
}

/* The profile that a permanently busy rank sees.  During a noise computation, which gets the same
 * share of a core as the rank, the rank's share is smaller.  A cycle begins at date 0, which may be
 * within a computation. */
static enum status add_cycle(const struct noise *n, const struct loads *all, uint32_t actor,
                             struct profiles *out, struct err *e)
{
  const struct platform *p = n->base.site->platform;
  const uint32_t h = n->base.host[actor];
  const double share = loads_share(all, h, 0), less = loads_share(all, h, 1);
  const double length = n->for_s * platform_full_speed(p, h) / platform_host_speed(p, h) / less;
  const double phase = n->daemon[actor].next, over = phase + length - n->every_s;
  const double at_first[] = {share, less, share}, within[] = {less, share, less};
  if (less == share)
    return share == 1 ? OK : load_add_speed(all, h, (double[]){0}, at_first, 1, -1, out, e);
  if (length >= n->every_s)
    return load_add_speed(all, h, (double[]){0, phase}, at_first, 2, -1, out, e);
  if (over <= 0)
    return load_add_speed(all, h, (double[]){0, phase, length}, at_first, 3, -over, out, e);
  return load_add_speed(all, h, (double[]){0, over, phase - over}, within, 3, n->every_s - phase,
                        out, e);
}

static enum status add_profiles(const struct load *l, const struct loads *all, struct profiles *out,
                                struct err *e)
{
  for (uint32_t i = 0; i < l->actors; i++)
    if (add_cycle((const struct noise *)l, all, i, out, e) != OK)
      return FAIL;
  return OK;
}

/* Sleeps until the next computation is due, then computes.  A zeroed d->step, the first one, is an
 * empty computation. */
static struct step *step(struct load *l, uint32_t actor)
{
  struct noise *n = (struct noise *)l;
  struct daemon *d = &n->daemon[actor];
  const double flops = n->for_s * platform_full_speed(l->site->platform, l->host[actor]);
  const double now = load_now(l);
  const bool due = d->step.kind == STEP_SLEEP || d->next <= now;
  if (d->step.kind == STEP_EXEC)
    l->figures.flops += d->step.amount;
  if (due) {
    d->step = (struct step){.kind = STEP_EXEC, .amount = flops, .watched = true};
    d->next += n->every_s;
  } else {
    d->step = (struct step){.kind = STEP_SLEEP, .amount = d->next - now};
  }
  return &d->step;
}

static void finish(struct load *l)
{
  const struct noise *n = (struct noise *)l;
  for (uint32_t i = 0; i < l->actors; i++)
    l->figures.flops += load_done(l, i, &n->daemon[i].step);
}

static void clear(struct load *l)
{
  free(((struct noise *)l)->daemon);
}

const struct load_kind load_noise = {
    .name = "noise",
    .example = "noise:every=10ms,for=100us,seed=1",
    .help = "the operating system of each host computes FOR seconds every EVERY seconds",
    .varies = true,
    .shares_within = true,
    .bytes = sizeof(struct noise),
    .options = OPTIONS,
    .check = check,
    .place = place,
    .step = step,
    .add_profiles = add_profiles,
    .finish = finish,
    .clear = clear,
};
