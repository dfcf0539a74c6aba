#include "mappers/general/cut/halve.h"

#include <string.h>

#include "common/containers/heap.h"
#include "common/numeric/rng.h"

enum {
  SMALLEST = 40, /* tasks of the graph that is cut first */
  MOST_LEVELS = 40,
  PASSES = 3,   /* refinement passes per level */
  PATIENCE = 60 /* moves without gain after which a pass ends, plus a 20th of the tasks */
};

/* A graph of the hierarchy.  A task of the next level is one or two tasks of this level. */
struct level {
  struct graph g;
  uint32_t *size; /* by task, in tasks of the first graph */
  int64_t *bias;
  uint32_t *part; /* by task: its task of the next level */
  uint8_t *side;
};

struct state {
  const struct halving *h;
  struct level level[MOST_LEVELS];
  uint32_t levels;
  struct heap heap[2]; /* by side: tasks by falling gain */
  int64_t *gain;       /* by task: decrease of the cost if the task changes its side */
  uint32_t *moved;     /* tasks in the order of the moves */
  uint32_t *scratch;
  uint8_t *kept; /* by task of the smallest graph: its side in the best cut */
  struct rng rng;
};

/* The order in a heap: the higher the gain, the lower the order. */
static uint64_t order_of(int64_t gain)
{
  return (UINT64_C(1) << 63) - (uint64_t)gain;
}

/* --- levels ----------------------------------------------------------------------------------- */

static enum status alloc_level(struct level *l, uint32_t n, struct arena *mem)
{
  l->size = arena_array(mem, n, sizeof *l->size);
  l->bias = arena_array(mem, n, sizeof *l->bias);
  l->part = arena_array(mem, n, sizeof *l->part);
  l->side = arena_array(mem, n, sizeof *l->side);
  return arena_status(mem);
}

/* The free neighbour with the heaviest edge relative to its size; UINT32_MAX if there is none. */
static uint32_t best_partner(const struct level *l, uint32_t v, uint32_t most)
{
  uint32_t best = UINT32_MAX;
  double weight = 0;
  for (uint32_t a = l->g.first[v]; a < l->g.first[v + 1]; a++) {
    const uint32_t u = l->g.to[a];
    const double w = (double)l->g.weight[a] / l->size[u];
    if (l->part[u] == UINT32_MAX && u != v && l->size[u] + l->size[v] <= most && w > weight) {
      weight = w;
      best = u;
    }
  }
  return best;
}

/* Pairs tasks in random order.  Returns the number of tasks of the next level. */
static uint32_t match(struct state *s, struct level *l)
{
  const uint32_t n = l->g.n;
  uint32_t parts = 0, all = 0;
  for (uint32_t v = 0; v < n; v++) {
    s->scratch[v] = v;
    l->part[v] = UINT32_MAX;
    all += l->size[v];
  }
  rng_shuffle(&s->rng, s->scratch, n);
  const uint32_t most = 1 + 3 * all / (2 * SMALLEST);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = s->scratch[i];
    if (l->part[v] != UINT32_MAX)
      continue;
    const uint32_t u = best_partner(l, v, most);
    l->part[v] = parts;
    if (u != UINT32_MAX)
      l->part[u] = parts;
    parts++;
  }
  return parts;
}

/* Adds the arcs of task @p v to the row of its part, which begins at @p row and so far ends at
 * @p end.  Returns the new end.  place[]: by part, index of its arc plus 1; values up to @p row
 * belong to other rows. */
static uint32_t add_arcs(const struct level *l, uint32_t v, struct graph *out, uint32_t row,
                         uint32_t end, uint32_t *place)
{
  const uint32_t own = l->part[v];
  for (uint32_t a = l->g.first[v]; a < l->g.first[v + 1]; a++) {
    const uint32_t part = l->part[l->g.to[a]];
    if (part == own)
      continue;
    if (place[part] <= row) {
      out->to[end] = part;
      out->weight[end] = 0;
      place[part] = ++end;
    }
    out->weight[place[part] - 1] += l->g.weight[a];
  }
  return end;
}

static enum status contract(struct state *s, struct level *l, struct level *next, uint32_t parts,
                            struct arena *mem)
{
  ARENA(room, mem->e);
  const uint32_t n = l->g.n;
  uint32_t *first = arena_array(&room, n, sizeof *first), *second = s->scratch;
  if (first == NULL || graph_alloc(&next->g, parts, l->g.first[n], mem) != OK ||
      alloc_level(next, parts, mem) != OK)
    return FAIL;
  memset(first, 0xff, n * sizeof *first);
  memset(second, 0xff, n * sizeof *second);
  for (uint32_t v = 0; v < n; v++)
    *(first[l->part[v]] == UINT32_MAX ? &first[l->part[v]] : &second[l->part[v]]) = v;
  uint32_t *place = s->moved, end = 0;
  memset(place, 0, n * sizeof *place);
  for (uint32_t p = 0; p < parts; p++) {
    const uint32_t row = end, members[2] = {first[p], second[p]};
    for (int k = 0; k < 2 && members[k] != UINT32_MAX; k++) {
      end = add_arcs(l, members[k], &next->g, row, end, place);
      next->size[p] += l->size[members[k]];
      next->bias[p] += l->bias[members[k]];
    }
    next->g.first[p + 1] = end;
  }
  return OK;
}

