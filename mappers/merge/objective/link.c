#include "mappers/merge/objective/link.h"

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/merge/objective/descent.h"
#include "mappers/merge/objective/flows.h"
#include "mappers/merge/objective/traffic.h"

/* Loads of all links along one axis of a box under dimension-order routing.  A flow adds its bytes
 * at the first place of its path along the axis and subtracts them at the last.  The prefix sums
 * of these differences along each line are the loads.
 *
 * Loads are doubled bytes, {up, down} x cells.  Link i of a line joins places i and i + 1; the
 * last link of a ring joins its end and its start.  If both directions of a ring are equally long,
 * each carries half of the bytes. */

/** A flow from cell src to cell dst uses the links from place from[src] + to[dst] + shift to place
 *  from_next[src] + to_next[dst] + shift_next.  Its line starts at place from_next[src] + to[dst] +
 *  the smaller shift. */
struct merge_lane {
  const uint32_t *from, *from_next, *to, *to_next; /**< by cell; not owned */
  uint32_t shift, shift_next;
  uint32_t stride, length; /**< distance of neighbouring places of a line; places of a line */
  bool ring;
  uint32_t cells; /**< of the box */
};

static void add_to_paths(const struct merge_lane *l, const struct merge_flows *f, uint64_t *load)
{
  for (size_t i = 0; i < f->count; i++) {
    const struct merge_flow *x = &f->flow[i];
    const uint32_t a = l->from[x->src] + l->to[x->dst] + l->shift;
    const uint32_t b = l->from_next[x->src] + l->to_next[x->dst] + l->shift_next;
    uint64_t *way = load + (b < a ? l->cells : 0);
    way[a < b ? a : b] += 2 * x->bytes;
    way[a < b ? b : a] -= 2 * x->bytes;
  }
}

static void add_to_rings(const struct merge_lane *l, const struct merge_flows *f, uint64_t *load)
{
  const uint32_t span = l->stride * l->length;
  for (size_t i = 0; i < f->count; i++) {
    const struct merge_flow *x = &f->flow[i];
    const uint32_t a = l->from[x->src] + l->to[x->dst] + l->shift;
    const uint32_t b = l->from_next[x->src] + l->to_next[x->dst] + l->shift_next;
    const uint32_t start = l->from_next[x->src] + l->to[x->dst] +
                           (l->shift < l->shift_next ? l->shift : l->shift_next);
    const uint32_t rise = b >= a ? b - a : b + span - a;
    const uint64_t share = 2 * rise == span ? x->bytes : 2 * x->bytes;
    if (2 * rise <= span) {
      load[a] += share;
      load[b] -= share;
      load[start] += b < a ? share : 0;
    }
    if (2 * rise >= span) {
      uint64_t *down = load + l->cells;
      down[b] += share;
      down[a] -= share;
      down[start] += b > a ? share : 0;
    }
  }
}

/* Adds differences to load[].  Time: linear in the flows. */
static void merge_lane_add(const struct merge_lane *l, const struct merge_flows *f, uint64_t *load)
{
  if (l->ring)
    add_to_rings(l, f, load);
  else
    add_to_paths(l, f, load);
}

/* Turns the differences in load[] into loads.  Time: linear in the cells. */
static void merge_lane_sum(const struct merge_lane *l, uint64_t *load)
{
  const uint32_t span = l->stride * l->length;
  for (uint64_t *line = load; line < load + 2 * (size_t)l->cells; line += span)
    for (uint32_t i = l->stride; i < span; i++)
      line[i] += line[i - l->stride];
}

/* Maximum memory in bytes for placements of the first group that are computed before the search. */
#define AHEAD_BYTES ((size_t)64 << 20)

/* A half of the merged box, transformed by a pattern.  In the order of the places of the box, the
 * axis of the merge changes slowest, so that each half is contiguous and the places of a flow
 * within a half differ only by a shift between half and box.
 *
 * The place of a cell is a sum over axes: to[d][cell] is the sum over the axes below d, and
 * from[d][cell] the sum over the axes d and above, for d = 0..ndims.  A flow uses the links of axis
 * d, up or down, from place from[d][src] + to[d][dst] to place from[d + 1][src] +
 * to[d + 1][dst]. */
struct placed {
  struct merge_pattern pattern;
  uint32_t *from, *to; /* (ndims + 1) x cells */
  uint64_t *load;      /* doubled bytes of traffic within the half: ndims x {up, down} x cells */
  uint64_t peak;       /* the largest load */
  size_t from_room, to_room, load_room;
};

