#include "mappers/general/anneal_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/rng.h"
#include "mappers/general/cooling.h"

#define NOBODY UINT32_MAX

enum {
  SAMPLES = 2000,    /* tests that give the mean change */
  WINDOW = 4096,     /* tasks of one sweep's part: what a cache holds */
  MOST_SIDE = 32767, /* of a host's coordinate */
  LARGE_RING = 12,   /* few edges go half round */
  LANES = 4,         /* axes of a block, whose hops are computed together */
  BLOCKS = (GRID_MAX_DIMS + LANES - 1) / LANES,
  MOVES = 2 * GRID_MAX_DIMS
};

/* A block's coordinates of two hosts. */
typedef int16_t lanes __attribute__((vector_size(2 * LANES * sizeof(int16_t))));
typedef uint64_t halves __attribute__((vector_size(sizeof(lanes))));

struct block {
  lanes side, wraps; /* -1: a ring */
};

/* What a move by one host does. */
struct leap {
  int32_t hosts; /* to be added to the host's number; 0: there is none, across the rim of a mesh */
  int32_t to;    /* the coordinate there */
};

/* Tasks are numbered by their first slots, so that what is near on the machine is near in memory.
 */
struct state {
  const struct target *m;
  struct graph g;
  uint32_t nd, moves, blocks, width; /* of a row of coordinates */
  bool estimates;                    /* estimate() is hardly ever above the true change */
  uint8_t axis[MOVES]; /* by move: along it; up, then down; on a side of two the only one */
  int8_t way[MOVES];
  uint8_t opposite[MOVES], first[GRID_MAX_DIMS]; /* by axis: its first move */
  uint32_t stride[GRID_MAX_DIMS];                /* in hosts */
  struct block block[BLOCKS];
  int8_t *table,
      *up[GRID_MAX_DIMS];           /* up[d][v - u]: what a step of u up changes of its hops to v */
  struct leap *leaps, *leap[MOVES]; /* by move and coordinate */
  uint32_t *at;                     /* by slot */
  uint32_t *slot;                   /* by task, as the following */
  int16_t *pos;                     /* coordinates; width of each */
  int32_t *gain;                    /* change of the sum by each move; moves of each */
  uint32_t *old;                    /* the caller's number */
  struct rng rng;
  struct cooling cooling;
  int64_t change; /* so far */
};

/* --- tables ----------------------------------------------------------------------------------- */

static int32_t along(const struct target *m, uint32_t d, int32_t diff)
{
  const int32_t side = (int32_t)m->side[d], a = diff < 0 ? -diff : diff;
  return m->wraps[d] && a > side - a ? abs(side - a) : a;
}

static void fill_up(struct state *s, uint32_t d)
{
  const int32_t side = (int32_t)s->m->side[d];
  for (int32_t diff = -side; diff <= side; diff++)
    s->up[d][diff] = (int8_t)(side == 2 ? (diff == 0 ? 1 : -1)
                                        : along(s->m, d, diff - 1) - along(s->m, d, diff));
}

/* On a side of two, up and down are one move. */
static struct leap leap_from(const struct state *s, uint32_t d, int32_t at, int8_t way)
{
  const int32_t side = (int32_t)s->m->side[d], stride = (int32_t)s->stride[d];
  int32_t to = at + (side == 2 && at == 1 ? -1 : way);
  if ((to < 0 || to >= side) && !s->m->wraps[d])
    return (struct leap){.hosts = 0, .to = at};
  to = (to + side) % side;
  return (struct leap){.hosts = (to - at) * stride, .to = to};
}

static void add_move(struct state *s, uint32_t d, int8_t way, uint8_t opposite, struct leap *leap)
{
  for (uint32_t at = 0; at < s->m->side[d]; at++)
    leap[at] = leap_from(s, d, (int32_t)at, way);
  s->leap[s->moves] = leap;
  s->axis[s->moves] = (uint8_t)d;
  s->way[s->moves] = way;
  s->opposite[s->moves++] = opposite;
}

