#include "mappers/general/recognise/product.h"

#include <stdlib.h>
#include <string.h>

#include "common/containers/union_find.h"
#include "common/numeric/rising.h"

/* If a task has more partners than this, no product is searched for. */
#define MOST_DEGREE 512

#define NONE UINT32_MAX

struct finder {
  struct product *p;
  struct graph g;              /* the edges that are not light */
  uint8_t *factor;             /* by arc */
  uint32_t *arc;               /* by task: the arc by which it was reached; NONE: not yet */
  uint32_t *queue;             /* tasks in the order in which they are reached */
  uint32_t *from;              /* by task: the task from which it was reached */
  uint32_t *mark;              /* by task: scratch, 0 outside of use */
  uint32_t *parent;            /* by task: union-find */
  uint32_t size[PRODUCT_MOST]; /* by factor: number of values of its coordinate */
  uint64_t *sum;               /* by task: scratch, 0 outside of use */
};

/* --- the edges of a task ---------------------------------------------------------------------- */

/* Marks the partners of a task with their arcs + 1, or clears the marks. */
static void mark_partners(struct finder *f, uint32_t v, bool on)
{
  for (uint32_t a = f->g.first[v]; a < f->g.first[v + 1]; a++)
    f->mark[f->g.to[a]] = on ? a + 1 : 0;
}

/* True if the edges to two partners of a task belong to one factor: the partners are adjacent, or
 * they do not have exactly two common partners.  The partners of the first of the two are
 * marked. */
static bool are_of_one_factor(const struct finder *f, uint32_t other)
{
  uint32_t common = 0;
  if (f->mark[other] != 0)
    return true;
  for (uint32_t a = f->g.first[other]; a < f->g.first[other + 1]; a++)
    common += f->mark[f->g.to[a]] != 0;
  return common != 2;
}

/* Divides the edges of the first task among factors.  False if there is only one factor, or if
 * there are too many. */
static bool split_first(struct finder *f, uint32_t v)
{
  const uint32_t degree = f->g.first[v + 1] - f->g.first[v];
  const uint32_t *to = f->g.to + f->g.first[v];
  uint8_t *factor = f->factor + f->g.first[v];
  if (degree > MOST_DEGREE)
    return false;
  union_find_reset(f->parent, degree);
  for (uint32_t i = 0; i < degree; i++) {
    mark_partners(f, to[i], true);
    for (uint32_t j = i + 1; j < degree; j++)
      if (union_find_root(f->parent, i) != union_find_root(f->parent, j) &&
          are_of_one_factor(f, to[j]))
        union_find_unite(f->parent, i, j);
    mark_partners(f, to[i], false);
  }
  for (uint32_t i = 0; i < degree; i++) { /* roots are the lowest */
    const uint32_t root = union_find_root(f->parent, i);
    if (root == i && f->p->count == PRODUCT_MOST)
      return false;
    factor[i] = root == i ? (uint8_t)f->p->count++ : factor[root];
  }
  return f->p->count > 1;
}

/* A task with the most partners: many partners show more pairs of edges that belong to one factor.
 */
static uint32_t choose_first(const struct graph *g)
{
  uint32_t best = 0;
  for (uint32_t v = 1; v < g->n; v++)
    if (graph_degree(g, v) > graph_degree(g, best))
      best = v;
  return best;
}

/* The arc from task v to the only common partner of v and @p x besides @p up; NONE if there is none
 * or several.  The partners of v are marked. */
static uint32_t opposite(const struct finder *f, uint32_t x, uint32_t up)
{
  uint32_t found = NONE;
  for (uint32_t a = f->g.first[x]; a < f->g.first[x + 1]; a++) {
    const uint32_t arc = f->mark[f->g.to[a]];
    if (arc == 0 || f->g.to[a] == up)
      continue;
    if (found != NONE)
      return NONE;
    found = arc - 1;
  }
  return found;
}

/* Divides the edges of a task among factors.  `up` is the task from which it was reached.  An edge
 * that is opposite to an edge of `up` in a square gets the factor of that edge.  All other edges
 * get the factor of the edge between the two tasks.  False if an opposite edge is missing. */