struct merge_link {
  struct merge_traffic *traffic;
  struct placed second;
  struct placed *first; /* placements computed ahead */
  uint32_t firsts, first_room;
  uint64_t *load; /* {up, down} x cells of the merged box */
  size_t load_room;
  uint64_t best_value, best_index;
};

/* The input that all evaluations of a pair share. */
struct pair_search {
  const struct merge_case *c;
  const struct merge_traffic *traffic;
  uint32_t stride[MERGE_PLAN_MAX_DIMS]; /* by axis, in places */
  uint32_t cells;                       /* of the merged box */
};

static void placed_clear(struct placed *p)
{
  free(p->from);
  free(p->to);
  free(p->load);
}

struct merge_link *merge_link_new(struct err *e)
{
  struct merge_link *l = mem_array(1, sizeof *l, e);
  if (l != NULL && (l->traffic = merge_traffic_new(e)) == NULL) {
    free(l);
    return NULL;
  }
  return l;
}

void merge_link_free(struct merge_link *l)
{
  if (l == NULL)
    return;
  merge_traffic_free(l->traffic);
  placed_clear(&l->second);
  for (uint32_t i = 0; i < l->first_room; i++)
    placed_clear(&l->first[i]);
  free(l->first);
  free(l->load);
  free(l);
}

static enum status placed_reserve(struct placed *p, const struct merge_case *c, int h,
                                  struct err *e)
{
  const size_t cells = (size_t)(c->ndims + 1) * c->cells[h];
  if (MEM_GROW(p->from, p->from_room, cells, e) != OK ||
      MEM_GROW(p->to, p->to_room, cells, e) != OK)
    return FAIL;
  return MEM_GROW(p->load, p->load_room, (size_t)c->ndims * 2 * c->cells[h], e);
}

static uint64_t largest(const uint64_t *load, size_t n)
{
  uint64_t most = 0;
  for (size_t i = 0; i < n; i++)
    most = load[i] > most ? load[i] : most;
  return most;
}

static uint64_t largest_sum(const uint64_t *load, const uint64_t *inner, size_t n)
{
  uint64_t most = 0;
  for (size_t i = 0; i < n; i++)
    most = load[i] + inner[i] > most ? load[i] + inner[i] : most;
  return most;
}

/* Computes the places of the cells of a half. */
static void put_cells(const struct pair_search *s, int h, struct placed *p)
{
  const struct merge_case *c = s->c;
  const uint32_t n = c->cells[h];
  memset(p->to, 0, n * sizeof *p->to);
  for (uint32_t d = 0; d < c->ndims; d++) {
    const uint32_t a = p->pattern.from[d], length = c->length[h][a];
    const bool flip = (p->pattern.flip >> d & 1) != 0;
    const uint32_t *to = p->to + (size_t)d * n;
    uint32_t *next = p->to + (size_t)(d + 1) * n;
    uint32_t below = 1; /* number of cells from one coordinate to the next */
    for (uint32_t k = 0; k < a; k++)
      below *= c->length[h][k];
    for (uint32_t cell = 0, at = 0; cell < n; at = at + 1 == length ? 0 : at + 1) {
      const uint32_t part = (flip ? length - 1 - at : at) * s->stride[d];
      for (const uint32_t end = cell + below; cell < end; cell++)
        next[cell] = to[cell] + part;
    }
  }
  for (uint32_t d = 0; d <= c->ndims; d++)
    for (uint32_t cell = 0; cell < n; cell++)
      p->from[(size_t)d * n + cell] =
          p->to[(size_t)c->ndims * n + cell] - p->to[(size_t)d * n + cell];
}

/* The lane along axis @p d for flows from one half to another. */
static struct merge_lane lane_between(const struct pair_search *s, const struct placed *a, int from,
                                      const struct placed *b, int to, uint32_t d)
{
  const struct merge_case *c = s->c;
  const size_t n = c->cells[from], m = c->cells[to];
  return (struct merge_lane){.from = a->from + d * n,
                             .from_next = a->from + (d + 1) * n,
                             .to = b->to + d * m,
                             .to_next = b->to + (d + 1) * m,
                             .stride = s->stride[d],
                             .length = c->length[0][d],
                             .ring = c->ring[d]};
}

/* Computes the loads of the traffic within a half.  Along the axis of the merge its routes do not
 * wrap around, because the way inside the half is never longer. */
