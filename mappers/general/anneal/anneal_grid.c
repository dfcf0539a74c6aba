#include "mappers/general/anneal/anneal_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "mappers/anneal.h"
#include "mappers/general/anneal/grid_gains.h"

#define NOBODY GAINS_NOBODY

enum {
  SAMPLES = 2000,  /* exchanges that are sampled to find the mean change */
  WINDOW = 4096,   /* slots of one part of a sweep: they fit in a cache */
  LARGE_RING = 12, /* length of a ring from which on few edges span half of it */
  MOST_STEPS = 3,  /* limit of the steps of a way */
  MOST_WAYS = 4,   /* ways tested in a sweep */
  POOL = 1 << ANNEAL_BITS,
  LANES = 4,      /* pairs tested together in one vector */
  APART = 16,     /* a sweep tests one in APART tasks for a move beside a partner */
  APART_LINE = 4, /* the same on a grid of one axis */
  EXCHANGE = 5,   /* time of an exchange per partner, in tests of a pair */
  PARTNER = 16    /* time of a test of a move beside a partner, in tests of a pair */
};

typedef int32_t lanes __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef float floats __attribute__((vector_size(sizeof(lanes))));
typedef uint64_t halves __attribute__((vector_size(sizeof(lanes))));

/* A way from a host to a near host: one step on each of 1 to MOST_STEPS axes.  The step on the
 * lowest of these axes goes up, because the opposite way tests the same pairs. */
struct way {
  uint32_t steps;
  uint8_t axis[MOST_STEPS], move[MOST_STEPS];
};

struct ways {
  struct way *way;
  uint32_t count, next;
};

struct state {
  struct gains s;
  struct ways ways[MOST_STEPS]; /* by number of steps, minus 1 */
  uint32_t apart;               /* APART or APART_LINE */
  bool estimates;               /* estimate() is rarely above the true change, so it is used */
  float pool[2 * POOL + LANES]; /* thresholds in random order, stored twice, so that reading a run
                                   of POOL needs no wrap */
  struct rng rng;
  struct anneal_sweeps sweeps;
  double heat;
  int64_t change; /* sum of the changes of hop-bytes */
};

/* The weight of the edge between two tasks; 0 without edge. */
static int32_t weight_between(const struct graph *g, uint32_t u, uint32_t v)
{
  for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
    if (g->to[a] == v)
      return (int32_t)g->weight[a];
  return 0;
}

static void take(struct state *x, uint32_t v, uint32_t target, int64_t change)
{
  gains_exchange(&x->s, v, target);
  x->change += change;
  x->sweeps.exchanges++;
}

/* --- neighbours ------------------------------------------------------------------------------- */

/* The change of hop-bytes by an exchange of the contents of two slots that are one way apart. */
static int64_t change_by(const struct gains *s, const struct way *w, uint32_t slot, uint32_t target)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < w->steps; i++)
    sum += (int64_t)s->by[w->move[i]][slot] + s->by[s->opposite[w->move[i]]][target];
  if (s->at[slot] != NOBODY && s->at[target] != NOBODY)
    sum += 2 * (int64_t)w->steps * weight_between(&s->g, s->at[slot], s->at[target]);
  return sum;
}

static void try_pair(struct state *x, const struct way *w, uint32_t slot, uint32_t target,
                     double limit)
{
  const uint32_t v = x->s.at[slot], u = x->s.at[target];
  if (v == NOBODY && u == NOBODY)
    return;
  const int64_t change = change_by(&x->s, w, slot, target);
  if ((double)change > limit)
    return;
  if (v != NOBODY)
    take(x, v, target, change);
  else
    take(x, u, slot, change);
}

/* Tells which of LANES pairs are within their limits, ignoring edges between the two tasks. */
static inline lanes are_candidates(const int32_t *const *here, const int32_t *const *there,
                                   uint32_t steps, uint32_t i, floats limit)
{
  lanes sum = {0};
  for (uint32_t k = 0; k < steps; k++) {
    lanes a, b;
    memcpy(&a, here[k] + i, sizeof a);
    memcpy(&b, there[k] + i, sizeof b);
    sum += a + b;
  }
  return __builtin_convertvector(sum, floats) <= limit;
}