static enum status coarsen(struct state *s, struct arena *mem)
{
  while (s->levels < MOST_LEVELS) {
    struct level *l = &s->level[s->levels - 1];
    if (l->g.n <= SMALLEST)
      return OK;
    const uint32_t parts = match(s, l);
    if (parts > l->g.n - l->g.n / 10)
      return OK;
    if (contract(s, l, &s->level[s->levels++], parts, mem) != OK)
      return FAIL;
  }
  return OK;
}

/* --- refinement ------------------------------------------------------------------------------- */

struct cut {
  int64_t cost;  /* relative to the start of a refinement */
  uint32_t size; /* tasks of side 0 */
};

static void set_gains(struct state *s, const struct level *l)
{
  for (uint32_t v = 0; v < l->g.n; v++) {
    int64_t sum = 0;
    for (uint32_t a = l->g.first[v]; a < l->g.first[v + 1]; a++)
      sum += l->side[l->g.to[a]] == l->side[v] ? -(int64_t)l->g.weight[a] : l->g.weight[a];
    s->gain[v] = sum * s->h->hops + (l->side[v] == 0 ? -l->bias[v] : l->bias[v]);
  }
}

/* The size of side 0. */
static uint32_t size_of(const struct level *l)
{
  uint32_t sum = 0;
  for (uint32_t v = 0; v < l->g.n; v++)
    sum += l->side[v] == 0 ? l->size[v] : 0;
  return sum;
}

/* How far the size of side 0 is outside its bounds. */
static uint32_t excess(const struct halving *h, uint32_t size)
{
  return size < h->least ? h->least - size : size > h->most ? size - h->most : 0;
}

/* The side from which the next task moves.  If the size of side 0 is outside its bounds, the move
 * brings it closer to them.  Within the bounds, prefers a move that stays within them, then the
 * larger gain.  -1: no task is left. */
static int choose_side(const struct state *s, const struct level *l, uint32_t size)
{
  const bool has[2] = {heap_count(&s->heap[0]) > 0, heap_count(&s->heap[1]) > 0};
  if (!has[0] || !has[1])
    return has[0] ? 0 : has[1] ? 1 : -1;
  if (size > s->h->most)
    return 0;
  if (size < s->h->least)
    return 1;
  const uint32_t a = heap_first(&s->heap[0]), b = heap_first(&s->heap[1]);
  const bool can_a = size >= l->size[a] && size - l->size[a] >= s->h->least;
  const bool can_b = size + l->size[b] <= s->h->most;
  if (can_a != can_b)
    return can_a ? 0 : 1;
  return s->gain[a] >= s->gain[b] ? 0 : 1;
}

static void move(struct state *s, struct level *l, uint32_t v)
{
  const uint8_t to = (uint8_t)!l->side[v];
  l->side[v] = to;
  s->gain[v] = -s->gain[v];
  for (uint32_t a = l->g.first[v]; a < l->g.first[v + 1]; a++) {
    const uint32_t u = l->g.to[a];
    const int64_t change = 2 * (int64_t)l->g.weight[a] * s->h->hops;
    s->gain[u] += l->side[u] == to ? -change : change;
    if (heap_has(&s->heap[l->side[u]], u))
      heap_set(&s->heap[l->side[u]], u, order_of(s->gain[u]));
  }
}

static bool is_better(const struct halving *h, struct cut a, struct cut b)
{
  const uint32_t x = excess(h, a.size), y = excess(h, b.size);
  return x != y ? x < y : a.cost < b.cost;
}

/* Empties both heaps. */
static void empty(struct state *s)
{
  for (int side = 0; side < 2; side++)
    while (heap_count(&s->heap[side]) > 0)
      heap_remove(&s->heap[side], heap_first(&s->heap[side]));
}

/* Moves tasks one by one, each at most once, and undoes the moves after the best cut.  Returns
 * whether that cut is better than the cut before. */
static bool refine_once(struct state *s, struct level *l, struct cut *now)
{
  const struct halving *h = s->h;
  struct cut best = *now;
  uint32_t count = 0, kept = 0;
  const uint32_t patience = PATIENCE + l->g.n / 20;
  empty(s);
  for (uint32_t v = 0; v < l->g.n; v++)
    heap_set(&s->heap[l->side[v]], v, order_of(s->gain[v]));
  while (count - kept < patience) {
    const int side = choose_side(s, l, now->size);
    if (side < 0)
      break;
    const uint32_t v = heap_first(&s->heap[side]);
    heap_remove(&s->heap[side], v);
    now->cost -= s->gain[v];
    now->size = side == 0 ? now->size - l->size[v] : now->size + l->size[v];
    move(s, l, v);
    s->moved[count++] = v;
    if (is_better(h, *now, best)) {
      best = *now;
      kept = count;
    }
  }
  while (count > kept) {
    const uint32_t v = s->moved[--count];
    move(s, l, v);
  }
  *now = best;
  return kept > 0;
}

