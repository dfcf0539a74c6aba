#include "mappers/hcube/ties.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/mem.h"
#include "mappers/hcube/blossom.h"

/* Maximum number of sides, and of pairs of joints to check for sides.  With more, sides are
 * ignored. */
#define MOST_SIDES ((size_t)1 << 22)
#define MOST_LOOKS ((size_t)1 << 26)

/* A joint that lies beside another. */
struct side {
  uint32_t joint;
  uint32_t weight; /* 1 to 32: scaled sum of the values of the joints that close the cycle */
};

/* The most sides of any joint of a cube, that joint, and the most sides of the cube's other
 * joints. */
struct top {
  uint32_t first, joint, second;
};

struct growth {
  const struct stage *s;
  bool *tight;   /* by joint: can be in a maximum-weight matching */
  size_t *first; /* by joint, offset in `side` */
  struct side *side;
  size_t side_room;
  uint32_t *gained;   /* by joint: weight of its sides with taken joints */
  uint32_t *possible; /* by joint: weight of its sides with joints that can still be taken */
  bool *dead;         /* by joint: it is taken, or one of its cubes is matched */
  struct top *top;    /* by cube */
  uint32_t *changed;  /* cubes with an outdated `top` or outdated priorities of joints */
  bool *is_changed;   /* by cube */
  uint32_t changes;
  bool *near; /* by cube: it has a joint with a matched cube */
  uint32_t *mate;
  struct heap next; /* joints, best first */
  struct rng *rng;
  uint32_t *noise; /* by joint */
};

/* --- sides ------------------------------------------------------------------------------------ */

static uint32_t side_weight(const struct joint *x, const struct joint *y, uint64_t most)
{
  const uint64_t unit = most / 16 + 1;
  const uint64_t w = x->value / unit + y->value / unit;
  return w == 0 ? 1 : (uint32_t)w;
}

/* Lists the joints beside joint @p j = (a, b): joints between a partner of a and a partner of b. */
static enum status list_sides(struct growth *g, uint32_t j, uint64_t most, size_t *n, struct err *e)
{
  const struct stage *s = g->s;
  const struct joint *x = &s->joint[j];
  for (uint32_t i = s->first[x->a]; i < s->first[x->a + 1]; i++)
    for (uint32_t k = s->first[x->b]; k < s->first[x->b + 1]; k++) {
      const uint32_t c = s->end[i].to, d = s->end[k].to;
      const struct joint *y = c == x->b || d == x->a || c == d ? NULL : stage_find(s, c, d);
      if (y == NULL || !g->tight[y - s->joint])
        continue;
      if (MEM_GROW(g->side, g->side_room, *n + 1, e) != OK)
        return FAIL;
      const uint32_t weight =
          side_weight(&s->joint[s->end[i].joint], &s->joint[s->end[k].joint], most);
      g->side[(*n)++] = (struct side){(uint32_t)(y - s->joint), weight};
    }
  return OK;
}

static bool is_dense(const struct stage *s)
{
  size_t looks = 0;
  for (uint32_t j = 0; j < s->joints && looks <= MOST_LOOKS; j++) {
    const struct joint *x = &s->joint[j];
    looks += (size_t)(s->first[x->a + 1] - s->first[x->a]) * (s->first[x->b + 1] - s->first[x->b]);
  }
  return looks > MOST_LOOKS;
}

static enum status list_all_sides(struct growth *g, struct err *e)
{
  const struct stage *s = g->s;
  const bool dense = is_dense(s);
  uint64_t most = 0;
  size_t n = 0;
  for (uint32_t j = 0; j < s->joints; j++)
    most = s->joint[j].value > most ? s->joint[j].value : most;
  for (uint32_t j = 0; j < s->joints; j++) {
    g->first[j] = n;
    if (!dense && n <= MOST_SIDES && g->tight[j] && list_sides(g, j, most, &n, e) != OK)
      return FAIL;
  }
  for (uint32_t j = 0; n > MOST_SIDES && j < s->joints; j++)
    g->first[j] = 0;
  g->first[s->joints] = n > MOST_SIDES ? 0 : n;
  for (uint32_t j = 0; j < s->joints; j++)
    for (size_t i = g->first[j]; i < g->first[j + 1]; i++)
      g->possible[j] += g->side[i].weight;
  return OK;
}

/* --- growth ----------------------------------------------------------------------------------- */

static void find_top(struct growth *g, uint32_t v)
{
  struct top top = {0, UINT32_MAX, 0};
  for (uint32_t i = g->s->first[v]; i < g->s->first[v + 1]; i++) {
    const uint32_t j = g->s->end[i].joint, sides = g->gained[j] + g->possible[j];
    if (g->dead[j])
      continue;
    if (top.joint == UINT32_MAX || sides > top.first)
      top = (struct top){sides, j, top.first};
    else if (sides > top.second)
      top.second = sides;
  }
  g->top[v] = top;
}