static bool split_task(struct finder *f, uint32_t v)
{
  const struct graph *g = &f->g;
  const uint32_t up = f->from[v];
  const uint8_t own = f->factor[f->arc[v]];
  bool fits = true;
  mark_partners(f, v, true);
  memset(f->factor + g->first[v], own, graph_degree(g, v));
  for (uint32_t a = g->first[up]; a < g->first[up + 1] && fits; a++) {
    const uint32_t arc = f->factor[a] == own ? NONE : opposite(f, g->to[a], up);
    fits = f->factor[a] == own || arc != NONE;
    if (arc != NONE)
      f->factor[arc] = f->factor[a];
  }
  mark_partners(f, v, false);
  return fits;
}

/* Divides all edges among factors, in breadth-first order of the tasks. */
static bool split_all(struct finder *f)
{
  const struct graph *g = &f->g;
  const uint32_t first = choose_first(g);
  uint32_t reached = 1;
  bool fits = split_first(f, first);
  memset(f->arc, 0xff, g->n * sizeof *f->arc);
  f->queue[0] = first;
  for (uint32_t i = 0; i < reached && fits; i++) {
    const uint32_t v = f->queue[i];
    fits = i == 0 || split_task(f, v);
    for (uint32_t a = g->first[v]; a < g->first[v + 1] && fits; a++) {
      const uint32_t w = g->to[a];
      if (w == first || f->arc[w] != NONE)
        continue;
      f->arc[w] = a;
      f->from[w] = v;
      f->queue[reached++] = w;
    }
  }
  return fits && reached == g->n;
}

/* --- coordinates ------------------------------------------------------------------------------ */

/* Numbers the values of a factor's coordinate: tasks joined by edges of other factors share a
 * value. */
static void number_layers(struct finder *f, uint32_t factor)
{
  const struct graph *g = &f->g;
  uint32_t layers = 0;
  union_find_reset(f->parent, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (f->factor[a] != factor)
        union_find_unite(f->parent, v, g->to[a]);
  for (uint32_t v = 0; v < g->n; v++) {
    const uint32_t root = union_find_root(f->parent, v);
    uint32_t *at = f->p->at + factor;
    at[(size_t)v * PRODUCT_MOST] = root == v ? layers++ : at[(size_t)root * PRODUCT_MOST];
  }
  f->size[factor] = layers;
}

/* True if each cell of the coordinates has one task. */
static bool are_unique(struct finder *f)
{
  const uint32_t n = f->g.n;
  uint64_t cells = 1;
  bool unique = true;
  for (uint32_t k = 0; k < f->p->count && cells <= n; k++)
    cells *= f->size[k];
  if (cells != n)
    return false;
  for (uint32_t v = 0; v < n; v++) {
    uint32_t cell = 0;
    for (uint32_t k = 0; k < f->p->count; k++)
      cell = cell * f->size[k] + f->p->at[(size_t)v * PRODUCT_MOST + k];
    unique = unique && f->mark[cell]++ == 0;
  }
  memset(f->mark, 0, n * sizeof *f->mark);
  return unique;
}

/* True if the ends of each edge differ only in the coordinate of its factor. */
static bool are_edges_of_factors(const struct finder *f)
{
  const struct graph *g = &f->g;
  uint32_t wrong = 0;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t *x = f->p->at + (size_t)v * PRODUCT_MOST;
      const uint32_t *y = f->p->at + (size_t)g->to[a] * PRODUCT_MOST;
      for (uint32_t k = 0; k < f->p->count; k++)
        wrong += (x[k] != y[k]) != (k == f->factor[a]);
    }
  return wrong == 0;
}

/* --- factors ---------------------------------------------------------------------------------- */

/* Adds up a factor's edges from all tasks with one value, list[], to each other value: their number
 * in mark[], their weight in sum[].  Lists these values in @p found and returns their number. */
static uint32_t add_edges(struct finder *f, uint32_t factor, const uint32_t *list, uint32_t tasks,
                          uint32_t *found)
{
  const struct graph *g = &f->g;
  uint32_t n = 0;
  for (uint32_t i = 0; i < tasks; i++)
    for (uint32_t a = g->first[list[i]]; a < g->first[list[i] + 1]; a++) {
      const uint32_t to = f->p->at[(size_t)g->to[a] * PRODUCT_MOST + factor];
      if (f->factor[a] != factor)
        continue;
      if (f->mark[to] == 0)
        found[n++] = to;
      f->mark[to]++;
      f->sum[to] += g->weight[a];
    }
  qsort(found, n, sizeof *found, rising_u32);
  return n;
}

