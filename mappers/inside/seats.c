#include "mappers/inside/seats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/numeric/rising.h"
#include "common/numeric/rng.h"
#include "mappers/anneal.h"
#include "mappers/general/cut/halve.h"
#include "mappers/tune/digits.h"

/* First cuts of the smallest graph of each bisection (halve.h). */
enum { TRIES = 16 };

/* First heat of the annealing, in mean changes of a test, and last heat as a share of the first. */
#define FIRST_HEAT 0.5
#define LAST_HEAT  0.01

/* Limit of the arcs that seats_divide() looks at for all choices of digits together. */
enum { MOST_ARCS = 1 << 28 };

/* Of ten tests, this number move a task to an object that contains one of its neighbours. */
enum { NEAR = 7 };

/* If seats times arcs exceed this limit, only annealing searches for exchanges. */
enum { MOST_IN_PAIRS = 1 << 28 };

enum status seats_new(struct seats *s, const struct tree *t, const struct graph *g, uint32_t each,
                      struct arena *mem)
{
  *s = (struct seats){.tree = t, .g = g, .each = each, .count = each * t->in->cores};
  s->seat = arena_array(mem, g->n, sizeof *s->seat);
  s->task = arena_array(mem, s->count, sizeof *s->task);
  if (arena_status(mem) != OK)
    return FAIL;
  memset(s->task, 0xff, s->count * sizeof *s->task);
  for (uint32_t v = 0; v < g->n; v++) {
    s->seat[v] = v;
    s->task[v] = v;
  }
  return OK;
}

static int64_t cost_between(const struct seats *s, uint32_t a, uint32_t b)
{
  const struct tree *t = s->tree;
  return t->cost[t->common[a / s->each * t->in->cores + b / s->each]];
}

int64_t seats_cost(const struct seats *s)
{
  int64_t sum = 0;
  for (uint32_t v = 0; v < s->g->n; v++)
    for (uint32_t a = s->g->first[v]; a < s->g->first[v + 1]; a++)
      if (s->g->to[a] > v)
        sum += s->g->weight[a] * cost_between(s, s->seat[v], s->seat[s->g->to[a]]);
  return sum;
}

/* --- halving ---------------------------------------------------------------------------------- */

/* Tasks in places [low, high) of the tree. */
struct half {
  uint32_t low, high;
  uint32_t *task; /* rising */
  uint32_t n;
};

struct halver {
  struct seats *s;
  uint32_t *index; /* by task: scratch of graph_part() */
  struct err *e;
};

/* Seats the tasks in order. */
static void sit(const struct halver *h, const struct half *x)
{
  for (uint32_t i = 0; i < x->n; i++) {
    h->s->seat[x->task[i]] = x->low * h->s->each + i;
    h->s->task[x->low * h->s->each + i] = x->task[i];
  }
}

/* Cuts the tasks of @p x in two: side 0 fits on the places below @p at, side 1 on the others. */
static enum status cut_tasks(const struct halver *h, const struct half *x, uint32_t at,
                             uint8_t *side)
{
  ARENA(mem, h->e);
  struct graph part;
  const struct graph_list list = {x->task, x->n};
  const uint32_t low = (at - x->low) * h->s->each, high = (x->high - at) * h->s->each;
  int64_t *bias = arena_array(&mem, x->n, sizeof *bias);
  const struct halving cut = {.g = &part,
                              .bias = bias,
                              .hops = 1,
                              .least = x->n > high ? x->n - high : 0,
                              .most = x->n < low ? x->n : low,
                              .tries = TRIES,
                              .seed = 1};
  if (graph_part(&part, h->s->g, &list, h->index, &mem) != OK || arena_status(&mem) != OK)
    return FAIL;
  return halve(&cut, side, h->e);
}

static enum status halve_places(const struct halver *h, const struct half *x)
{
  const uint32_t at = tree_cut(h->s->tree, x->low, x->high);
  if (x->n < 2 || at == x->high) {
    sit(h, x);
    return OK;
  }
  ARENA(mem, h->e);
  uint8_t *side = arena_array(&mem, x->n, sizeof *side);
  struct half half[2] = {{.low = x->low, .high = at}, {.low = at, .high = x->high}};
  half[0].task = arena_array(&mem, x->n, sizeof *half[0].task);
  half[1].task = arena_array(&mem, x->n, sizeof *half[1].task);
  if (arena_status(&mem) != OK || cut_tasks(h, x, at, side) != OK)
    return FAIL;
  for (uint32_t i = 0; i < x->n; i++)
    half[side[i]].task[half[side[i]].n++] = x->task[i];
  return halve_places(h, &half[0]) == OK ? halve_places(h, &half[1]) : FAIL;
}

enum status seats_halve(struct seats *s, struct err *e)
{
  ARENA(mem, e);
  struct halver h = {.s = s, .e = e};
  struct half all = {.high = s->tree->in->cores, .n = s->g->n};
  h.index = arena_array(&mem, s->g->n, sizeof *h.index);
  all.task = arena_array(&mem, s->g->n, sizeof *all.task);
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t v = 0; v < s->g->n; v++) {
    h.index[v] = UINT32_MAX;
    all.task[v] = v;
  }
  memset(s->task, 0xff, s->count * sizeof *s->task);
  return halve_places(&h, &all);
}

