#include "mappers/refine/search.h"

#include <math.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "mappers/anneal.h"
#include "mappers/budget.h"
#include "mappers/refine/paths.h"

enum {
  SAMPLES = 500,       /* exchanges that estimate the mean change */
  STRIDE = 100,        /* exchanges between two reads of the clock */
  REFRESH_LEAST = 500, /* exchanges at one temperature: the largest of this, the number of ranks,
                          and the number of links / REFRESH_LINKS */
  REFRESH_LINKS = 8
};

/* The last temperature relative to the first. */
#define COOLING 0.01

struct annealing {
  struct swaps *s;
  struct rng rng;
  const uint32_t *side; /* sides of the grid; NULL: no grid */
  uint32_t ndims, bits; /* number of sides; bits of the number of hosts */
  uint32_t *best;       /* by rank: host */
  uint32_t *changed;    /* ranks moved since the best was found, with repetitions */
  uint32_t changes;     /* entries of `changed`; ranks + 1: too many to list */
  swaps_value least;
  uint64_t most_hop_bytes;
  bool exchanges;
};

/* A number below @p n from 16 bits of @p random. */
static uint32_t below(uint64_t random, uint32_t n)
{
  return (uint32_t)((random & 0xffff) * (uint64_t)n >> 16);
}

/* A neighbour of host @p h along a random axis; wraps around, also on a mesh. */
static uint32_t beside_on_grid(const struct annealing *x, uint32_t h, uint64_t random)
{
  const uint32_t d = below(random, x->ndims), side = x->side[d];
  uint32_t stride = 1;
  for (uint32_t i = 0; i < d; i++)
    stride *= x->side[i];
  const uint32_t at = h / stride % side;
  const uint32_t to = random >> 16 & 1 ? (at + 1 == side ? 0 : at + 1) : (at == 0 ? side : at) - 1;
  return h + (to - at) * stride;
}

/* A host at a random distance from @p h, with distances of all scales equally likely.  Hosts with
 * close numbers are mostly near each other. */
static uint32_t beside_elsewhere(const struct annealing *x, uint32_t h, uint64_t random)
{
  const uint32_t hosts = x->s->hosts;
  const uint64_t range = UINT64_C(2) << below(random, x->bits);
  const uint64_t offset = (random >> 16 & 0xffffffff) * range >> 32;
  return (uint32_t)((h + (uint64_t)hosts * 4 + offset - range / 2) % hosts);
}

/* Draws a target slot for a rank: near its host or, twice as often, near the host of a partner. */
static uint32_t choose_target(struct annealing *x, uint32_t rank)
{
  const struct swaps *s = x->s;
  const size_t degree = s->first[rank + 1] - s->first[rank];
  const uint64_t random = rng_next(&x->rng), other = rng_next(&x->rng);
  uint32_t host = s->host[rank];
  if (degree > 0 && random % 3 != 0) {
    const uint64_t i = (random >> 8 & 0xffffffff) * degree >> 32;
    host = s->host[s->arc[s->first[rank] + i].rank];
  }
  if (s->per_host == 1 || (random >> 40) % 4 != 0)
    host = x->side != NULL ? beside_on_grid(x, host, other) : beside_elsewhere(x, host, other);
  const bool fewer = s->capacity != NULL && s->capacity[host] < s->per_host;
  return host * s->per_host + below(other >> 48, fewer ? s->capacity[host] : s->per_host);
}

/* --- the best placement ----------------------------------------------------------------------- */

static void note_change(struct annealing *x, uint32_t rank)
{
  if (x->changes < x->s->ranks)
    x->changed[x->changes++] = rank;
  else
    x->changes = x->s->ranks + 1;
}

static void note_best(struct annealing *x)
{
  const swaps_value now = swaps_now(x->s);
  if (now >= x->least)
    return;
  x->least = now;
  if (x->changes > x->s->ranks)
    memcpy(x->best, x->s->host, x->s->ranks * sizeof *x->best);
  else
    for (uint32_t i = 0; i < x->changes; i++)
      x->best[x->changed[i]] = x->s->host[x->changed[i]];
  x->changes = 0;
}

static void take(struct annealing *x, uint32_t rank, uint32_t target)
{
  const uint32_t other = x->s->at[target];
  swaps_take(x->s);
  note_change(x, rank);
  if (other != SWAPS_NOBODY)
    note_change(x, other);
  note_best(x);
}

/* --- annealing -------------------------------------------------------------------------------- */

static double mean_change(struct annealing *x)
{
  double sum = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const uint32_t rank = (uint32_t)rng_below(&x->rng, x->s->ranks);
    sum += fabs(swaps_try(x->s, rank, choose_target(x, rank)));
    swaps_drop(x->s);
  }
  return sum / SAMPLES;
}

static bool is_too_far(const struct annealing *x)
{
  const struct swaps *s = x->s;
  return s->hop_change > 0 && s->hop_bytes + (uint64_t)s->hop_change > x->most_hop_bytes;
}

static bool is_allowed(const struct annealing *x, uint32_t target)
{
  return !(x->exchanges && x->s->at[target] == SWAPS_NOBODY) && !is_too_far(x);
}

static void try_one(struct annealing *x, double heat)
{
  const uint32_t rank = (uint32_t)rng_below(&x->rng, x->s->ranks);
  const uint32_t target = choose_target(x, rank);
  const double change = swaps_try(x->s, rank, target);
  const double limit = change <= 0 || heat <= 0 ? 0 : anneal_draw(heat, &x->rng);
  if (change <= limit && is_allowed(x, target) && target != x->s->slot[rank])
    take(x, rank, target);
  else
    swaps_drop(x->s);
}

