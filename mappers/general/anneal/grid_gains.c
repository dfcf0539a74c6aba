#include "mappers/general/anneal/grid_gains.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 32767 /* largest int16_t */ };

/* --- tables ----------------------------------------------------------------------------------- */

/* The change of the hops from task u to task v if u steps up; v is @p diff above u. */
static int8_t step_up(const struct target *m, uint32_t d, int32_t diff)
{
  const int32_t side = (int32_t)m->side[d];
  const uint32_t from = (uint32_t)((diff + side) % side), to = (uint32_t)((diff - 1 + side) % side);
  if (side == 2)
    return diff == 0 ? 1 : -1;
  if (m->wraps[d])
    return (int8_t)((int32_t)target_along(m, d, to, 0) - (int32_t)target_along(m, d, from, 0));
  return diff > 0 ? -1 : 1;
}

/* The leap by a step of @p way (1 or -1).  On an axis of two hosts, up and down are the same move.
 */
static struct gains_leap leap_from(const struct gains *s, uint32_t d, int32_t at, int32_t way)
{
  const int32_t side = (int32_t)s->m->side[d], stride = (int32_t)s->stride[d];
  int32_t to = at + (side == 2 && at == 1 ? -1 : way);
  if ((to < 0 || to >= side) && !s->m->wraps[d])
    return (struct gains_leap){.hosts = 0, .to = at};
  to = (to + side) % side;
  return (struct gains_leap){.hosts = (to - at) * stride, .to = to};
}

static void add_move(struct gains *s, uint32_t d, int32_t way, uint32_t opposite,
                     struct gains_leap *leap)
{
  for (uint32_t at = 0; at < s->m->side[d]; at++)
    leap[at] = leap_from(s, d, (int32_t)at, way);
  s->leap[s->moves] = leap;
  s->axis[s->moves] = (uint8_t)d;
  s->opposite[s->moves++] = (uint8_t)opposite;
}

static void fill_axis(struct gains *s, uint32_t d, struct gains_turn *turn, struct gains_leap *leap)
{
  const uint32_t side = s->m->side[d], first = s->moves;
  s->turn[d] = turn + side;
  s->first[d] = (uint8_t)first;
  for (int32_t diff = 1 - (int32_t)side; diff < (int32_t)side; diff++)
    s->turn[d][diff] =
        (struct gains_turn){.up = step_up(s->m, d, diff), .down = step_up(s->m, d, -diff)};
  if (side > 1)
    add_move(s, d, 1, side == 2 ? first : first + 1, leap);
  if (side > 2)
    add_move(s, d, -1, first, leap + side);
}

static enum status make_tables(struct gains *s, struct arena *mem)
{
  size_t room = 0;
  uint32_t stride = 1;
  for (uint32_t d = 0; d < s->nd; d++)
    room += 2 * (size_t)s->m->side[d];
  s->turns = arena_array(mem, room, sizeof *s->turns);
  s->leaps = arena_array(mem, room, sizeof *s->leaps);
  if (arena_status(mem) != OK)
    return FAIL;
  room = 0;
  for (uint32_t d = 0; d < s->nd; d++) {
    s->stride[d] = stride;
    stride *= s->m->side[d];
    fill_axis(s, d, s->turns + room, s->leaps + room);
    room += 2 * (size_t)s->m->side[d];
  }
  return OK;
}

/* --- the tasks in the order of their slots ---------------------------------------------------- */

static void number_tasks(struct gains *s, const uint32_t *slot, uint32_t *new_of)
{
  uint32_t n = 0;
  memset(s->at, 0xff, (size_t)s->m->slots * sizeof *s->at);
  for (uint32_t v = 0; v < s->g.n; v++)
    s->at[slot[v]] = v;
  for (uint32_t i = 0; i < s->m->slots; i++) {
    if (s->at[i] == GAINS_NOBODY)
      continue;
    s->old[n] = s->at[i];
    new_of[s->at[i]] = n;
    s->slot[n] = i;
    s->at[i] = n++;
  }
}

static void copy_graph(struct gains *s, const struct graph *g, const uint32_t *new_of)
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

static void find_positions(struct gains *s)
{
  for (uint32_t v = 0; v < s->g.n; v++) {
    uint32_t host = s->slot[v] / s->m->per_host;
    for (uint32_t d = 0; d < s->nd; d++)
      s->pos[(size_t)v * s->nd + d] = (int16_t)target_split(s->m, d, &host);
  }
}