static void load_inner(const struct pair_search *s, int h, struct placed *p)
{
  const struct merge_case *c = s->c;
  const uint32_t n = c->cells[h];
  memset(p->load, 0, (size_t)c->ndims * 2 * n * sizeof *p->load);
  for (uint32_t d = 0; d < c->ndims; d++) {
    struct merge_lane l = lane_between(s, p, h, p, h, d);
    l.length = c->length[h][d];
    l.ring = c->ring[d] && d != c->axis;
    l.cells = n;
    uint64_t *load = p->load + (size_t)d * 2 * n;
    merge_lane_add(&l, merge_traffic_along(s->traffic, h, h, d, p->pattern.from, p->pattern.from),
                   load);
    merge_lane_sum(&l, load);
  }
  p->peak = largest(p->load, (size_t)c->ndims * 2 * n);
}

static void put(const struct pair_search *s, int h, struct placed *p)
{
  put_cells(s, h, p);
  load_inner(s, h, p);
}

/* The largest load of a link along axis @p d. */
static uint64_t peak_along(const struct pair_search *s, const struct placed *a,
                           const struct placed *b, uint32_t d, uint64_t *load)
{
  const struct merge_case *c = s->c;
  const uint32_t n = c->cells[0], m = c->cells[1];
  const struct placed *half[2] = {a, b};
  struct merge_lane l = {.cells = s->cells};
  memset(load, 0, 2 * (size_t)s->cells * sizeof *load);
  for (int from = 0; from < 2; from++) {
    const int to = 1 - from;
    l = lane_between(s, half[from], from, half[to], to, d);
    /* Along the axis of the merge, the second half lies behind the first.  A flow is in the half of
     * its source before it crosses that axis, then in the half of its destination. */
    l.shift = (c->axis < d ? to : from) == 1 ? n : 0;
    l.shift_next = (c->axis <= d ? to : from) == 1 ? n : 0;
    l.length += d == c->axis ? c->length[1][d] : 0;
    l.cells = s->cells;
    merge_lane_add(&l,
                   merge_traffic_along(s->traffic, from, to, d, half[from]->pattern.from,
                                       half[to]->pattern.from),
                   load);
  }
  merge_lane_sum(&l, load);
  uint64_t most = 0;
  for (int way = 0; way < 2; way++) {
    const uint64_t *at = load + (size_t)way * s->cells;
    const uint64_t x = largest_sum(at, a->load + ((size_t)d * 2 + way) * n, n);
    const uint64_t y = largest_sum(at + n, b->load + ((size_t)d * 2 + way) * m, m);
    most = x > most ? x : most;
    most = y > most ? y : most;
  }
  return most;
}

/* The value of two placed halves.  If it is above @p limit, may return any number above
 * @p limit. */
static uint64_t evaluate(const struct pair_search *s, const struct placed *a,
                         const struct placed *b, uint64_t limit, uint64_t *load)
{
  uint64_t most = a->peak > b->peak ? a->peak : b->peak;
  for (uint32_t i = 0; most <= limit && i < s->c->ndims; i++) {
    /* Start with the axis of the merge: its links are most likely the fullest. */
    const uint32_t d = i == 0 ? s->c->axis : i <= s->c->axis ? i - 1 : i;
    const uint64_t peak = peak_along(s, a, b, d, load);
    most = peak > most ? peak : most;
  }
  return most;
}

/* Tries a pattern of the second group with each pattern of the first group that @p leader has
 * placed; @p lead is the index of the first one in lead[]. */
static void try_second(const struct pair_search *s, struct merge_link *l,
                       const struct merge_link *leader, uint32_t lead, uint64_t second)
{
  const struct merge_case *c = s->c;
  const uint64_t seconds = merge_pattern_count(&c->patterns[1]);
  l->second.pattern = merge_pattern_at(&c->patterns[1], second);
  put(s, 1, &l->second);
  for (uint32_t i = 0; i < leader->firsts; i++) {
    const uint64_t index = c->lead[lead + i] * seconds + second;
    const bool earlier = index < l->best_index; /* wins ties */
    if (l->best_value == 0 && !earlier)
      continue;
    const uint64_t limit = earlier ? l->best_value : l->best_value - 1;
    const uint64_t value = evaluate(s, &leader->first[i], &l->second, limit, l->load);
    if (value > limit)
      continue;
    l->best_value = value;
    l->best_index = index;
  }
}

static enum status reserve(struct merge_link *l, const struct merge_case *c, struct err *e)
{
  const size_t cells = (size_t)c->cells[0] + c->cells[1];
  l->best_value = l->best_index = UINT64_MAX;
  if (MEM_GROW(l->load, l->load_room, 2 * cells, e) != OK)
    return FAIL;
  return placed_reserve(&l->second, c, 1, e);
}