static enum status cool(struct annealing *x, const struct search_plan *plan, struct err *e)
{
  struct budget b = budget_start(plan->seconds, plan->work);
  const double unit = plan->start * mean_change(x);
  const swaps_value bound = swaps_bound(x->s);
  uint32_t each = x->s->ranks > REFRESH_LEAST ? x->s->ranks : REFRESH_LEAST;
  each = x->s->links / REFRESH_LINKS > each ? x->s->links / REFRESH_LINKS : each;
  b.stride = STRIDE;
  for (bool more = x->least > bound; more;) {
    const double heat = anneal_heat(unit, COOLING, budget_share(&b));
    swaps_refresh(x->s, budget_share(&b));
    for (uint32_t i = 0; i < each && more; i++) {
      try_one(x, heat);
      more = budget_spend(&b, 1) && x->least > bound;
    }
    if (routes_check(x->s->routes, e) != OK || paths_check(x->s->paths, e) != OK)
      return FAIL;
  }
  return OK;
}

static void set_up(struct annealing *x, const struct search_plan *plan)
{
  x->rng = rng_new(plan->seed, plan->stream);
  x->most_hop_bytes = plan->most_hop_bytes > 0 ? plan->most_hop_bytes : UINT64_MAX;
  if (plan->more_hop_bytes > 0)
    x->most_hop_bytes = (uint64_t)((1 + plan->more_hop_bytes) * (double)x->s->hop_bytes);
  x->exchanges = plan->exchanges;
  x->side = routes_grid(x->s->routes, &x->ndims);
  while (x->s->hosts >> x->bits > 0)
    x->bits++;
  x->least = swaps_now(x->s);
}

/* The host of each rank, and the value. */
struct outcome {
  uint32_t *host;
  swaps_value value;
};

/* Anneals @p s and writes the hosts of the best placement found. */
static enum status run(struct swaps *s, const struct search_plan *plan, struct outcome *out,
                       struct err *e)
{
  ARENA(mem, e);
  struct annealing x = {.s = s, .best = out->host};
  if ((x.changed = arena_array(&mem, s->ranks, sizeof *x.changed)) == NULL)
    return FAIL;
  set_up(&x, plan);
  memcpy(out->host, s->host, s->ranks * sizeof *out->host);
  const enum status status = s->slots > 1 ? cool(&x, plan, e) : OK;
  out->value = x.least;
  return status;
}

/* --- hop-bytes, then the objective ------------------------------------------------------------ */

static enum status run_from(const uint32_t *host, const struct mapper_input *in,
                            const struct search_plan *plan, struct outcome *best, struct err *e)
{
  struct swaps s;
  if (swaps_new(&s, in, plan->objective, host, e) != OK)
    return FAIL;
  const enum status status = run(&s, plan, best, e);
  swaps_clear(&s);
  return status;
}

enum status search_value(const uint32_t *host, const struct mapper_input *in,
                         enum objective objective, swaps_value *value, struct err *e)
{
  struct swaps s;
  if (swaps_new(&s, in, objective, host, e) != OK)
    return FAIL;
  *value = swaps_now(&s);
  swaps_clear(&s);
  return OK;
}

/* Anneals hop-bytes into best->host.  Keeps @p host if the result is worse by the objective. */
static enum status run_hops(const uint32_t *host, const struct mapper_input *in,
                            const struct search_plan *plan, struct outcome *best, struct err *e)
{
  struct search_plan hops = *plan;
  swaps_value before, after;
  hops.objective = OBJECTIVE_HOPBYTES;
  hops.start = plan->hop_start;
  hops.seconds *= SEARCH_HOPS_TIME;
  hops.work *= SEARCH_HOPS_WORK;
  if (run_from(host, in, &hops, best, e) != OK ||
      search_value(host, in, plan->objective, &before, e) != OK ||
      search_value(best->host, in, plan->objective, &after, e) != OK)
    return FAIL;
  if (after > before)
    memcpy(best->host, host, in->ranks * sizeof *host);
  return OK;
}

static enum status run_both(uint32_t *start, const struct mapper_input *in,
                            const struct search_plan *plan, struct outcome *best, struct err *e)
{
  struct search_plan rest = *plan;
  if (plan->hop_start > 0) {
    if (run_hops(start, in, plan, best, e) != OK)
      return FAIL;
    memcpy(start, best->host, in->ranks * sizeof *start);
    rest.seconds *= 1 - SEARCH_HOPS_TIME;
  }
  return run_from(start, in, &rest, best, e);
}

enum status search(uint32_t *host, const struct mapper_input *in, const struct search_plan *plan,
                   swaps_value *value, struct err *e)
{
  ARENA(mem, e);
  uint32_t *start = arena_array(&mem, in->ranks, sizeof *start);
  struct outcome best = {.host = arena_array(&mem, in->ranks, sizeof *best.host)};
  if (arena_status(&mem) != OK)
    return FAIL;
  memcpy(start, host, in->ranks * sizeof *start);
  if (run_both(start, in, plan, &best, e) != OK)
    return FAIL;
  memcpy(host, best.host, in->ranks * sizeof *host);
  *value = best.value;
  return OK;
}
