/* Pairwise exchange after Bokhari ("Assignment Problems in Parallel and Distributed Computing"), as
 * Horiike uses it for comparison.  Makes the swap of two tasks that raises the cardinality most
 * until no swap raises it, then starts again from another random mapping. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/rng.h"
#include "common/process/threads.h"
#include "mappers/graph.h"
#include "mappers/mapper.h"
#include "platforms/topology/grid.h"

#define MOST_RESTARTS 1000000

/* The neighbours of each host: hosts at the other end of a route of one link. */
struct hosts {
  uint32_t count;
  size_t *first;
  uint32_t *near; /* by host, sorted */
  size_t room;
};

struct problem {
  struct graph graph; /* of ranks and of empty slots */
  struct hosts hosts;
  uint32_t ranks, slots, room; /* room: slots of each host */
  uint64_t seed;
};

struct swap {
  int64_t gain;
  uint32_t low, high; /* tasks, low < high */
};

/* One start.  A task is a rank, or, from `ranks` on, an empty slot. */
struct start {
  const struct problem *p;
  uint32_t *slot;    /* by task */
  uint32_t *task;    /* by slot */
  struct swap *best; /* by task: its best swap among the swaps that put it beside a partner */
  bool *stale;       /* by task: the gains of its swaps have changed */
  uint32_t *list;    /* the stale tasks */
  uint32_t count;
};

/* --- neighbours ------------------------------------------------------------------------------- */

static enum status add_near(struct hosts *h, size_t *n, uint32_t host, struct err *e)
{
  if (MEM_GROW(h->near, h->room, *n + 1, e) != OK)
    return FAIL;
  h->near[(*n)++] = host;
  return OK;
}

/* Adds the neighbours of host @p a in a grid. */
static enum status near_in_grid(struct hosts *h, const struct topology *t, uint32_t a, size_t *n,
                                struct err *e)
{
  uint32_t dims, stride = 1;
  const uint32_t *side = grid_sides(t, &dims);
  for (uint32_t d = 0; d < dims; stride *= side[d++]) {
    const uint32_t k = side[d], at = a / stride % k;
    const uint32_t up = a - at * stride + (at + 1) % k * stride;
    const uint32_t down = a - at * stride + (at + k - 1) % k * stride;
    if (k > 1 && topology_hops(t, a, up) == 1 && add_near(h, n, up, e) != OK)
      return FAIL;
    if (k > 2 && topology_hops(t, a, down) == 1 && add_near(h, n, down, e) != OK)
      return FAIL;
  }
  if (*n > h->first[a])
    qsort(h->near + h->first[a], *n - h->first[a], sizeof *h->near, rising_u32);
  return OK;
}