static void fill_axis(struct state *s, uint32_t d, int8_t *up, struct leap *leap)
{
  const uint32_t side = s->m->side[d];
  const uint8_t first = (uint8_t)s->moves;
  s->block[d / LANES].side[d % LANES] = s->block[d / LANES].side[LANES + d % LANES] = (int16_t)side;
  s->block[d / LANES].wraps[d % LANES] = s->m->wraps[d] ? -1 : 0;
  s->block[d / LANES].wraps[LANES + d % LANES] = s->m->wraps[d] ? -1 : 0;
  s->up[d] = up + side;
  s->first[d] = first;
  s->estimates = s->estimates && (!s->m->wraps[d] || side >= LARGE_RING);
  fill_up(s, d);
  if (side > 1)
    add_move(s, d, 1, side == 2 ? first : (uint8_t)(first + 1), leap);
  if (side > 2)
    add_move(s, d, -1, first, leap + side);
}

static enum status make_tables(struct state *s, struct err *e)
{
  size_t room = 0;
  uint32_t stride = 1;
  for (uint32_t d = 0; d < s->nd; d++)
    room += 2 * (size_t)s->m->side[d] + 1;
  if ((s->table = mem_array(room, sizeof *s->table, e)) == NULL ||
      (s->leaps = mem_array(room, sizeof *s->leaps, e)) == NULL)
    return FAIL;
  room = 0;
  for (uint32_t d = 0; d < s->nd; d++) {
    s->stride[d] = stride;
    stride *= s->m->side[d];
    fill_axis(s, d, s->table + room, s->leaps + room);
    room += 2 * (size_t)s->m->side[d] + 1;
  }
  return OK;
}

/* --- the tasks in the order of their slots ---------------------------------------------------- */

static void number_tasks(struct state *s, const uint32_t *slot, uint32_t *new_of)
{
  uint32_t n = 0;
  memset(s->at, 0xff, (size_t)s->m->slots * sizeof *s->at);
  for (uint32_t v = 0; v < s->g.n; v++)
    s->at[slot[v]] = v;
  for (uint32_t i = 0; i < s->m->slots; i++) {
    if (s->at[i] == NOBODY)
      continue;
    s->old[n] = s->at[i];
    new_of[s->at[i]] = n;
    s->slot[n] = i;
    s->at[i] = n++;
  }
}

static void copy_graph(struct state *s, const struct graph *g, const uint32_t *new_of)
{
  uint32_t at = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    for (uint32_t a = g->first[s->old[v]]; a < g->first[s->old[v] + 1]; a++) {
      s->g.to[at] = new_of[g->to[a]];
      s->g.weight[at++] = g->weight[a];
    }
    s->g.first[v + 1] = at;
  }
}

static void find_positions(struct state *s)
{
  for (uint32_t v = 0; v < s->g.n; v++) {
    uint32_t host = s->slot[v] / s->m->per_host;
    for (uint32_t d = 0; d < s->nd; d++) {
      s->pos[(size_t)v * s->width + d] = (int16_t)(host % s->m->side[d]);
      host /= s->m->side[d];
    }
  }
}

static void add_gains(struct state *s, uint32_t v)
{
  int32_t *gain = s->gain + (size_t)v * s->moves;
  const int16_t *mine = s->pos + (size_t)v * s->width;
  for (uint32_t a = s->g.first[v]; a < s->g.first[v + 1]; a++) {
    const int16_t *other = s->pos + (size_t)s->g.to[a] * s->width;
    const int32_t w = (int32_t)s->g.weight[a];
    for (uint32_t j = 0; j < s->moves; j++) {
      const uint32_t d = s->axis[j];
      gain[j] += w * s->up[d][s->way[j] * (other[d] - mine[d])];
    }
  }
}

static enum status set_up(struct state *s, const struct graph *g, const uint32_t *slot,
                          struct err *e)
{
  const uint32_t n = g->n;
  uint32_t *new_of = mem_array(n, sizeof *new_of, e);
  enum status status = FAIL;
  if (new_of != NULL && graph_alloc(&s->g, n, g->first[n], e) == OK && make_tables(s, e) == OK &&
      (s->at = mem_array(s->m->slots, sizeof *s->at, e)) != NULL &&
      (s->slot = mem_array(n, sizeof *s->slot, e)) != NULL &&
      (s->old = mem_array(n, sizeof *s->old, e)) != NULL &&
      (s->pos = mem_array((size_t)n * s->width, sizeof *s->pos, e)) != NULL &&
      (s->gain = mem_array((size_t)n * s->moves, sizeof *s->gain, e)) != NULL) {
    number_tasks(s, slot, new_of);
    copy_graph(s, g, new_of);
    find_positions(s);
    for (uint32_t v = 0; v < n; v++)
      add_gains(s, v);
    status = OK;
  }
  free(new_of);
  return status;
}