/* --- digits ----------------------------------------------------------------------------------- */

/* The search for the digits in which the tasks of a place differ. */
struct dividing {
  const struct seats *s;
  struct digits digits;
  uint32_t *place;  /* by task: the least task of its place */
  uint64_t choices; /* that may still be tried */
  int64_t least;    /* weight between the places of the best choice */
  uint32_t best;    /* a bit per digit of this choice; 0: none yet */
};

/* Sets `place` if the tasks of a place differ in the @p chosen digits only. */
static void set_places(const struct dividing *x, uint32_t chosen)
{
  const struct digits *d = &x->digits;
  for (uint32_t v = 0; v < x->s->g->n; v++) {
    x->place[v] = v;
    for (uint32_t i = 0; i < d->n; i++)
      if (chosen >> i & 1)
        x->place[v] -= digits_at(d, v, i) * d->stride[i];
  }
}

static void try_digits(struct dividing *x, uint32_t chosen)
{
  const struct graph *g = x->s->g;
  int64_t sum = 0;
  if (x->choices == 0)
    return;
  x->choices--;
  set_places(x, chosen);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (x->place[g->to[a]] != x->place[v])
        sum += g->weight[a];
  if (x->best == 0 || sum < x->least) {
    x->least = sum;
    x->best = chosen;
  }
}

/* Tries all choices of digits from digit @p i on, each together with the @p chosen ones.  @p tasks:
 * the number of tasks of a place if only the chosen digits differ. */
static void try_choices(struct dividing *x, uint32_t i, uint32_t chosen, uint32_t tasks)
{
  if (i < x->digits.n && x->digits.side[i] <= x->s->each / tasks)
    try_choices(x, i + 1, chosen | UINT32_C(1) << i, tasks * x->digits.side[i]);
  if (i < x->digits.n)
    try_choices(x, i + 1, chosen, tasks);
  else if (chosen != 0 && x->s->g->n / tasks <= x->s->tree->in->cores)
    try_digits(x, chosen);
}

enum status seats_divide(struct seats *s, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = s->g->n;
  struct dividing x = {.s = s, .choices = MOST_ARCS / (s->g->first[n] + 1)};
  uint32_t *next = arena_array(&mem, n, sizeof *next); /* by least task: a seat of its place */
  uint32_t places = 0;
  x.place = arena_array(&mem, n, sizeof *x.place);
  if (arena_status(&mem) != OK)
    return FAIL;
  digits_factor(&x.digits, n);
  try_choices(&x, 0, 0, 1);
  set_places(&x, x.best);
  memset(s->task, 0xff, s->count * sizeof *s->task);
  for (uint32_t v = 0; v < n; v++) {
    if (x.place[v] == v)
      next[v] = s->each * places++;
    s->seat[v] = x.best == 0 ? v : next[x.place[v]]++;
    s->task[s->seat[v]] = v;
  }
  return OK;
}

/* --- exchanges -------------------------------------------------------------------------------- */

/* The change of the cost if the task moves from seat @p from to seat @p to, without its edge to
 * @p partner, which moves the other way. */
static int64_t change_of(const struct seats *s, uint32_t task, uint32_t from, uint32_t to,
                         uint32_t partner)
{
  const struct graph *g = s->g;
  int64_t sum = 0;
  if (task == SEATS_FREE)
    return 0;
  for (uint32_t a = g->first[task]; a < g->first[task + 1]; a++)
    if (g->to[a] != partner) {
      const uint32_t other = s->seat[g->to[a]];
      sum += g->weight[a] * (cost_between(s, to, other) - cost_between(s, from, other));
    }
  return sum;
}

/* The change of the cost by an exchange of the contents of two seats. */
static int64_t change(const struct seats *s, uint32_t a, uint32_t b)
{
  const uint32_t x = s->task[a], y = s->task[b];
  if (a / s->each == b / s->each || (x == SEATS_FREE && y == SEATS_FREE))
    return 0;
  return change_of(s, x, a, b, y) + change_of(s, y, b, a, x);
}

static void exchange(struct seats *s, uint32_t a, uint32_t b)
{
  const uint32_t x = s->task[a], y = s->task[b];
  s->task[a] = y;
  s->task[b] = x;
  if (x != SEATS_FREE)
    s->seat[x] = b;
  if (y != SEATS_FREE)
    s->seat[y] = a;
}

/* Makes exchanges until none improves the cost. */
static void descend(struct seats *s)
{
  bool improved = (uint64_t)s->count * s->g->first[s->g->n] <= MOST_IN_PAIRS;
  while (improved) {
    improved = false;
    for (uint32_t a = 0; a < s->count; a++)
      for (uint32_t b = a + 1; b < s->count; b++)
        if (change(s, a, b) < 0) {
          exchange(s, a, b);
          improved = true;
        }
  }
}