/* The most sides of the joints of cube @p v other than @p joint. */
static uint32_t most_of_others(const struct growth *g, uint32_t v, uint32_t joint)
{
  return g->top[v].joint == joint ? g->top[v].second : g->top[v].first;
}

static uint32_t at_most(uint32_t x, uint32_t most)
{
  return x < most ? x : most;
}

/* The number of joints of a cube that can still be taken. */
static uint32_t joints_left(const struct growth *g, uint32_t v)
{
  uint32_t n = 0;
  for (uint32_t i = g->s->first[v]; i < g->s->first[v + 1]; i++)
    n += !g->dead[g->s->end[i].joint];
  return n;
}

/* The priority of a joint, lowest first.  First come joints beside taken ones, sorted by the sides
 * gained.  Then joints of a cube next to a matched cube.  Then all others, sorted by the joints
 * left at their cubes.  Ties are broken by the margin (the joint's sides compared to the sides of
 * its best rivals), then at random. */
static uint64_t order_of(const struct growth *g, uint32_t j)
{
  const uint32_t most = (1u << 19) - 1;
  const struct joint *x = &g->s->joint[j];
  const uint64_t class = g->gained[j] > 0 ? 0 : g->near[x->a] || g->near[x->b] ? 1 : 2;
  const uint32_t sides = at_most(g->gained[j] + g->possible[j], most);
  const uint32_t rivals =
      at_most(most_of_others(g, x->a, j) + most_of_others(g, x->b, j), 2 * most);
  const uint64_t margin = 2 * most + rivals - 2 * sides;
  uint64_t rank = most - at_most(g->gained[j], most);
  if (class == 2) {
    const uint32_t a = joints_left(g, x->a), b = joints_left(g, x->b);
    rank = at_most(a < b ? a : b, most);
  }
  return class << 62 | rank << 42 | margin << 20 | g->noise[j];
}

static void change(struct growth *g, uint32_t v)
{
  if (g->is_changed[v])
    return;
  g->is_changed[v] = true;
  g->changed[g->changes++] = v;
}

/* Updates the priorities of the joints of changed cubes. */
static void refresh(struct growth *g)
{
  for (uint32_t k = 0; k < g->changes; k++)
    find_top(g, g->changed[k]);
  while (g->changes > 0) {
    const uint32_t v = g->changed[--g->changes];
    g->is_changed[v] = false;
    for (uint32_t i = g->s->first[v]; i < g->s->first[v + 1]; i++) {
      const uint32_t j = g->s->end[i].joint;
      if (!g->dead[j])
        heap_set(&g->next, j, order_of(g, j));
    }
  }
}

/* Updates the joints beside joint @p j, which has been taken if @p taken, and can no longer be
 * taken if not. */
static void settle_sides(struct growth *g, uint32_t j, bool taken)
{
  for (size_t i = g->first[j]; i < g->first[j + 1]; i++) {
    const struct side *x = &g->side[i];
    g->possible[x->joint] -= x->weight;
    g->gained[x->joint] += taken ? x->weight : 0;
    if (!g->dead[x->joint]) {
      change(g, g->s->joint[x->joint].a);
      change(g, g->s->joint[x->joint].b);
    }
  }
}

static void kill(struct growth *g, uint32_t j)
{
  g->dead[j] = true;
  heap_remove(&g->next, j);
}

static void take(struct growth *g, uint32_t joint)
{
  const struct stage *s = g->s;
  const uint32_t v[2] = {s->joint[joint].a, s->joint[joint].b};
  g->mate[v[0]] = v[1];
  g->mate[v[1]] = v[0];
  kill(g, joint);
  settle_sides(g, joint, true);
  for (int k = 0; k < 2; k++)
    for (uint32_t i = s->first[v[k]]; i < s->first[v[k] + 1]; i++) {
      const uint32_t j = s->end[i].joint;
      g->near[s->end[i].to] = true;
      change(g, s->end[i].to);
      if (g->dead[j])
        continue;
      kill(g, j);
      settle_sides(g, j, false);
    }
  refresh(g);
}

static void grow(struct growth *g)
{
  for (uint32_t j = 0; j < g->s->joints; j++) {
    g->dead[j] = !g->tight[j];
    g->noise[j] = (uint32_t)rng_below(g->rng, 1u << 20);
  }
  for (uint32_t v = 0; v < g->s->cubes; v++) {
    g->mate[v] = BLOSSOM_FREE;
    change(g, v);
  }
  refresh(g);
  while (heap_count(&g->next) > 0)
    take(g, heap_first(&g->next));
}

