#include "mappers/general/anneal/anneal_groups.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "mappers/anneal.h"
#include "mappers/general/cut/region.h"

#define NOBODY UINT32_MAX

enum { SAMPLES = 1000 };

struct state {
  const struct graph *g;
  const struct target *m;
  struct regions regions;
  uint32_t *place;      /* by host: its index in order[] */
  uint32_t *order;      /* hosts, near ones together */
  uint32_t least, bits; /* moves span 2^least (a mean group) to 2^bits (all) hosts of order[] */
  uint32_t *at;         /* by slot: its task, or NOBODY */
  uint32_t *slot;       /* by task; copied to the caller's array at the end */
  uint32_t *group;      /* by task: the group of its host */
  uint32_t *apart;      /* by task: number of its partners that could be nearer */
  struct rng rng;
  struct anneal_sweeps sweeps;
  int64_t change; /* sum of the changes of the cost */
};

static inline uint32_t host_of(const struct state *s, uint32_t slot)
{
  return s->m->per_host == 1 ? slot : slot / s->m->per_host;
}

/* The change of cost if task @p v moves from host @p from to @p to, without its edge to task
 * @p other.  The first loop counts partners on the same host like partners on other hosts of the
 * group; the second one corrects that. */
static int64_t change_of(const struct state *s, uint32_t v, uint32_t from, uint32_t to,
                         uint32_t other)
{
  const struct target *m = s->m;
  const uint16_t *before = target_row(m, from);
  const uint16_t *after = target_row(m, to);
  int64_t sum = 0;
  for (uint32_t a = s->g->first[v]; a < s->g->first[v + 1]; a++) {
    const uint32_t u = s->g->to[a], group = s->group[u];
    const int32_t hops = (int32_t)after[group] - before[group];
    sum += u == other ? 0 : (int64_t)hops * s->g->weight[a];
  }
  for (uint32_t a = s->g->first[v]; m->per_host > 1 && a < s->g->first[v + 1]; a++) {
    const uint32_t u = s->g->to[a], there = host_of(s, s->slot[u]);
    const int32_t none = (there == from ? before[m->groups.of[from]] : 0) -
                         (there == to ? after[m->groups.of[to]] : 0);
    sum += u == other ? 0 : (int64_t)none * s->g->weight[a];
  }
  return sum;
}

/* The change of cost if a task is exchanged with the content of a slot. */
static int64_t change_by(const struct state *s, uint32_t v, uint32_t target)
{
  const uint32_t u = s->at[target], from = host_of(s, s->slot[v]), to = host_of(s, target);
  const int64_t change = change_of(s, v, from, to, u);
  return u == NOBODY ? change : change + change_of(s, u, to, from, v);
}

/* Draws a slot near a random partner of the task, at a distance of a random scale.  Reaches at most
 * 4096 partners.  Returns the task's own slot if it has no partner. */
static uint32_t choose_target(struct state *s, uint32_t v, uint64_t random)
{
  const uint32_t row = s->g->first[v], degree = s->g->first[v + 1] - row, k = s->m->per_host;
  if (degree == 0)
    return s->slot[v];
  const uint32_t partner = s->g->to[row + (uint32_t)((random & 0xfff) * degree >> 12)];
  const uint64_t range = UINT64_C(2) << (s->least + (random >> 12 & 0xff) % (s->bits - s->least));
  const uint64_t offset = (random >> 20 & 0xffffffff) * range >> 32;
  uint64_t at = s->place[host_of(s, s->slot[partner])] + s->m->hosts + offset - range / 2;
  while (at >= s->m->hosts)
    at -= s->m->hosts;
  return s->order[at] * k + (k == 1 ? 0 : (uint32_t)(random >> 52 & 0x3ff) % k);
}

static bool are_apart(const struct state *s, uint32_t v, uint32_t u)
{
  return s->m->per_host == 1 ? s->group[v] != s->group[u]
                             : host_of(s, s->slot[v]) != host_of(s, s->slot[u]);
}

/* For each partner of a task that could be nearer, adds @p sign (1, or UINT32_MAX for -1) to
 * apart[] of the task and of the partner. */
static void count_apart(struct state *s, uint32_t v, uint32_t sign)
{
  for (uint32_t a = s->g->first[v]; a < s->g->first[v + 1]; a++) {
    const uint32_t u = s->g->to[a], by = are_apart(s, v, u) ? sign : 0;
    s->apart[v] += by;
    s->apart[u] += by;
  }
}