static void clear(struct state *s)
{
  graph_clear(&s->g);
  free(s->table);
  free(s->leaps);
  free(s->at);
  free(s->slot);
  free(s->old);
  free(s->pos);
  free(s->gain);
}

/* --- moves ------------------------------------------------------------------------------------ */

/* Puts a task at coordinate @p to of axis @p d. */
static void shift(struct state *s, uint32_t v, uint32_t d, int32_t to)
{
  const int8_t *up = s->up[d];
  const uint32_t width = s->width, moves = s->moves;
  const int32_t from = s->pos[(size_t)v * width + d];
  uint32_t j = 0;
  while (s->axis[j] != d)
    j++;
  const bool both = s->opposite[j] != j;
  int32_t mine = 0, mine_down = 0;
  for (uint32_t a = s->g.first[v]; a < s->g.first[v + 1]; a++) {
    const uint32_t u = s->g.to[a];
    const int32_t w = (int32_t)s->g.weight[a], at = s->pos[(size_t)u * width + d];
    const int32_t before = from - at, after = to - at;
    int32_t *gain = s->gain + (size_t)u * moves + j;
    gain[0] += w * (up[after] - up[before]);
    mine += w * up[-after];
    if (both) {
      gain[1] += w * (up[-after] - up[-before]);
      mine_down += w * up[after];
    }
  }
  s->gain[(size_t)v * moves + j] = mine;
  if (both)
    s->gain[(size_t)v * moves + j + 1] = mine_down;
  s->pos[(size_t)v * width + d] = (int16_t)to;
}

/* The weight between two tasks whose rows may be in any order. */
static int32_t weight_between(const struct graph *g, uint32_t u, uint32_t v)
{
  for (uint32_t a = g->first[u]; a < g->first[u + 1]; a++)
    if (g->to[a] == v)
      return (int32_t)g->weight[a];
  return 0;
}

static inline uint32_t host_of(const struct state *s, uint32_t slot)
{
  return s->m->per_host == 1 ? slot : slot / s->m->per_host;
}

/* By a move of a task. */
static inline struct leap leap_of(const struct state *s, uint32_t v, uint32_t move)
{
  return s->leap[move][s->pos[(size_t)v * s->width + s->axis[move]]];
}

static uint32_t slot_of(struct state *s, uint32_t host, uint64_t random)
{
  const uint32_t k = s->m->per_host;
  return k == 1 ? host : host * k + (uint32_t)(random % k);
}

/* Exchanges what is in two slots, of which @p v is in one; only axis @p only differs if it is one.
 */
static void exchange(struct state *s, uint32_t v, uint32_t target, uint32_t only)
{
  const uint32_t u = s->at[target], source = s->slot[v];
  const uint32_t first = only < s->nd ? only : 0, last = only < s->nd ? only + 1 : s->nd;
  const uint32_t host = host_of(s, target);
  for (uint32_t d = first; d < last; d++) {
    const int32_t from = s->pos[(size_t)v * s->width + d];
    const int32_t to = (int32_t)(host / s->stride[d] % s->m->side[d]);
    if (from == to)
      continue;
    shift(s, v, d, to);
    if (u != NOBODY)
      shift(s, u, d, from);
  }
  s->slot[v] = target;
  s->at[target] = v;
  s->at[source] = u;
  if (u != NOBODY)
    s->slot[u] = source;
}

/* --- tests ------------------------------------------------------------------------------------ */

/* A change, and where it leads. */
struct test {
  uint32_t target; /* slot; NOBODY: none */
  uint32_t axis;   /* that alone differs; NOBODY: perhaps others too */
  int64_t change;
};