/* Tests @p count slots from @p from on, each paired with the slot @p offset further. */
static void test_run(struct state *x, const struct way *w, uint32_t from, uint32_t count,
                     int64_t offset)
{
  const float *most = x->pool + (rng_next(&x->rng) >> (64 - ANNEAL_BITS));
  const int32_t *here[MOST_STEPS], *there[MOST_STEPS];
  for (uint32_t k = 0; k < w->steps; k++) {
    here[k] = x->s.by[w->move[k]] + from;
    there[k] = x->s.by[x->s.opposite[w->move[k]]] + from + offset;
  }
  for (uint32_t i = 0; i < count; i += LANES) {
    floats limit;
    lanes taken;
    memcpy(&limit, most + i % POOL, sizeof limit);
    limit *= (float)x->heat;
    if (w->steps == 1)
      taken = are_candidates(here, there, 1, i, limit);
    else if (w->steps == 2)
      taken = are_candidates(here, there, 2, i, limit);
    else
      taken = are_candidates(here, there, 3, i, limit);
    if ((((halves)taken)[0] | ((halves)taken)[1]) == 0)
      continue;
    for (uint32_t k = 0; k < LANES && i + k < count; k++)
      if (taken[k])
        try_pair(x, w, from + i + k, (uint32_t)(from + i + k + offset), (double)limit[k]);
  }
}

/* Computes the number of slots by which the steps on all axes but the lowest move.  It is the same
 * for all slots of a block of the lowest axis.  Returns false if a step crosses the rim of a
 * mesh. */
static bool find_offset(const struct gains *s, const struct way *w, uint32_t slot, int64_t *offset)
{
  *offset = 0;
  for (uint32_t i = 1; i < w->steps; i++) {
    const uint32_t d = w->axis[i], at = gains_host(s, slot) / s->stride[d] % s->m->side[d];
    const struct gains_leap leap = s->leap[w->move[i]][at];
    if (leap.hosts == 0)
      return false;
    *offset += (int64_t)leap.hosts * s->m->per_host;
  }
  return true;
}

static void test_part(struct state *x, const struct way *w, uint32_t from, uint32_t to,
                      int64_t offset)
{
  if (from < to)
    test_run(x, w, from, to - from, offset);
}

/* Tests all pairs that are one way apart and have their first slot in a range.  In a block of the
 * lowest axis, all hosts but the last have the same offset; on a ring, the last one wraps around.
 */
static void test_way(struct state *x, const struct way *w, uint32_t from, uint32_t to)
{
  const struct gains *s = &x->s;
  const uint32_t d = w->axis[0], step = s->stride[d] * s->m->per_host, block = step * s->m->side[d];
  const bool around = s->m->wraps[d] && gains_two_ways(s, d);
  int64_t offset;
  for (uint32_t start = from - from % block; start < to; start += block) {
    const uint32_t rim = start + block - step, end = start + block;
    if (!find_offset(s, w, start, &offset))
      continue;
    test_part(x, w, start > from ? start : from, rim < to ? rim : to, offset + step);
    if (around)
      test_part(x, w, rim > from ? rim : from, end < to ? end : to, offset + step - block);
  }
}

/* The slot that a way leads to from the slot of task @p v; GAINS_NOBODY if the way crosses the rim
 * of a mesh. */
static uint32_t follow(const struct gains *s, const struct way *w, uint32_t v)
{
  int64_t hosts = 0;
  for (uint32_t i = 0; i < w->steps; i++) {
    const struct gains_leap leap = s->leap[w->move[i]][s->pos[(size_t)v * s->nd + w->axis[i]]];
    if (leap.hosts == 0)
      return NOBODY;
    hosts += leap.hosts;
  }
  return (uint32_t)(s->slot[v] + hosts * s->m->per_host);
}

/* Tests each task with a random slot of the host that the way, or its reverse, leads to. */
static void test_tasks(struct state *x, const struct way *w)
{
  struct way back = *w;
  for (uint32_t i = 0; i < w->steps; i++)
    back.move[i] = x->s.opposite[w->move[i]];
  for (uint32_t v = 0; v < x->s.g.n; v++) {
    const uint64_t random = rng_next(&x->rng);
    const struct way *way = random & 1 ? w : &back;
    const uint32_t there = follow(&x->s, way, v), k = x->s.m->per_host;
    const uint32_t target = there - there % k + (uint32_t)((random >> 1 & 0xffff) % k);
    if (there != NOBODY)
      try_pair(x, way, x->s.slot[v], target, anneal_limit(&x->sweeps.table, x->heat, random));
  }
}