/* --- matchings -------------------------------------------------------------------------------- */

/* The number of low bits to drop from the tie-breaking weights (below 2^20) and from the factor of
 * the values, so that the heaviest joint fits in BLOSSOM_MAX_WEIGHT.  If values are that large,
 * ties are rare. */
static uint32_t bits_to_cut(const struct stage *s)
{
  uint64_t most = 1;
  uint32_t cut = 0;
  for (uint32_t j = 0; j < s->joints; j++)
    most = s->joint[j].value > most ? s->joint[j].value : most;
  while (((uint64_t)s->cubes << 20 >> cut) > BLOSSOM_MAX_WEIGHT / most / 2)
    cut++;
  return cut;
}

/* Matches by value, then by the sum of @p extra (NULL: none).  Its entries are below 2^20. */
static enum status match(const struct stage *s, const uint32_t *extra, uint32_t *mate, bool *tight,
                         struct err *e)
{
  ARENA(mem, e);
  struct blossom_arc *arc = arena_array(&mem, s->joints, sizeof *arc);
  if (arc == NULL)
    return FAIL;
  const uint32_t cut = bits_to_cut(s);
  const uint64_t unit = extra == NULL ? 1 : ((uint64_t)s->cubes << 20) >> cut;
  for (uint32_t j = 0; j < s->joints; j++) {
    const struct joint *x = &s->joint[j];
    const uint64_t more = extra == NULL ? 0 : extra[j] >> cut;
    arc[j] = (struct blossom_arc){x->a, x->b, (int64_t)(x->value * (unit == 0 ? 1 : unit) + more)};
  }
  return blossom_match(s->cubes, arc, s->joints, mate, tight, e);
}

/* Pairs the unmatched cubes in order. */
static void pair_rest(uint32_t n, uint32_t *mate)
{
  uint32_t before = BLOSSOM_FREE;
  for (uint32_t v = 0; v < n; v++) {
    if (mate[v] != BLOSSOM_FREE)
      continue;
    if (before == BLOSSOM_FREE) {
      before = v;
      continue;
    }
    mate[v] = before;
    mate[before] = v;
    before = BLOSSOM_FREE;
  }
}

enum status ties_first(const struct stage *s, uint32_t *mate, struct err *e)
{
  if (match(s, NULL, mate, NULL, e) != OK)
    return FAIL;
  pair_rest(s->cubes, mate);
  return OK;
}

/* Finds the maximum-weight matching that contains most of the grown matching. */
static enum status complete(struct growth *g, struct err *e)
{
  ARENA(mem, e);
  uint32_t *extra = arena_array(&mem, g->s->joints, sizeof *extra);
  if (extra == NULL)
    return FAIL;
  for (uint32_t j = 0; j < g->s->joints; j++)
    if (g->mate[g->s->joint[j].a] == g->s->joint[j].b)
      extra[j] = 1 + at_most(g->gained[j], 1u << 19);
  return match(g->s, extra, g->mate, NULL, e);
}

enum status ties_grown(const struct stage *s, struct rng *rng, uint32_t *mate, struct err *e)
{
  ARENA(mem, e);
  const size_t n = s->joints;
  struct growth g = {.s = s,
                     .rng = rng,
                     .mate = mate,
                     .tight = arena_array(&mem, n, sizeof *g.tight),
                     .first = arena_array(&mem, n + 1, sizeof *g.first),
                     .gained = arena_array(&mem, n, sizeof *g.gained),
                     .possible = arena_array(&mem, n, sizeof *g.possible),
                     .dead = arena_array(&mem, n, sizeof *g.dead),
                     .near = arena_array(&mem, s->cubes, sizeof *g.near),
                     .top = arena_array(&mem, s->cubes, sizeof *g.top),
                     .changed = arena_array(&mem, s->cubes, sizeof *g.changed),
                     .is_changed = arena_array(&mem, s->cubes, sizeof *g.is_changed),
                     .noise = arena_array(&mem, n, sizeof *g.noise)};
  enum status status = arena_status(&mem) == OK ? heap_reserve(&g.next, s->joints, e) : FAIL;
  if (status == OK)
    status = match(s, NULL, mate, g.tight, e);
  if (status == OK)
    status = list_all_sides(&g, e);
  if (status == OK) {
    grow(&g);
    status = complete(&g, e);
  }
  if (status == OK)
    pair_rest(s->cubes, mate);
  free(g.side);
  heap_clear(&g.next);
  return status;
}