/* Computes the gains of a task's steps on an axis. */
static void count(struct gains *s, uint32_t v, uint32_t d)
{
  const uint32_t slot = s->slot[v], move = s->first[d];
  const int32_t mine = s->pos[(size_t)v * s->nd + d];
  int32_t up = 0, down = 0;
  for (uint32_t a = s->g.first[v]; a < s->g.first[v + 1]; a++) {
    const struct gains_turn t = s->turn[d][s->pos[(size_t)s->g.to[a] * s->nd + d] - mine];
    const int32_t w = (int32_t)s->g.weight[a];
    up += w * t.up;
    down += w * t.down;
  }
  s->by[move][slot] = up;
  if (gains_two_ways(s, d))
    s->by[move + 1][slot] = down;
}

static void count_all(struct gains *s)
{
  for (uint32_t d = 0; d < s->nd; d++)
    for (uint32_t v = 0; v < s->g.n && s->m->side[d] > 1; v++)
      count(s, v, d);
}

bool gains_fit(const struct target *m)
{
  bool fit = true;
  for (uint32_t d = 0; d < m->ndims; d++)
    fit = fit && m->side[d] <= MOST_SIDE;
  return fit;
}

enum status gains_new(struct gains *s, const struct target *m, const struct graph *g,
                      const uint32_t *slot, struct arena *mem)
{
  ARENA(room, mem->e);
  const uint32_t n = g->n;
  const size_t row = (size_t)m->slots + GAINS_BEYOND;
  uint32_t *new_of = arena_array(&room, n, sizeof *new_of);
  *s = (struct gains){.m = m,
                      .nd = m->ndims,
                      .at = arena_array(mem, m->slots, sizeof *s->at),
                      .slot = arena_array(mem, n, sizeof *s->slot),
                      .old = arena_array(mem, n, sizeof *s->old),
                      .pos = arena_array(mem, (size_t)n * m->ndims, sizeof *s->pos)};
  if (new_of == NULL || graph_alloc(&s->g, n, g->first[n], mem) != OK ||
      make_tables(s, mem) != OK ||
      (s->changes = arena_array(mem, s->moves * row, sizeof *s->changes)) == NULL)
    return FAIL;
  for (uint32_t j = 0; j < s->moves; j++)
    s->by[j] = s->changes + j * row;
  number_tasks(s, slot, new_of);
  copy_graph(s, g, new_of);
  find_positions(s);
  count_all(s);
  return OK;
}

/* --- exchanges -------------------------------------------------------------------------------- */

/* Moves a task to coordinate @p to of an axis and updates the gains.  The task's slot is set
 * already. */
static void shift(struct gains *s, uint32_t v, uint32_t d, int32_t to)
{
  const struct gains_turn *turn = s->turn[d];
  const uint32_t nd = s->nd, move = s->first[d], own = s->slot[v];
  const int32_t from = s->pos[(size_t)v * nd + d];
  const bool two = gains_two_ways(s, d);
  int32_t *up = s->by[move], *down = s->by[move + two];
  int32_t mine_up = 0, mine_down = 0;
  for (uint32_t a = s->g.first[v]; a < s->g.first[v + 1]; a++) {
    const uint32_t u = s->g.to[a], slot = s->slot[u];
    const int32_t w = (int32_t)s->g.weight[a], at = s->pos[(size_t)u * nd + d];
    const struct gains_turn before = turn[from - at], after = turn[to - at];
    up[slot] += w * (after.up - before.up);
    mine_up += w * after.down;
    if (two) {
      down[slot] += w * (after.down - before.down);
      mine_down += w * after.up;
    }
  }
  down[own] = mine_down;
  up[own] = mine_up;
  s->pos[(size_t)v * nd + d] = (int16_t)to;
}

void gains_swap_slots(struct gains *s, uint32_t a, uint32_t b)
{
  const uint32_t v = s->at[a], u = s->at[b];
  s->at[a] = u;
  s->at[b] = v;
  if (v != GAINS_NOBODY)
    s->slot[v] = b;
  if (u != GAINS_NOBODY)
    s->slot[u] = a;
  for (uint32_t j = 0; j < s->moves; j++) {
    const int32_t change = s->by[j][a];
    s->by[j][a] = s->by[j][b];
    s->by[j][b] = change;
  }
}

void gains_exchange(struct gains *s, uint32_t v, uint32_t target)
{
  const uint32_t u = s->at[target];
  uint32_t host = gains_host(s, target);
  gains_swap_slots(s, s->slot[v], target);
  for (uint32_t d = 0; d < s->nd; d++) {
    const int32_t from = s->pos[(size_t)v * s->nd + d], to = (int32_t)target_split(s->m, d, &host);
    if (from == to)
      continue;
    shift(s, v, d, to);
    if (u != GAINS_NOBODY)
      shift(s, u, d, from);
  }
}
