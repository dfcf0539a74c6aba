#include "mappers/inside/cores.h"

#include <stdbool.h>
#include <string.h>

#include "common/process/threads.h"
#include "mappers/inside/seats.h"

const char *const cores_choices[] = {"each", "same", "order", NULL};

/* Tests of exchanges in the annealing: ALL_TESTS are divided among the ranks; a rank gets at least
 * LEAST_TESTS and at most MOST_TESTS. */
enum { LEAST_TESTS = 50, MOST_TESTS = 2000, ALL_TESTS = 1 << 22 };

/* The ranks of each node. */
struct roster {
  uint32_t nodes, most; /* number of nodes; largest number of ranks of a node */
  uint32_t *first;      /* node i has rank[first[i]] to rank[first[i + 1] - 1] */
  uint32_t *rank;       /* rising within a node */
};

static enum status fill_roster(struct roster *x, const struct mapping *m, struct arena *mem)
{
  for (uint32_t r = 0; r < m->ranks; r++)
    x->nodes = m->host[r] >= x->nodes ? m->host[r] + 1 : x->nodes;
  x->first = arena_array(mem, (size_t)x->nodes + 2, sizeof *x->first);
  x->rank = arena_array(mem, m->ranks, sizeof *x->rank);
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    x->first[m->host[r] + 2]++;
  for (uint32_t i = 0; i < x->nodes; i++) {
    x->most = x->first[i + 2] > x->most ? x->first[i + 2] : x->most;
    x->first[i + 2] += x->first[i + 1];
  }
  for (uint32_t r = 0; r < m->ranks; r++)
    x->rank[x->first[m->host[r] + 1]++] = r;
  return OK;
}

static uint32_t ranks_of(const struct roster *x, uint32_t node)
{
  return x->first[node + 1] - x->first[node];
}

/* --- one node --------------------------------------------------------------------------------- */

/* Seats the tasks of a graph by cuts, or in order if that costs less.  Writes the core of each
 * task. */
static enum status solve(const struct tree *t, const struct graph *g, uint32_t tests,
                         uint32_t *core, struct err *e)
{
  ARENA(mem, e);
  struct seats plain, cut;
  const uint32_t each = g->n == 0 ? 1 : (g->n + t->in->cores - 1) / t->in->cores;
  if (seats_new(&plain, t, g, each, &mem) != OK || seats_new(&cut, t, g, each, &mem) != OK ||
      seats_halve(&cut, e) != OK || seats_improve(&cut, tests, e) != OK)
    return FAIL;
  if (seats_cost(&cut) > seats_cost(&plain) && seats_improve(&plain, 0, e) != OK)
    return FAIL;
  struct seats *best = seats_cost(&cut) <= seats_cost(&plain) ? &cut : &plain;
  if (seats_normalise(best, e) != OK)
    return FAIL;
  for (uint32_t v = 0; v < g->n; v++)
    core[v] = t->core[best->seat[v] / best->each];
  return OK;
}

/* --- each node by itself ---------------------------------------------------------------------- */

struct work {
  const struct tree *tree;
  const struct graph *g;
  const struct roster *roster;
  uint32_t tests;
  uint32_t *core; /* by rank */
};