/* Draws a seat near a neighbour of the task: in the neighbour's object of a random level below the
 * outermost. */
static uint32_t draw_near(const struct seats *s, uint32_t task, struct rng *rng)
{
  const struct graph *g = s->g;
  const struct tree *t = s->tree;
  const uint32_t degree = graph_degree(g, task);
  if (!t->even || t->in->levels < 2 || degree == 0)
    return (uint32_t)rng_below(rng, s->count);
  const uint32_t neighbour = s->seat[g->to[g->first[task] + rng_below(rng, degree)]];
  const uint32_t level = 1 + (uint32_t)rng_below(rng, t->in->levels - 1);
  const uint32_t seats = t->size[level] * s->each;
  return neighbour / seats * seats + (uint32_t)rng_below(rng, seats);
}

/* Draws two seats, the first one with a task. */
static void draw(const struct seats *s, struct rng *rng, uint32_t *a, uint32_t *b)
{
  const uint32_t task = (uint32_t)rng_below(rng, s->g->n);
  *a = s->seat[task];
  *b = rng_below(rng, 10) < NEAR ? draw_near(s, task, rng) : (uint32_t)rng_below(rng, s->count);
}

static double mean_change(const struct seats *s, struct rng *rng)
{
  double sum = 0;
  uint32_t a, b;
  for (int i = 0; i < 256; i++) {
    draw(s, rng, &a, &b);
    sum += fabs((double)change(s, a, b));
  }
  return sum / 256;
}

/* Anneals and leaves the best seats found.  @p best has room for a seat per task. */
static void anneal(struct seats *s, uint64_t tests, struct rng *rng, uint32_t *best)
{
  const double first = FIRST_HEAT * mean_change(s, rng);
  int64_t now = 0, least = 0;
  double heat = first;
  uint32_t a, b;
  memcpy(best, s->seat, s->g->n * sizeof *best);
  for (uint64_t i = 0; i < tests && first > 0; i++) {
    if (i % 64 == 0)
      heat = anneal_heat(first, LAST_HEAT, (double)i / (double)tests);
    draw(s, rng, &a, &b);
    const int64_t d = change(s, a, b);
    if (d > 0 && (double)d > anneal_draw(heat, rng))
      continue;
    exchange(s, a, b);
    now += d;
    if (now < least) {
      least = now;
      memcpy(best, s->seat, s->g->n * sizeof *best);
    }
  }
  memset(s->task, 0xff, s->count * sizeof *s->task);
  for (uint32_t v = 0; v < s->g->n; v++) {
    s->seat[v] = best[v];
    s->task[best[v]] = v;
  }
}

enum status seats_improve(struct seats *s, uint32_t tests, struct err *e)
{
  ARENA(mem, e);
  struct rng rng = rng_new(1, 0);
  uint32_t *best = arena_array(&mem, s->g->n, sizeof *best);
  if (arena_status(&mem) != OK)
    return FAIL;
  if (s->g->n < 2)
    return OK;
  descend(s);
  anneal(s, (uint64_t)tests * s->g->n, &rng, best);
  descend(s);
  return OK;
}

/* --- equal objects ---------------------------------------------------------------------------- */

/* A block of seats and its lowest task. */
struct block {
  uint32_t first, lowest;
};

static int by_lowest(const void *a, const void *b)
{
  const struct block *x = a, *y = b;
  return RISING(x->lowest, y->lowest) ?: RISING(x->first, y->first);
}

/* Sorts the blocks of @p size seats within the seats [low, high) by their lowest tasks. */
static void sort_blocks(struct seats *s, uint32_t low, uint32_t high, uint32_t size,
                        struct block *block, uint32_t *copy)
{
  const uint32_t n = (high - low) / size;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t *task = s->task + low + i * size;
    block[i] = (struct block){low + i * size, SEATS_FREE};
    for (uint32_t k = 0; k < size; k++)
      block[i].lowest = task[k] < block[i].lowest ? task[k] : block[i].lowest;
  }
  qsort(block, n, sizeof *block, by_lowest);
  for (uint32_t i = 0; i < n; i++)
    memcpy(copy + i * size, s->task + block[i].first, size * sizeof *copy);
  memcpy(s->task + low, copy, (size_t)n * size * sizeof *copy);
}

enum status seats_normalise(struct seats *s, struct err *e)
{
  ARENA(mem, e);
  const struct tree *t = s->tree;
  struct block *block = arena_array(&mem, s->count, sizeof *block);
  uint32_t *copy = arena_array(&mem, s->count, sizeof *copy);
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t l = 0; l < t->in->levels && t->even; l++) {
    const uint32_t outer = t->size[l] * s->each;
    const uint32_t inner = l + 1 < t->in->levels ? t->size[l + 1] * s->each : s->each;
    for (uint32_t low = 0; low < s->count; low += outer)
      sort_blocks(s, low, low + outer, inner, block, copy);
  }
  for (uint32_t i = 0; i < s->count; i++)
    if (s->task[i] != SEATS_FREE)
      s->seat[s->task[i]] = i;
  return OK;
}