/* Allocates the placements of the first group that are computed ahead. */
static enum status reserve_firsts(struct merge_link *l, const struct merge_case *c, struct err *e)
{
  const size_t bytes = (size_t)c->cells[0] * (c->ndims + 1) * (2 * sizeof(uint32_t) + 16);
  const size_t fit = AHEAD_BYTES / bytes < 1 ? 1 : AHEAD_BYTES / bytes;
  const uint32_t need = c->exact && c->leads < fit ? c->leads : c->exact ? (uint32_t)fit : 1;
  if (need > l->first_room) {
    struct placed *first = realloc(l->first, need * sizeof *first);
    if (first == NULL)
      return err_set(e, "out of memory for %u placed groups", need);
    memset(first + l->first_room, 0, (need - l->first_room) * sizeof *first);
    l->first = first;
    l->first_room = need;
  }
  l->firsts = need;
  for (uint32_t i = 0; i < need; i++)
    if (placed_reserve(&l->first[i], c, 0, e) != OK)
      return FAIL;
  return OK;
}

static void try_all(const struct pair_search *s, struct merge_link **team, int size)
{
  const struct merge_case *c = s->c;
  struct merge_link *leader = team[0];
  const int64_t seconds = (int64_t)merge_pattern_count(&c->patterns[1]);
  const uint32_t ahead = leader->firsts;
  for (uint32_t lead = 0; lead < c->leads; lead += ahead) {
    leader->firsts = c->leads - lead < ahead ? c->leads - lead : ahead;
    for (uint32_t i = 0; i < leader->firsts; i++) {
      leader->first[i].pattern = merge_pattern_at(&c->patterns[0], c->lead[lead + i]);
      put(s, 0, &leader->first[i]);
    }
#pragma omp parallel for num_threads(size) schedule(dynamic) if (size > 1)
    for (int64_t k = 0; k < seconds; k++)
      try_second(s, team[size > 1 ? omp_get_thread_num() : 0], leader, lead, (uint64_t)k);
  }
}

static struct merge_join best_of(const struct merge_case *c, struct merge_link **team, int size)
{
  const struct merge_link *best = team[0];
  for (int i = 1; i < size; i++)
    if (team[i]->best_value < best->best_value ||
        (team[i]->best_value == best->best_value && team[i]->best_index < best->best_index))
      best = team[i];
  const uint64_t seconds = merge_pattern_count(&c->patterns[1]);
  return (struct merge_join){{merge_pattern_at(&c->patterns[0], best->best_index / seconds),
                              merge_pattern_at(&c->patterns[1], best->best_index % seconds)}};
}

/* The context of value_of(). */
struct evaluation {
  const struct pair_search *search;
  struct merge_link *link;
};

static uint64_t value_of(void *context, const struct merge_join *j, uint64_t limit)
{
  const struct evaluation *x = context;
  x->link->first[0].pattern = j->pattern[0];
  x->link->second.pattern = j->pattern[1];
  put(x->search, 0, &x->link->first[0]);
  put(x->search, 1, &x->link->second);
  return evaluate(x->search, &x->link->first[0], &x->link->second, limit, x->link->load);
}

static void search_init(struct pair_search *s, const struct merge_case *c,
                        const struct merge_traffic *traffic)
{
  *s = (struct pair_search){.c = c, .traffic = traffic, .cells = c->cells[0] + c->cells[1]};
  uint32_t stride = 1;
  for (uint32_t d = 0; d < c->ndims; d++) {
    s->stride[d] = stride;
    stride *= d == c->axis ? 1 : c->length[0][d];
  }
  s->stride[c->axis] = stride;
}

enum status merge_link_search(struct merge_link **team, int size, const struct merge_case *c,
                              const struct merge_grid *g, const struct merge_pair *p,
                              struct merge_join *out, struct err *e)
{
  struct merge_link *leader = team[0];
  struct pair_search s;
  if (merge_traffic_read(leader->traffic, c, g, p, e) != OK || reserve_firsts(leader, c, e) != OK)
    return FAIL;
  for (int i = 0; i < size; i++)
    if (reserve(team[i], c, e) != OK)
      return FAIL;
  search_init(&s, c, leader->traffic);
  if (merge_traffic_silent(leader->traffic)) {
    out->pattern[0] = out->pattern[1] = merge_pattern_identity(c->ndims);
  } else if (c->exact) {
    try_all(&s, team, size);
    *out = best_of(c, team, size);
  } else {
    merge_descent(c, value_of, &(struct evaluation){&s, leader}, out);
  }
  return OK;
}