/* --- ways ------------------------------------------------------------------------------------- */

static void add_step(const struct gains *s, struct way *w, uint32_t d, bool down)
{
  w->axis[w->steps] = (uint8_t)d;
  w->move[w->steps++] = (uint8_t)(s->first[d] + down);
}

/* Adds all ways that extend @p w by steps on axes from @p d on.  Only counts them while the arrays
 * are not allocated. */
static void add_ways(struct state *x, const struct way *w, uint32_t d)
{
  for (; d < x->s.nd && w->steps < MOST_STEPS; d++) {
    const bool both = w->steps > 0 && gains_two_ways(&x->s, d);
    struct ways *all = &x->ways[w->steps];
    for (int down = 0; down <= both; down++) {
      struct way more = *w;
      add_step(&x->s, &more, d, down);
      if (all->way != NULL)
        all->way[all->count] = more;
      all->count++;
      add_ways(x, &more, d + 1);
    }
  }
}

static void shuffle_ways(struct state *x, struct ways *w)
{
  for (uint32_t i = w->count; i-- > 1;) {
    const uint32_t k = (uint32_t)rng_below(&x->rng, i + 1);
    const struct way t = w->way[i];
    w->way[i] = w->way[k];
    w->way[k] = t;
  }
}

static enum status list_ways(struct state *x, struct arena *mem)
{
  const struct way none = {.steps = 0};
  add_ways(x, &none, 0);
  for (uint32_t i = 0; i < MOST_STEPS; i++) {
    if ((x->ways[i].way = arena_array(mem, x->ways[i].count, sizeof none)) == NULL)
      return FAIL;
    x->ways[i].count = 0;
  }
  add_ways(x, &none, 0);
  for (uint32_t i = 0; i < MOST_STEPS; i++)
    shuffle_ways(x, &x->ways[i]);
  return OK;
}

/* Chooses the ways of a sweep: for each number of steps the next one in turn, which gives better
 * results than a random one. */
static uint32_t choose_ways(struct state *x, struct way *w)
{
  static const uint8_t STEPS[MOST_WAYS] = {1, 2, 3, 2};
  uint32_t n = 0;
  for (uint32_t i = 0; i < MOST_WAYS; i++) {
    struct ways *all = &x->ways[STEPS[i] - 1];
    if (all->count > 0)
      w[n++] = all->way[all->next++ % all->count];
  }
  return n;
}

/* --- partners --------------------------------------------------------------------------------- */

/* A tested exchange of a task. */
struct test {
  uint32_t target; /* slot; GAINS_NOBODY: no exchange is possible */
  int64_t change;
};

/* The change of hop-bytes if task @p v moves to the host at @p to, without its edge to @p other. */
static int64_t change_of(const struct gains *s, uint32_t v, const int16_t *to, uint32_t other)
{
  const int16_t *mine = s->pos + (size_t)v * s->nd;
  int64_t sum = 0;
  for (uint32_t a = s->g.first[v]; a < s->g.first[v + 1]; a++) {
    const int16_t *at = s->pos + (size_t)s->g.to[a] * s->nd;
    int32_t hops = 0;
    for (uint32_t d = 0; d < s->nd; d++)
      hops += (int32_t)target_along(s->m, d, (uint32_t)to[d], (uint32_t)at[d]) -
              (int32_t)target_along(s->m, d, (uint32_t)mine[d], (uint32_t)at[d]);
    sum += s->g.to[a] == other ? 0 : (int64_t)hops * s->g.weight[a];
  }
  return sum;
}

/* Estimates the change of an exchange of task @p v with the task in slot @p target, if any: the
 * change of the first step on each axis times the number of steps.  Ignores an edge between the
 * two.  Not above the true change unless edges span half a ring. */