/* The swap of @p v with its neighbour by a move; changes above @p limit are not computed. */
static struct test test_neighbour(struct state *s, uint32_t v, uint64_t random, double limit)
{
  const uint32_t move = (uint32_t)((random & 0xffff) * s->moves >> 16);
  const struct leap leap = leap_of(s, v, move);
  if (leap.hosts == 0)
    return (struct test){NOBODY, NOBODY, 0};
  const uint32_t host = host_of(s, s->slot[v]) + (uint32_t)leap.hosts;
  const uint32_t target = slot_of(s, host, random >> 16), u = s->at[target];
  int64_t change = s->gain[(size_t)v * s->moves + move];
  if (u == NOBODY)
    return (struct test){target, s->axis[move], change};
  change += s->gain[(size_t)u * s->moves + s->opposite[move]];
  if ((double)change > limit)
    return (struct test){NOBODY, NOBODY, change};
  return (struct test){target, s->axis[move], change + 2 * weight_between(&s->g, v, u)};
}

/* A block's coordinates of two hosts side by side. */
static inline lanes lanes_of(const int16_t *first, const int16_t *second)
{
  uint64_t a, b;
  memcpy(&a, first, sizeof a);
  memcpy(&b, second, sizeof b);
  return (lanes)(halves){a, b};
}

/* The sum of four numbers of 16 bits: the multiplication adds all of them up in its upper 16. */
static inline int32_t sum_of(uint64_t four)
{
  return (int32_t)(four * 0x0001000100010001 >> 48);
}

/* Hops of the first of two hosts to a third, less those of the second. */
static inline int32_t difference(const struct block *b, lanes two, lanes third)
{
  const lanes apart = two - third, sign = apart >> 15, up = (apart ^ sign) - sign;
  const lanes around = b->side - up, shorter = (around < up) & b->wraps;
  const lanes hops = (up & ~shorter) | (around & shorter);
  return sum_of(((halves)hops)[0]) - sum_of(((halves)hops)[1]);
}

/* What a task's hops change by when it goes to another host, @p other apart, whose hops stay. */
static int64_t change_of(const struct state *s, uint32_t v, const int16_t *to, uint32_t other)
{
  const int16_t *mine = s->pos + (size_t)v * s->width;
  int64_t sum = 0;
  for (uint32_t b = 0; b < s->blocks; b++) {
    const lanes two = lanes_of(to + b * LANES, mine + b * LANES);
    for (uint32_t a = s->g.first[v]; a < s->g.first[v + 1]; a++) {
      const uint32_t u = s->g.to[a];
      const int16_t *at = s->pos + (size_t)u * s->width + b * LANES;
      const int32_t hops = difference(&s->block[b], two, lanes_of(at, at));
      sum += u == other ? 0 : (int64_t)hops * s->g.weight[a];
    }
  }
  return sum;
}

/* The exchange of a task with the tenant of another host, if any, by what their first steps on each
 * axis would change, as if they did not know each other.  As much on a hypercube; elsewhere no more
 * unless edges go half round a ring.  *@p hops: between the hosts. */
static int64_t estimate(const struct state *s, uint32_t v, uint32_t u, const int16_t *to,
                        int32_t *hops)
{
  const int16_t *mine = s->pos + (size_t)v * s->width;
  const int32_t *gain = s->gain + (size_t)v * s->moves;
  const int32_t *other = u == NOBODY ? NULL : s->gain + (size_t)u * s->moves;
  int64_t sum = 0;
  *hops = 0;
  for (uint32_t d = 0; d < s->nd; d++) {
    const int32_t side = (int32_t)s->m->side[d];
    int32_t steps = to[d] - mine[d];
    if (steps == 0)
      continue;
    if (s->m->wraps[d] && 2 * abs(steps) > side)
      steps += steps < 0 ? side : -side;
    const uint32_t move = s->first[d] + (steps < 0 && side > 2);
    sum += (int64_t)abs(steps) * (gain[move] + (other == NULL ? 0 : other[s->opposite[move]]));
    *hops += abs(steps);
  }
  return sum;
}

/* The exchange of a task with the tenant of a slot, if any, whose coordinates are @p to; no more
 * than an estimate if that is above @p limit. */