/* Builds the graph of a factor.  Each of its edges must occur once for each combination of the
 * other coordinates.  If one does not, *alike becomes false. */
static enum status make_factor(struct finder *f, uint32_t factor, bool *alike, struct arena *mem)
{
  const uint32_t n = f->g.n, size = f->size[factor], tasks = n / size;
  struct graph *out = &f->p->factor[factor];
  uint32_t arcs = 0, *list = f->queue, *found = f->parent;
  for (uint32_t a = 0; a < f->g.first[n]; a++)
    arcs += f->factor[a] == factor;
  if (graph_alloc(out, size, arcs, mem) != OK)
    return FAIL;
  memset(f->from, 0, size * sizeof *f->from);
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t at = f->p->at[(size_t)v * PRODUCT_MOST + factor];
    list[(size_t)at * tasks + f->from[at]++] = v;
  }
  for (uint32_t at = 0; at < size; at++) {
    const uint32_t count = add_edges(f, factor, list + (size_t)at * tasks, tasks, found);
    out->first[at + 1] = out->first[at] + count;
    for (uint32_t i = 0; i < count; i++) {
      out->to[out->first[at] + i] = found[i];
      out->weight[out->first[at] + i] = (uint32_t)(f->sum[found[i]] / tasks);
      *alike = *alike && f->mark[found[i]] == tasks;
      f->mark[found[i]] = 0;
      f->sum[found[i]] = 0;
    }
  }
  return OK;
}

/* True if a factor is neither a path nor a cycle: a task has more than two edges. */
static bool is_beyond_cycles(const struct product *p)
{
  uint32_t most = 0;
  for (uint32_t k = 0; k < p->count; k++)
    for (uint32_t v = 0; v < p->factor[k].n; v++) {
      const uint32_t degree = graph_degree(&p->factor[k], v);
      most = degree > most ? degree : most;
    }
  return most > 2;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Copies the edges that are not light. */
static enum status take_heavy(struct graph *out, const struct graph *g, struct arena *mem)
{
  const double threshold = graph_threshold(g);
  uint32_t n = 0;
  if (graph_alloc(out, g->n, g->first[g->n], mem) != OK)
    return FAIL;
  for (uint32_t v = 0; v < g->n; v++) {
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      out->to[n] = g->to[a];
      out->weight[n] = g->weight[a];
      n += g->weight[a] >= threshold;
    }
    out->first[v + 1] = n;
  }
  return OK;
}

static enum status find(struct finder *f, bool *found, struct arena *mem)
{
  if (!split_all(f))
    return OK;
  for (uint32_t k = 0; k < f->p->count; k++)
    number_layers(f, k);
  *found = are_unique(f) && are_edges_of_factors(f);
  for (uint32_t k = 0; k < f->p->count && *found; k++)
    if (make_factor(f, k, found, mem) != OK)
      return FAIL;
  *found = *found && is_beyond_cycles(f->p);
  return OK;
}

enum status product_find(struct product *p, const struct graph *g, struct arena *mem)
{
  ARENA(room, mem->e);
  const uint32_t n = g->n, most = n > MOST_DEGREE ? n : MOST_DEGREE;
  struct finder f = {.p = p,
                     .factor = arena_array(&room, g->first[n], sizeof *f.factor),
                     .arc = arena_array(&room, n, sizeof *f.arc),
                     .queue = arena_array(&room, n, sizeof *f.queue),
                     .from = arena_array(&room, n, sizeof *f.from),
                     .mark = arena_array(&room, n, sizeof *f.mark),
                     .parent = arena_array(&room, most, sizeof *f.parent),
                     .sum = arena_array(&room, n, sizeof *f.sum)};
  bool found = false;
  *p = (struct product){.at = arena_array(mem, (size_t)n * PRODUCT_MOST, sizeof *p->at)};
  if (take_heavy(&f.g, g, &room) != OK || arena_status(mem) != OK || find(&f, &found, mem) != OK)
    return FAIL;
  if (!found)
    p->count = 0;
  return OK;
}