static int64_t estimate(const struct gains *s, uint32_t v, uint32_t target, const int16_t *to)
{
  const int16_t *mine = s->pos + (size_t)v * s->nd;
  const uint32_t here = s->slot[v];
  int64_t sum = 0;
  for (uint32_t d = 0; d < s->nd; d++) {
    const int32_t side = (int32_t)s->m->side[d];
    int32_t steps = to[d] - mine[d];
    if (steps == 0)
      continue;
    if (s->m->wraps[d] && 2 * abs(steps) > side)
      steps += steps < 0 ? side : -side;
    const uint32_t move = s->first[d] + (steps < 0 && gains_two_ways(s, d));
    sum += (int64_t)abs(steps) * (s->by[move][here] + s->by[s->opposite[move]][target]);
  }
  return sum;
}

/* The change of an exchange of task @p v with the task in slot @p target, if any; @p to:
 * coordinates of the slot.  Returns the estimate if that is already above @p limit. */
static int64_t change_to(const struct state *x, uint32_t v, uint32_t target, const int16_t *to,
                         double limit)
{
  const struct gains *s = &x->s;
  const uint32_t u = s->at[target];
  const int64_t change = x->estimates ? estimate(s, v, target, to) : INT64_MIN;
  if ((double)change > limit)
    return change;
  return change_of(s, v, to, u) +
         (u == NOBODY ? 0 : change_of(s, u, s->pos + (size_t)v * s->nd, v));
}

/* Tests an exchange that moves task @p v to a host beside one of its partners. */
static struct test test_partner(const struct state *x, uint32_t v, uint64_t random, double limit)
{
  const struct gains *s = &x->s;
  const uint32_t row = s->g.first[v], degree = s->g.first[v + 1] - row, k = s->m->per_host;
  int16_t to[GRID_MAX_DIMS];
  if (degree == 0)
    return (struct test){NOBODY, 0};
  const uint32_t partner = s->g.to[row + (uint32_t)((random & 0xffff) * degree >> 16)];
  const uint32_t move = (uint32_t)((random >> 16 & 0xffff) * s->moves >> 16), d = s->axis[move];
  const int16_t *at = s->pos + (size_t)partner * s->nd;
  const struct gains_leap leap = s->leap[move][at[d]];
  const uint32_t host = gains_host(s, s->slot[partner]) + (uint32_t)leap.hosts;
  const uint32_t target = host * k + (k == 1 ? 0 : (uint32_t)((random >> 32 & 0xffff) % k));
  if (leap.hosts == 0 || host == gains_host(s, s->slot[v]))
    return (struct test){NOBODY, 0};
  memcpy(to, at, s->nd * sizeof *to);
  to[d] = (int16_t)leap.to;
  return (struct test){target, change_to(x, v, target, to, limit)};
}

/* Makes a random exchange that moves task @p v beside a partner if the change is within the limit.
 */
static void try_partner(struct state *x, uint32_t v, uint64_t random)
{
  const double limit = anneal_limit(&x->sweeps.table, x->heat, random);
  const struct test t = test_partner(x, v, random, limit);
  if (t.target != NOBODY && (double)t.change <= limit)
    take(x, v, t.target, t.change);
}

/* --- all -------------------------------------------------------------------------------------- */

/* Tests moves beside a partner for some of the tasks in a range of slots. */
static void test_partners(struct state *x, uint32_t from, uint32_t to)
{
  for (uint32_t i = from + (uint32_t)rng_below(&x->rng, x->apart); i < to; i += x->apart) {
    const uint64_t random = rng_next(&x->rng);
    if (x->s.at[i] != NOBODY)
      try_partner(x, x->s.at[i], random);
  }
}

/* Swaps two random slots of each host.  A sweep pairs only slots of the same index on two hosts, so
 * tasks must change their index from time to time. */
static void mix_slots(struct state *x, uint32_t from, uint32_t to)
{
  const uint32_t k = x->s.m->per_host;
  for (uint32_t i = from; k > 1 && i + k <= to; i += k) {
    const uint64_t random = rng_next(&x->rng);
    gains_swap_slots(&x->s, i + (random >> 32) % k, i + (random & UINT32_MAX) % k);
  }
}