static int64_t change_by(const struct state *s, uint32_t v, uint32_t target, const int16_t *to,
                         double limit)
{
  const uint32_t u = s->at[target];
  int32_t hops;
  int64_t change = estimate(s, v, u, to, &hops);
  if (s->estimates && (double)change > limit)
    return change;
  if (s->m->cube)
    return u == NOBODY ? change : change + 2 * (int64_t)hops * weight_between(&s->g, v, u);
  change = change_of(s, v, to, u);
  return u == NOBODY ? change : change + change_of(s, u, s->pos + (size_t)v * s->width, v);
}

/* A move of @p v beside one of its partners, whose tenant takes its place. */
static struct test test_partner(struct state *s, uint32_t v, uint64_t random, double limit)
{
  const uint32_t row = s->g.first[v], degree = s->g.first[v + 1] - row;
  int16_t to[BLOCKS * LANES];
  if (degree == 0)
    return (struct test){NOBODY, NOBODY, 0};
  const uint32_t partner = s->g.to[row + (uint32_t)((random & 0xffff) * degree >> 16)];
  const uint32_t move = (uint32_t)((random >> 16 & 0xffff) * s->moves >> 16);
  const struct leap leap = leap_of(s, partner, move);
  const uint32_t host = host_of(s, s->slot[partner]) + (uint32_t)leap.hosts;
  const uint32_t target = slot_of(s, host, random >> 32);
  if (leap.hosts == 0 || s->at[target] == v || host == host_of(s, s->slot[v]))
    return (struct test){NOBODY, NOBODY, 0};
  memcpy(to, s->pos + (size_t)partner * s->width, s->width * sizeof *to);
  to[s->axis[move]] = (int16_t)leap.to;
  return (struct test){target, NOBODY, change_by(s, v, target, to, limit)};
}

static void sweep(struct state *s, uint32_t from, uint32_t to, double heat)
{
  for (uint32_t v = from; v < to; v++) {
    const uint64_t random = rng_next(&s->rng);
    const double limit = cooling_limit(&s->cooling, heat, random);
    const bool far = (random >> 46 & 0xff) < 38;
    const struct test t = far ? test_partner(s, v, random, limit)
                              : test_neighbour(s, v, random & 0xffffffffff, limit);
    if (t.target == NOBODY || (double)t.change > limit)
      continue;
    exchange(s, v, t.target, t.axis);
    s->change += t.change;
    s->cooling.exchanges++;
  }
}

static double mean_change(struct state *s)
{
  double sum = 0;
  uint32_t count = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const uint64_t random = rng_next(&s->rng);
    const uint32_t v = (uint32_t)rng_below(&s->rng, s->g.n);
    const struct test t = test_neighbour(s, v, random & 0xffffffffff, INFINITY);
    count += t.target != NOBODY;
    sum += fabs((double)t.change);
  }
  return count == 0 ? 0 : sum / count;
}

static void cool(struct state *s, const struct anneal_plan *plan)
{
  double heat;
  cooling_begin(&s->cooling, plan, mean_change(s));
  while (cooling_next(&s->cooling, &heat))
    for (uint32_t v = 0; v < s->g.n; v += WINDOW)
      sweep(s, v, v + WINDOW < s->g.n ? v + WINDOW : s->g.n, heat);
}

/* Do coordinates fit a lane, and a block's hops two bytes? */
static bool fits(const struct target *m)
{
  uint64_t sum = 0;
  bool fit = true;
  for (uint32_t d = 0; d < m->ndims; d++) {
    fit = fit && m->side[d] <= MOST_SIDE;
    sum += m->side[d];
  }
  return fit && sum <= UINT16_MAX;
}

enum status anneal_grid(struct placement *p, const struct anneal_plan *plan, struct err *e)
{
  struct state s = {.m = p->m, .nd = p->m->ndims, .estimates = true, .rng = rng_new(plan->seed, 0)};
  s.blocks = (s.nd + LANES - 1) / LANES;
  s.width = s.blocks * LANES;
  if (!fits(p->m))
    return OK;
  const enum status status = set_up(&s, p->g, p->slot, e);
  if (status == OK && s.moves > 0 && p->g->n > 0) {
    cool(&s, plan);
    for (uint32_t v = 0; v < p->g->n && s.change < 0; v++)
      p->slot[s.old[v]] = s.slot[v];
    p->hops += s.change < 0 ? (uint64_t)s.change : 0;
  }
  clear(&s);
  return status;
}