static struct cut refine(struct state *s, struct level *l)
{
  struct cut now = {0, size_of(l)};
  set_gains(s, l);
  for (int pass = 0; pass < PASSES && refine_once(s, l, &now); pass++)
    ;
  return now;
}

/* --- the first cut ---------------------------------------------------------------------------- */

/* Twice the cost of a cut: counts each cut edge at both ends. */
static int64_t cost_of(const struct halving *h, const struct level *l)
{
  int64_t sum = 0;
  for (uint32_t v = 0; v < l->g.n; v++) {
    sum += l->side[v] == 1 ? 2 * l->bias[v] : 0;
    for (uint32_t a = l->g.first[v]; a < l->g.first[v + 1]; a++)
      sum += l->side[l->g.to[a]] != l->side[v] ? (int64_t)l->g.weight[a] * h->hops : 0;
  }
  return sum;
}

/* Grows side 0 from one task.  Always adds the task with the highest gain. */
static void grow(struct state *s, struct level *l, uint32_t seed)
{
  struct heap *heap = &s->heap[1];
  uint32_t size = 0;
  memset(l->side, 1, l->g.n);
  set_gains(s, l);
  empty(s);
  for (uint32_t v = 0; v < l->g.n; v++)
    heap_set(heap, v, order_of(s->gain[v]));
  const uint32_t target = s->h->least + (s->h->most - s->h->least) / 2;
  for (uint32_t v = seed; size < target; v = heap_first(heap)) {
    heap_remove(heap, v);
    move(s, l, v);
    size += l->size[v];
    if (heap_count(heap) == 0)
      break;
  }
}

/* The task with the strongest bias to side 0. */
static uint32_t first_seed(const struct level *l)
{
  uint32_t best = 0;
  for (uint32_t v = 1; v < l->g.n; v++)
    best = l->bias[v] > l->bias[best] ? v : best;
  return best;
}

/* Cuts the smallest graph several times, and keeps the best cut. */
static void cut_smallest(struct state *s, struct level *l)
{
  struct cut best = {0, 0};
  for (uint32_t t = 0; t < s->h->tries; t++) {
    grow(s, l, t == 0 ? first_seed(l) : (uint32_t)rng_below(&s->rng, l->g.n));
    struct cut now = refine(s, l);
    now.cost = cost_of(s->h, l);
    if (t > 0 && !is_better(s->h, now, best))
      continue;
    best = now;
    memcpy(s->kept, l->side, l->g.n);
  }
  memcpy(l->side, s->kept, l->g.n);
}

/* --- all -------------------------------------------------------------------------------------- */

static enum status set_up(struct state *s, struct arena *mem)
{
  const struct graph *g = s->h->g;
  struct level *l = &s->level[0];
  l->g = *g;
  s->levels = 1;
  s->gain = arena_array(mem, g->n, sizeof *s->gain);
  s->moved = arena_array(mem, g->n, sizeof *s->moved);
  s->scratch = arena_array(mem, g->n, sizeof *s->scratch);
  s->kept = arena_array(mem, g->n, 1);
  if (alloc_level(l, g->n, mem) != OK || heap_reserve(&s->heap[0], g->n, mem->e) != OK ||
      heap_reserve(&s->heap[1], g->n, mem->e) != OK)
    return FAIL;
  for (uint32_t v = 0; v < g->n; v++)
    l->size[v] = 1;
  memcpy(l->bias, s->h->bias, g->n * sizeof *l->bias);
  return OK;
}

enum status halve(const struct halving *h, uint8_t *side, struct err *e)
{
  ARENA(mem, e);
  struct state *s = arena_array(&mem, 1, sizeof *s);
  if (s == NULL)
    return FAIL;
  s->h = h;
  s->rng = rng_new(h->seed, 0);
  enum status status = set_up(s, &mem);
  if (status == OK)
    status = coarsen(s, &mem);
  if (status == OK) {
    cut_smallest(s, &s->level[s->levels - 1]);
    for (uint32_t i = s->levels - 1; i-- > 0;) {
      struct level *l = &s->level[i];
      for (uint32_t v = 0; v < l->g.n; v++)
        l->side[v] = s->level[i + 1].side[l->part[v]];
      refine(s, l);
    }
    memcpy(side, s->level[0].side, h->g->n);
  }
  heap_clear(&s->heap[0]);
  heap_clear(&s->heap[1]);
  return status;
}