static enum status near_by_routes(struct hosts *h, struct platform_finder *f, uint32_t a, size_t *n,
                                  struct err *e)
{
  for (uint32_t b = 0; b < h->count; b++) {
    struct platform_route route;
    if (b == a)
      continue;
    if (platform_route(f, a < b ? a : b, a < b ? b : a, &route, e) != OK)
      return FAIL;
    if (route.links == 1 && add_near(h, n, b, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status find_neighbours(struct hosts *h, const struct platform *p, struct arena *mem)
{
  struct err *e = mem->e;
  const struct topology *t = platform_topology(p);
  const bool grid = t != NULL && topology_is_grid(t);
  struct platform_finder *f = NULL;
  size_t n = 0;
  h->count = platform_hosts(p);
  if ((h->first = arena_array(mem, (size_t)h->count + 1, sizeof *h->first)) == NULL ||
      (!grid && platform_finder_new(&f, p, e) != OK))
    return FAIL;
  enum status s = OK;
  for (uint32_t a = 0; s == OK && a < h->count; a++) {
    s = grid ? near_in_grid(h, t, a, &n, e) : near_by_routes(h, f, a, &n, e);
    h->first[a + 1] = n;
  }
  platform_finder_free(f);
  if (s == OK && n == 0)
    return err_set(e, "mapper 'exchange' needs links that join hosts, and no route has one link");
  return s;
}

static bool is_near(const struct hosts *h, uint32_t a, uint32_t b)
{
  size_t low = h->first[a], high = h->first[a + 1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (h->near[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return low < h->first[a + 1] && h->near[low] == b;
}

/* --- swaps ------------------------------------------------------------------------------------ */

static uint32_t host_of(const struct start *s, uint32_t task)
{
  return s->slot[task] / s->p->room;
}

/* The change in the number of arcs of task @p u to neighbouring hosts if the task moves from host
 * @p from to host @p to.  Leaves out the arc to @p except, which does not change. */
static int64_t gain_of_move(const struct start *s, uint32_t u, uint32_t from, uint32_t to,
                            uint32_t except)
{
  const struct graph *g = &s->p->graph;
  const struct hosts *h = &s->p->hosts;
  int64_t gain = 0;
  for (uint32_t i = g->first[u]; i < g->first[u + 1]; i++) {
    const uint32_t other = g->to[i], at = host_of(s, other);
    if (other != except)
      gain += (int)is_near(h, to, at) - (int)is_near(h, from, at);
  }
  return gain;
}

static struct swap swap_of(const struct start *s, uint32_t u, uint32_t v)
{
  const uint32_t a = host_of(s, u), b = host_of(s, v);
  const int64_t gain = gain_of_move(s, u, a, b, v) + gain_of_move(s, v, b, a, u);
  return (struct swap){gain, u < v ? u : v, u < v ? v : u};
}

static bool is_better(const struct swap *x, const struct swap *y)
{
  if (x->gain != y->gain)
    return x->gain > y->gain;
  return x->low != y->low ? x->low < y->low : x->high < y->high;
}

static void offer(struct start *s, uint32_t u, uint32_t v)
{
  const struct swap x = swap_of(s, u, v);
  if (is_better(&x, &s->best[u]))
    s->best[u] = x;
}

/* Finds the best of the swaps that put @p u beside one of its partners.  Every swap with a gain
 * puts one of its two tasks beside a partner. */
static void find_best(struct start *s, uint32_t u)
{
  const struct graph *g = &s->p->graph;
  const struct hosts *h = &s->p->hosts;
  const uint32_t room = s->p->room, host = host_of(s, u);
  s->best[u] = (struct swap){0, 0, 0};
  for (uint32_t i = g->first[u]; i < g->first[u + 1]; i++) {
    const uint32_t beside = host_of(s, g->to[i]);
    for (size_t k = h->first[beside]; k < h->first[beside + 1]; k++)
      for (uint32_t r = 0; h->near[k] != host && r < room; r++)
        offer(s, u, s->task[h->near[k] * room + r]);
  }
}

static void mark(struct start *s, uint32_t u)
{
  if (s->stale[u])
    return;
  s->stale[u] = true;
  s->list[s->count++] = u;
}

/* Offers a swap with stale task @p v to each task that would then be beside a partner. */
static void offer_to_others(struct start *s, uint32_t v)
{
  const struct graph *g = &s->p->graph;
  const struct hosts *h = &s->p->hosts;
  const uint32_t room = s->p->room, host = host_of(s, v);
  for (size_t k = h->first[host]; k < h->first[host + 1]; k++)
    for (uint32_t r = 0; r < room; r++) {
      const uint32_t p = s->task[h->near[k] * room + r];
      for (uint32_t i = g->first[p]; i < g->first[p + 1]; i++) {
        const uint32_t u = g->to[i];
        if (!s->stale[u] && host_of(s, u) != host)
          offer(s, u, v);
      }
    }
}

static void make_swap(struct start *s, const struct swap *x)
{
  const struct graph *g = &s->p->graph;
  const uint32_t slot = s->slot[x->low], ends[2] = {x->low, x->high};
  s->slot[x->low] = s->slot[x->high];
  s->slot[x->high] = slot;
  s->task[s->slot[x->low]] = x->low;
  s->task[slot] = x->high;
  for (int k = 0; k < 2; k++) {
    mark(s, ends[k]);
    for (uint32_t i = g->first[ends[k]]; i < g->first[ends[k] + 1]; i++)
      mark(s, g->to[i]);
  }
}

/* Updates the best swaps after a swap, which has changed only the gains of swaps with a stale task.
 */
static void update(struct start *s)
{
  for (uint32_t u = 0; u < s->p->ranks; u++)
    if (s->stale[u] ||
        (s->best[u].gain > 0 && (s->stale[s->best[u].low] || s->stale[s->best[u].high])))
      find_best(s, u);
  for (uint32_t i = 0; i < s->count; i++)
    offer_to_others(s, s->list[i]);
  while (s->count > 0)
    s->stale[s->list[--s->count]] = false;
}

static void climb(struct start *s)
{
  for (uint32_t u = 0; u < s->p->ranks; u++)
    find_best(s, u);
  for (;;) {
    struct swap best = {0, 0, 0};
    for (uint32_t u = 0; u < s->p->ranks; u++)
      if (is_better(&s->best[u], &best))
        best = s->best[u];
    if (best.gain <= 0)
      return;
    make_swap(s, &best);
    update(s);
  }
}

/* --- starts ----------------------------------------------------------------------------------- */

static uint64_t cardinality(const struct start *s)
{
  const struct graph *g = &s->p->graph;
  uint64_t twice = 0;
  for (uint32_t u = 0; u < s->p->ranks; u++)
    for (uint32_t i = g->first[u]; i < g->first[u + 1]; i++)
      twice += is_near(&s->p->hosts, host_of(s, u), host_of(s, g->to[i]));
  return twice / 2;
}

/* The best result so far: the largest cardinality, of equal ones the lower number of the start. */
struct best {
  uint64_t cardinality, number;
  uint32_t *slot;
};

static void keep(struct best *b, const struct start *s, uint64_t number)
{
  const uint64_t c = cardinality(s);
  if (c < b->cardinality || (c == b->cardinality && number > b->number))
    return;
  b->cardinality = c;
  b->number = number;
  memcpy(b->slot, s->slot, s->p->slots * sizeof *b->slot);
}

/* Climbs from a random mapping, which depends on its number. */
static enum status start_run(const struct problem *p, uint64_t number, struct best *b,
                             struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = p->slots;
  struct start s = {.p = p,
                    .slot = arena_array(&mem, n, sizeof *s.slot),
                    .task = arena_array(&mem, n, sizeof *s.task),
                    .best = arena_array(&mem, n, sizeof *s.best),
                    .stale = arena_array(&mem, n, sizeof *s.stale),
                    .list = arena_array(&mem, n, sizeof *s.list)};
  if (arena_status(&mem) != OK)
    return FAIL;
  struct rng rng = rng_new(p->seed, 1 + number); /* stream 0 shuffles the ranks of task grids */
  for (uint32_t i = 0; i < n; i++)
    s.task[i] = i;
  rng_shuffle(&rng, s.task, n);
  for (uint32_t i = 0; i < n; i++)
    s.slot[s.task[i]] = i;
  climb(&s);
#pragma omp critical
  keep(b, &s, number);
  return OK;
}

static enum status run_all(const struct problem *p, uint64_t restarts, int threads, struct best *b,
                           struct err *e)
{
  enum status s = OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (uint64_t i = 0; i < restarts; i++) {
    struct err why;
    if (start_run(p, i, b, &why) == OK)
      continue;
#pragma omp critical
    {
      *e = why;
      s = FAIL;
    }
  }
  return s;
}

static enum status problem_init(struct problem *p, const struct mapper_input *in, struct arena *mem)
{
  const uint64_t hosts = platform_hosts(in->platform);
  p->ranks = in->ranks;
  p->room = (uint32_t)((in->ranks - 1) / hosts + 1);
  if (hosts * p->room > UINT32_MAX)
    return err_set(mem->e, "mapper 'exchange': %" PRIu64 " slots are more than %" PRIu32,
                   hosts * p->room, UINT32_MAX);
  p->slots = (uint32_t)hosts * p->room;
  if (find_neighbours(&p->hosts, in->platform, mem) != OK)
    return FAIL;
  return graph_new(&p->graph, in->traffic, in->ranks, p->slots, mem);
}

struct exchange_options {
  uint32_t restarts;
  uint64_t seed;
};

static enum status map_ranks(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct exchange_options *o = in->options;
  struct problem p = {.seed = o->seed};
  struct best best = {.number = UINT64_MAX};
  ARENA(mem, e);
  const int threads = threads_of(in->threads);
  enum status s = problem_init(&p, in, &mem);
  if (s == OK && (best.slot = arena_array(&mem, p.slots, sizeof *best.slot)) == NULL)
    s = FAIL;
  if (s == OK)
    s = run_all(&p, o->restarts, threads, &best, e);
  if (s == OK)
    s = mapping_new(out, in->ranks, e);
  for (uint32_t r = 0; s == OK && r < in->ranks; r++)
    out->host[r] = best.slot[r] / p.room;
  free(p.hosts.near);
  return s;
}

#define AT(FIELD) offsetof(struct exchange_options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"restarts", SPEC_U32, AT(restarts), "10", .help = "number of random mappings to start from",
     .least = 1, .most = MOST_RESTARTS},
    {"seed", SPEC_U64, AT(seed), "1", .help = "seed of the random mappings, 0 to 2^64-1"},
    {.name = NULL},
};

const struct mapper map_exchange = {
    .name = "exchange",
    .help = "makes the swap of two ranks that raises the cardinality most, until none raises it "
            "(Bokhari); links must join hosts",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .map = map_ranks,
};
