#include "mappers/general/anneal_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/rng.h"
#include "mappers/general/region.h"

#define NOBODY UINT32_MAX

enum { SAMPLES = 1000 };

struct state {
  const struct graph *g;
  const struct target *m;
  struct regions regions;
  uint32_t *place; /* by host: where it is among regions.hosts[], near ones together */
  uint32_t *order; /* the inverse */
  uint32_t bits;   /* of the number of hosts */
  uint32_t *at;    /* by slot: its task */
  uint32_t *slot;  /* by task: the caller's copy is changed at the end */
  struct rng rng;
  int64_t change;
};

/* Hops of a task's edges if it were on @p host, but for the edge to @p other. */
static int64_t hops_from(const struct state *s, uint32_t v, uint32_t host, uint32_t other)
{
  const struct target *m = s->m;
  const uint16_t *row = m->distance + (size_t)m->group[host] * m->groups;
  int64_t sum = 0;
  for (uint32_t a = s->g->first[v]; a < s->g->first[v + 1]; a++) {
    const uint32_t u = s->g->to[a], there = s->slot[u] / m->per_host;
    if (u != other && there != host)
      sum += (int64_t)row[m->group[there]] * s->g->weight[a];
  }
  return sum;
}

/* What the exchange of a task with what is in a slot changes. */
static int64_t change_by(const struct state *s, uint32_t v, uint32_t target)
{
  const uint32_t u = s->at[target];
  const uint32_t from = s->slot[v] / s->m->per_host, to = target / s->m->per_host;
  int64_t change = hops_from(s, v, to, u) - hops_from(s, v, from, u);
  if (u != NOBODY)
    change += hops_from(s, u, from, v) - hops_from(s, u, to, v);
  return change;
}

/* A slot near one of the task's partners, at a distance of any scale; its own for none. */
static uint32_t choose_target(struct state *s, uint32_t v)
{
  const uint32_t row = s->g->first[v], degree = s->g->first[v + 1] - row, k = s->m->per_host;
  const uint64_t random = rng_next(&s->rng);
  if (degree == 0)
    return s->slot[v];
  const uint32_t partner = s->g->to[row + (uint32_t)((random & 0xffff) * degree >> 16)];
  const uint64_t range = UINT64_C(2) << ((random >> 16 & 0xff) % s->bits);
  const uint64_t offset = (random >> 24 & 0xffffffff) * range >> 32;
  const uint64_t at = s->place[s->slot[partner] / k] + s->m->hosts + offset - range / 2;
  return s->order[at % s->m->hosts] * k + (k == 1 ? 0 : (uint32_t)(random >> 56) % k);
}

static void exchange(struct state *s, uint32_t v, uint32_t target)
{
  const uint32_t u = s->at[target], source = s->slot[v];
  s->at[source] = u;
  if (u != NOBODY)
    s->slot[u] = source;
  s->at[target] = v;
  s->slot[v] = target;
}

static double mean_change(struct state *s)
{
  double sum = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const uint32_t v = (uint32_t)rng_below(&s->rng, s->g->n);
    sum += fabs((double)change_by(s, v, choose_target(s, v)));
  }
  return sum / SAMPLES;
}

static void sweep(struct state *s, double heat)
{
  for (uint32_t v = 0; v < s->g->n; v++) {
    const uint32_t target = choose_target(s, v);
    if (s->m->group[target / s->m->per_host] == s->m->group[s->slot[v] / s->m->per_host] &&
        s->m->per_host == 1)
      continue;
    const int64_t change = change_by(s, v, target);
    const double limit = change <= 0 || heat <= 0 ? 0 : -heat * log(1 - rng_double(&s->rng));
    if ((double)change > limit)
      continue;
    exchange(s, v, target);
    s->change += change;
  }
}

static void cool(struct state *s, const struct anneal_plan *plan)
{
  const double unit = mean_change(s);
  const uint32_t steps = plan->sweeps < 1 ? 1 : (uint32_t)plan->sweeps;
  for (uint32_t i = 0; i <= steps; i++) {
    const double part = (double)i / steps;
    sweep(s, i == steps ? 0 : unit * plan->start * pow(plan->end / plan->start, part));
  }
}

static enum status set_up(struct state *s, const uint32_t *slot, struct err *e)
{
  const struct target *m = s->m;
  uint32_t n = 0;
  if (regions_new(&s->regions, m, e) != OK ||
      (s->place = mem_array(m->hosts, sizeof *s->place, e)) == NULL ||
      (s->order = mem_array(m->hosts, sizeof *s->order, e)) == NULL ||
      (s->at = mem_array(m->slots, sizeof *s->at, e)) == NULL ||
      (s->slot = mem_array(s->g->n, sizeof *s->slot, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < m->groups; i++) {
    const uint32_t g = s->regions.order[i], count = s->regions.before[i + 1] - s->regions.before[i];
    for (uint32_t k = 0; k < count; k++, n++) {
      s->order[n] = s->regions.hosts[s->regions.first[g] + k];
      s->place[s->order[n]] = n;
    }
  }
  for (s->bits = 1; m->hosts >> s->bits > 0; s->bits++)
    ;
  memset(s->at, 0xff, m->slots * sizeof *s->at);
  for (uint32_t v = 0; v < s->g->n; v++) {
    s->slot[v] = slot[v];
    s->at[slot[v]] = v;
  }
  return OK;
}

enum status anneal_groups(struct placement *p, const struct anneal_plan *plan, struct err *e)
{
  struct state s = {.g = p->g, .m = p->m, .rng = rng_new(plan->seed, 0)};
  const enum status status = set_up(&s, p->slot, e);
  if (status == OK && p->g->n > 0) {
    cool(&s, plan);
    if (s.change < 0) {
      memcpy(p->slot, s.slot, p->g->n * sizeof *p->slot);
      p->hops += (uint64_t)s.change;
    }
  }
  regions_clear(&s.regions);
  free(s.place);
  free(s.order);
  free(s.at);
  free(s.slot);
  return status;
}