/* A sweep over all slots, for machines with few empty slots, by parts that fit in a cache. */
static void sweep_slots(struct state *x, const struct way *w, uint32_t ways)
{
  const uint32_t slots = x->s.m->slots, k = x->s.m->per_host;
  const uint32_t window = k < WINDOW ? WINDOW / k * k : k;
  for (uint32_t from = 0; from < slots; from += window) {
    const uint32_t to = from + window < slots ? from + window : slots;
    for (uint32_t i = 0; i < ways; i++)
      test_way(x, &w[i], from, to);
    test_partners(x, from, to);
    mix_slots(x, from, to);
  }
}

/* A sweep over all tasks, for machines with many empty slots.  Its time does not depend on the size
 * of the machine. */
static void sweep_tasks(struct state *x, const struct way *w, uint32_t ways)
{
  for (uint32_t i = 0; i < ways; i++)
    test_tasks(x, &w[i]);
  for (uint32_t v = (uint32_t)rng_below(&x->rng, x->apart); v < x->s.g.n; v += x->apart)
    try_partner(x, v, rng_next(&x->rng));
}

static double mean_change(struct state *x)
{
  const struct gains *s = &x->s;
  double sum = 0;
  uint32_t count = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const uint32_t v = (uint32_t)rng_below(&x->rng, s->g.n);
    const uint8_t move = (uint8_t)rng_below(&x->rng, s->moves);
    const struct way w = {.steps = 1, .axis = {s->axis[move]}, .move = {move}};
    const uint32_t target = follow(s, &w, v);
    count += target != NOBODY;
    sum += target == NOBODY ? 0 : fabs((double)change_by(s, &w, s->slot[v], target));
  }
  return count == 0 ? 0 : sum / count;
}

static void fill_pool(struct state *x)
{
  for (uint32_t i = 0; i < POOL; i++) {
    const uint32_t k = (uint32_t)rng_below(&x->rng, i + 1);
    x->pool[i] = x->pool[k];
    x->pool[k] = (float)x->sweeps.table.minus_log[i];
  }
  for (uint32_t i = POOL; i < 2 * POOL + LANES; i++)
    x->pool[i] = x->pool[i - POOL];
}

static void cool(struct state *x, const struct anneal_plan *plan)
{
  anneal_begin(&x->sweeps, plan, mean_change(x));
  fill_pool(x);
  const double n = x->s.g.n, exchange = EXCHANGE * (x->s.g.first[x->s.g.n] / n + 1) / n;
  while (anneal_next(&x->sweeps, &x->heat)) {
    struct way w[MOST_WAYS];
    const uint64_t before = x->sweeps.exchanges;
    const uint32_t ways = choose_ways(x, w);
    if (x->s.m->slots < 2 * x->s.g.n)
      sweep_slots(x, w, ways);
    else
      sweep_tasks(x, w, ways);
    x->sweeps.done += ways + PARTNER / (double)x->apart;
    x->sweeps.done += exchange * (double)(x->sweeps.exchanges - before);
  }
}

/* Sets `estimates` and `apart`. */
static void look_at_axes(struct state *x)
{
  const struct target *m = x->s.m;
  x->estimates = true;
  for (uint32_t d = 0; d < m->ndims; d++)
    x->estimates = x->estimates && (!m->wraps[d] || m->side[d] >= LARGE_RING);
  x->apart = m->ndims > 1 ? APART : APART_LINE;
}

enum status anneal_grid(struct placement *p, const struct anneal_plan *plan, struct err *e)
{
  ARENA(mem, e);
  if (!gains_fit(p->m))
    return OK;
  struct state *x = arena_array(&mem, 1, sizeof *x);
  if (x == NULL || gains_new(&x->s, p->m, p->g, p->slot, &mem) != OK)
    return FAIL;
  if (x->s.moves == 0 || p->g->n == 0)
    return OK;
  x->rng = rng_new(plan->seed, 0);
  look_at_axes(x);
  if (list_ways(x, &mem) != OK)
    return FAIL;
  cool(x, plan);
  for (uint32_t v = 0; v < p->g->n && x->change < 0; v++)
    p->slot[x->s.old[v]] = x->s.slot[v];
  p->hops += x->change < 0 ? (uint64_t)x->change : 0;
  return OK;
}
