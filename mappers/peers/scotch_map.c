#include "mappers/peers/scotch_map.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "common/numeric/gcd.h"
#include "mappers/graph.h"
#include "mappers/peers/scotch_api.h"
#include "mappers/peers/scotch_target.h"

/* By scotch_options.strategy. */
static const int FLAGS[] = {SCOTCH_STRATDEFAULT, SCOTCH_STRATQUALITY, SCOTCH_STRATBALANCE,
                            SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, SCOTCH_STRATSPEED};

/* Data of one call of Scotch. */
struct work {
  struct scotch_api scotch;
  struct scotch_target target;
  struct graph graph;
  SCOTCH_Num *first, *partner, *weight; /* the graph in Scotch's form */
  SCOTCH_Num *part;                     /* by rank: its host */
};

/* --- the graph -------------------------------------------------------------------------------- */

/* Conversion of the bytes of a pair to a weight: bytes / unit * multiply / divide. */
struct scale {
  uint64_t unit, multiply, divide;
};

/* Multiplies in 128 bits, which hold any product. */
static SCOTCH_Num weight_of(uint64_t bytes, const struct scale *s)
{
  const uint64_t w = (uint64_t)((unsigned __int128)(bytes / s->unit) * s->multiply / s->divide);
  return w > 0 ? (SCOTCH_Num)w : 1;
}

/* Chooses a scale that keeps Scotch's sums in range.  Scotch sums up weights times distances in
 * SCOTCH_Num over both directions; half of the range is left for the sums of its partial mappings.
 * A pair whose weight is rounded up to 1 adds at most 1. */
static enum status find_scale(const struct work *w, struct scale *out, struct err *e)
{
  const struct graph *g = &w->graph;
  const uint64_t most = (uint64_t)INT_MAX / 4 / (w->target.diameter + 1);
  const size_t arcs = g->first[g->n];
  uint64_t unit = 0, sum = 0;
  if (arcs / 2 >= most)
    return err_set(e, "%zu pairs that communicate are too many for Scotch's numbers of %zu bytes",
                   arcs / 2, sizeof(SCOTCH_Num));
  for (size_t i = 0; i < arcs; i++)
    unit = gcd(g->bytes[i], unit);
  for (uint32_t r = 0; r < g->n; r++)
    for (size_t i = g->first[r]; i < g->first[r + 1]; i++)
      sum += g->to[i] > r ? g->bytes[i] / unit : 0;
  *out = (struct scale){.unit = unit == 0 ? 1 : unit, .multiply = 1, .divide = 1};
  if (sum > most) {
    out->multiply = most - arcs / 2;
    out->divide = sum;
  }
  return OK;
}

static enum status fill_graph(struct work *w, struct arena *mem)
{
  const struct graph *g = &w->graph;
  const size_t arcs = g->first[g->n];
  struct scale scale = {1, 1, 1};
  w->first = arena_array(mem, (size_t)g->n + 1, sizeof *w->first);
  w->partner = arena_array(mem, arcs, sizeof *w->partner);
  w->weight = arena_array(mem, arcs, sizeof *w->weight);
  w->part = arena_array(mem, g->n, sizeof *w->part);
  if (arena_status(mem) != OK || find_scale(w, &scale, mem->e) != OK)
    return FAIL;
  for (uint32_t r = 0; r <= g->n; r++)
    w->first[r] = (SCOTCH_Num)g->first[r];
  for (size_t i = 0; i < arcs; i++) {
    w->partner[i] = (SCOTCH_Num)g->to[i];
    w->weight[i] = weight_of(g->bytes[i], &scale);
  }
  return OK;
}

/* --- mapping ---------------------------------------------------------------------------------- */

/* Scotch's objects; NULL if their allocation failed. */
struct handles {
  bool initialised;
  SCOTCH_Context *context;
  SCOTCH_Graph *graph, *bound;
  SCOTCH_Strat *strategy;
};