static enum status solve_node(const struct work *w, uint32_t node, uint32_t *index, uint32_t *found,
                              struct err *e)
{
  ARENA(mem, e);
  struct graph part;
  const uint32_t *rank = w->roster->rank + w->roster->first[node];
  const struct graph_list list = {rank, ranks_of(w->roster, node)};
  if (graph_part(&part, w->g, &list, index, &mem) != OK ||
      solve(w->tree, &part, w->tests, found, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < list.n; i++)
    w->core[rank[i]] = found[i];
  return OK;
}

/* Solves the nodes of one thread. */
static enum status solve_share(const struct work *w, struct err *e)
{
  ARENA(mem, e);
  enum status s;
  uint32_t *index = arena_array(&mem, w->g->n, sizeof *index);
  uint32_t *found = arena_array(&mem, w->roster->most, sizeof *found);
  if ((s = arena_status(&mem)) == OK)
    memset(index, 0xff, w->g->n * sizeof *index);
#pragma omp for schedule(dynamic, 1)
  for (uint32_t node = 0; node < w->roster->nodes; node++)
    if (s == OK && ranks_of(w->roster, node) > 0)
      s = solve_node(w, node, index, found, e);
  return s;
}

static enum status solve_each(const struct work *w, uint32_t threads, struct err *e)
{
  enum status s = OK;
#pragma omp parallel num_threads(threads_of(threads))
  {
    struct err why;
    if (solve_share(w, &why) != OK)
#pragma omp critical
    {
      *e = why;
      s = FAIL;
    }
  }
  return s;
}

/* --- the same cores on all nodes -------------------------------------------------------------- */

/* Makes a graph whose task i stands for the i-th rank of each node.  The weight of an edge is the
 * sum of the weights between these ranks over all nodes. */
static enum status sum_nodes(struct graph *out, const struct work *w, const uint32_t *place,
                             struct arena *mem)
{
  const struct graph *g = w->g;
  struct matrix sum = {.ranks = w->roster->most};
  struct graph places;
  if ((sum.entry = arena_array(mem, g->first[g->n], sizeof *sum.entry)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < g->n; r++)
    for (uint32_t a = g->first[r]; a < g->first[r + 1]; a++)
      if (g->to[a] > r)
        sum.entry[sum.count++] = (struct matrix_entry){place[r], place[g->to[a]], 1, g->weight[a]};
  return graph_new(&places, &sum, sum.ranks, sum.ranks, mem) == OK ? graph_scale(out, &places, mem)
                                                                   : FAIL;
}

static enum status solve_alike(const struct work *w, struct err *e)
{
  ARENA(mem, e);
  struct graph sum;
  uint32_t *core = arena_array(&mem, w->roster->most, sizeof *core);
  uint32_t *place = arena_array(&mem, w->g->n, sizeof *place);
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < w->roster->nodes; i++)
    for (uint32_t k = w->roster->first[i]; k < w->roster->first[i + 1]; k++)
      place[w->roster->rank[k]] = k - w->roster->first[i];
  if (sum_nodes(&sum, w, place, &mem) != OK || solve(w->tree, &sum, w->tests, core, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < w->g->n; r++)
    w->core[r] = core[place[r]];
  return OK;
}

/* --- all ranks -------------------------------------------------------------------------------- */

static void fill_in_order(const struct roster *x, uint32_t cores, uint32_t *core)
{
  for (uint32_t i = 0; i < x->nodes; i++)
    for (uint32_t k = x->first[i]; k < x->first[i + 1]; k++) {
      const uint32_t n = ranks_of(x, i), at = k - x->first[i];
      core[x->rank[k]] = n <= cores ? at : (uint32_t)((uint64_t)at * cores / n);
    }
}

/* The graph of the messages within nodes, with weights.  Drops the other arcs of the graph of all
 * messages in place. */
static enum status graph_within(struct graph *out, const struct cores_request *q, struct arena *mem)
{
  struct graph all;
  uint32_t at = 0;
  const uint32_t *host = q->nodes->host;
  if (graph_new(&all, q->traffic, q->nodes->ranks, q->nodes->ranks, mem) != OK)
    return FAIL;
  for (uint32_t v = 0, a = 0; v < all.n; v++) {
    for (; a < all.first[v + 1]; a++)
      if (host[v] == host[all.to[a]]) {
        all.to[at] = all.to[a];
        all.bytes[at++] = all.bytes[a];
      }
    all.first[v + 1] = at;
  }
  return graph_scale(out, &all, mem);
}

enum status cores_assign(const struct cores_request *q, uint32_t *core, struct err *e)
{
  ARENA(mem, e);
  struct roster roster = {.nodes = 0};
  struct tree tree;
  struct graph g;
  const uint32_t per_task = ALL_TESTS / (q->nodes->ranks > 0 ? q->nodes->ranks : 1);
  struct work w = {.tree = &tree, .g = &g, .roster = &roster, .core = core};
  w.tests = per_task < LEAST_TESTS ? LEAST_TESTS : per_task > MOST_TESTS ? MOST_TESTS : per_task;
  if (fill_roster(&roster, q->nodes, &mem) != OK)
    return FAIL;
  if (q->choice == CORES_ORDER || q->traffic == NULL) {
    fill_in_order(&roster, q->inside->cores, core);
    return OK;
  }
  if (tree_make(&tree, q->inside, &mem) != OK || graph_within(&g, q, &mem) != OK)
    return FAIL;
  return q->choice == CORES_SAME ? solve_alike(&w, e) : solve_each(&w, q->threads, e);
}

/* The core nearest to @p core with fewer than @p each ranks. */
static uint32_t nearest(const struct inside *in, const uint32_t *load, uint32_t each, uint32_t core)
{
  uint32_t best = core, best_level = 0;
  for (uint32_t c = 0; c < in->cores; c++) {
    const uint32_t level = c == core ? in->levels : inside_common(in, c, core);
    if (load[c] < each && (best == core || level > best_level)) {
      best = c;
      best_level = level;
    }
  }
  return best;
}

enum status cores_repair(const struct inside *in, const struct mapping *nodes, uint32_t each,
                         uint32_t *core, uint32_t *moved, struct err *e)
{
  ARENA(mem, e);
  struct roster x = {.nodes = 0};
  uint32_t *load = arena_array(&mem, in->cores, sizeof *load);
  bool *moves = arena_array(&mem, nodes->ranks, sizeof *moves);
  if (fill_roster(&x, nodes, &mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < x.nodes; i++) {
    memset(load, 0, in->cores * sizeof *load);
    for (uint32_t k = x.first[i]; k < x.first[i + 1]; k++)
      moves[k] = load[core[x.rank[k]]]++ >= each;
    for (uint32_t k = x.first[i]; k < x.first[i + 1]; k++)
      if (moves[k]) {
        uint32_t *c = &core[x.rank[k]];
        load[*c]--;
        *c = nearest(in, load, each, *c);
        load[*c]++;
        ++*moved;
      }
  }
  return OK;
}

double cores_seconds(const struct cores_request *q, const uint32_t *core)
{
  double sum = 0;
  for (size_t i = 0; i < q->traffic->count; i++) {
    const struct matrix_entry x = matrix_at(q->traffic, i);
    if (q->nodes->host[x.src] == q->nodes->host[x.dst] && core[x.src] != core[x.dst])
      sum += (double)x.bytes *
             tree_seconds(q->inside, inside_common(q->inside, core[x.src], core[x.dst]));
  }
  return sum;
}