static void move(struct state *s, uint32_t v, uint32_t to)
{
  count_apart(s, v, UINT32_MAX);
  s->slot[v] = to;
  s->group[v] = s->m->groups.of[host_of(s, to)];
  count_apart(s, v, 1);
}

static void exchange(struct state *s, uint32_t v, uint32_t target)
{
  const uint32_t u = s->at[target], source = s->slot[v];
  s->at[source] = u;
  if (u != NOBODY)
    move(s, u, source);
  s->at[target] = v;
  move(s, v, target);
}

/* True if a move cannot change any cost. */
static bool is_idle(const struct state *s, uint32_t v, uint32_t target)
{
  return s->m->per_host == 1 && s->m->groups.of[target] == s->group[v];
}

static double mean_change(struct state *s)
{
  double sum = 0;
  uint32_t count = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const uint32_t v = (uint32_t)rng_below(&s->rng, s->g->n);
    const uint32_t target = choose_target(s, v, rng_next(&s->rng));
    sum += fabs((double)change_by(s, v, target));
    count += !is_idle(s, v, target);
  }
  return count == 0 ? 0 : sum / count;
}

/* Tries an exchange of each task that could be nearer to a partner. */
static void sweep(struct state *s, double heat)
{
  for (uint32_t v = 0; v < s->g->n; v++) {
    if (s->apart[v] == 0)
      continue;
    const uint64_t random = rng_next(&s->rng);
    const uint32_t target = choose_target(s, v, random);
    if (is_idle(s, v, target))
      continue;
    const int64_t change = change_by(s, v, target);
    if (change > 0 && (double)change > anneal_limit(&s->sweeps.table, heat, rng_next(&s->rng)))
      continue;
    exchange(s, v, target);
    s->change += change;
    s->sweeps.exchanges++;
  }
}

static void cool(struct state *s, const struct anneal_plan *plan)
{
  double heat;
  anneal_begin(&s->sweeps, plan, mean_change(s));
  while (anneal_next(&s->sweeps, &heat)) {
    sweep(s, heat);
    s->sweeps.done++;
  }
}

static void set_up(struct state *s, const uint32_t *slot)
{
  const struct target *m = s->m;
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->groups.count; i++) {
    const uint32_t g = s->regions.order[i];
    for (uint32_t k = m->groups.first[g]; k < m->groups.first[g + 1]; k++) {
      s->place[m->groups.member[k]] = n;
      s->order[n++] = m->groups.member[k];
    }
  }
  while (m->hosts >> s->bits > 0)
    s->bits++;
  while (m->hosts / m->groups.count >> (s->least + 1) > 0)
    s->least++;
  memset(s->at, 0xff, m->slots * sizeof *s->at);
  for (uint32_t v = 0; v < s->g->n; v++) {
    s->slot[v] = slot[v];
    s->at[slot[v]] = v;
    s->group[v] = m->groups.of[host_of(s, slot[v])];
  }
  for (uint32_t v = 0; v < s->g->n; v++)
    for (uint32_t a = s->g->first[v]; a < s->g->first[v + 1]; a++)
      s->apart[v] += are_apart(s, v, s->g->to[a]);
}

enum status anneal_groups(struct placement *p, const struct anneal_plan *plan, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = p->g->n;
  const struct target *m = p->m;
  struct state s = {.g = p->g,
                    .m = m,
                    .place = arena_array(&mem, m->hosts, sizeof *s.place),
                    .order = arena_array(&mem, m->hosts, sizeof *s.order),
                    .at = arena_array(&mem, m->slots, sizeof *s.at),
                    .slot = arena_array(&mem, n, sizeof *s.slot),
                    .group = arena_array(&mem, n, sizeof *s.group),
                    .apart = arena_array(&mem, n, sizeof *s.apart),
                    .rng = rng_new(plan->seed, 0)};
  if (regions_new(&s.regions, m, &mem) != OK)
    return FAIL;
  if (n == 0)
    return OK;
  set_up(&s, p->slot);
  cool(&s, plan);
  if (s.change < 0) {
    memcpy(p->slot, s.slot, n * sizeof *p->slot);
    p->hops += (uint64_t)s.change;
  }
  return OK;
}