/* Prepares one thread with its own random numbers. */
static bool prepare(struct handles *h, const struct scotch_api *s, SCOTCH_Num seed)
{
  h->context = s->SCOTCH_contextAlloc();
  h->graph = s->SCOTCH_graphAlloc();
  h->bound = s->SCOTCH_graphAlloc();
  h->strategy = s->SCOTCH_stratAlloc();
  h->initialised = h->context != NULL && h->graph != NULL && h->bound != NULL &&
                   h->strategy != NULL && s->SCOTCH_contextInit(h->context) == 0;
  if (!h->initialised)
    return false;
  s->SCOTCH_graphInit(h->graph);
  s->SCOTCH_graphInit(h->bound);
  s->SCOTCH_stratInit(h->strategy);
  if (s->SCOTCH_contextThreadSpawn(h->context, 1, NULL) != 0 ||
      s->SCOTCH_contextRandomClone(h->context) != 0)
    return false;
  s->SCOTCH_contextOptionSetNum(h->context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
  s->SCOTCH_contextRandomSeed(h->context, seed);
  return true;
}

static void release(struct handles *h, const struct scotch_api *s)
{
  if (h->initialised) {
    s->SCOTCH_graphExit(h->bound);
    s->SCOTCH_graphExit(h->graph);
    s->SCOTCH_contextExit(h->context);
    s->SCOTCH_stratExit(h->strategy);
  }
  s->SCOTCH_memFree(h->bound);
  s->SCOTCH_memFree(h->graph);
  s->SCOTCH_memFree(h->context);
  s->SCOTCH_memFree(h->strategy);
}

static enum status run(struct work *w, const struct mapper_input *in,
                       const struct scotch_options *o, struct err *e)
{
  const struct scotch_api *s = &w->scotch;
  const SCOTCH_Num ranks = (SCOTCH_Num)in->ranks;
  const SCOTCH_Num hosts = (SCOTCH_Num)(platform_hosts(in->platform) * w->target.cores);
  struct handles h;
  if (!prepare(&h, s, (SCOTCH_Num)o->seed)) {
    release(&h, s);
    return err_set(e, "Scotch cannot start: out of memory");
  }
  int failed = s->SCOTCH_graphBuild(h.graph, 0, ranks, w->first, NULL, NULL, NULL, w->first[ranks],
                                    w->partner, w->weight);
  if (failed == 0)
    failed = s->SCOTCH_contextBindGraph(h.context, h.graph, h.bound);
  if (failed == 0)
    failed = s->SCOTCH_stratGraphMapBuild(h.strategy, FLAGS[o->strategy], hosts, o->imbalance);
  if (failed == 0)
    failed = s->SCOTCH_graphMap(h.bound, w->target.arch, h.strategy, w->part);
  release(&h, s);
  return failed == 0 ? OK : err_set(e, "Scotch failed");
}

static enum status take_parts(const struct work *w, const struct mapper_input *in,
                              struct mapping *out, struct err *e)
{
  const uint32_t cores = w->target.cores, hosts = platform_hosts(in->platform) * cores;
  for (uint32_t r = 0; r < in->ranks; r++)
    if (w->part[r] < 0 || (uint32_t)w->part[r] >= hosts)
      return err_set(e, "Scotch puts rank %" PRIu32 " on host %" PRId64 " of %" PRIu32, r,
                     (int64_t)w->part[r], hosts);
  if (mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    out->host[r] = (uint32_t)w->part[r] / cores;
  for (uint32_t r = 0; r < in->ranks && w->target.core != NULL; r++)
    in->core[r] = w->target.core[(uint32_t)w->part[r] % cores];
  return OK;
}

enum status scotch_map(const struct mapper_input *in, const struct scotch_options *o,
                       struct mapping *out, struct err *e)
{
  ARENA(mem, e);
  struct work w = {.part = NULL};
  /* Scotch spreads the ranks over all cores. */
  const struct inside *inside =
      in->inside != NULL && in->ranks_per_host == in->inside->cores ? in->inside : NULL;
  if (platform_hosts(in->platform) == 1 && inside == NULL)
    return mapping_new(out, in->ranks, e);
  enum status s = scotch_api_open(&w.scotch, e);
  if (s == OK)
    s = graph_new(&w.graph, in->traffic, in->ranks, in->ranks, &mem);
  if (s == OK)
    s = scotch_target_make(&w.target, &w.scotch, in->platform, inside, e);
  if (s == OK)
    s = fill_graph(&w, &mem);
  if (s == OK)
    s = run(&w, in, o, e);
  if (s == OK)
    s = take_parts(&w, in, out, e);
  scotch_target_clear(&w.target, &w.scotch);
  return s;
}
