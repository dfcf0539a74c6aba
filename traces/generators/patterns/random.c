/* A random directed graph without loops and double edges.  In- and out-degrees of all ranks are
 * equal: it is the union of `degree' random permutations.  Swaps remove loops and edges of earlier
 * permutations. */
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "traces/generators/patterns/pattern.h"

static const struct spec_option OPTIONS[] = {PATTERN_RANKS, PATTERN_COMMON, PATTERN_DEGREE,
                                             PATTERN_HALO,  PATTERN_SEED,   PATTERN_WEIGHTS,
                                             {.name = NULL}};

struct random_graph {
  struct pattern base;
  uint32_t *dst, *src; /* [message][rank]: destination of the message that the rank sends, source of
                          the one it receives */
};

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  const struct random_graph *g = (const struct random_graph *)p;
  const size_t at = (size_t)i * p->base.ranks + rank;
  return (struct pattern_peers){.dst = g->dst[at], .src = g->src[at]};
}

/* True if rank r may send message i to dst: not to itself, and not to the destination of an earlier
 * message. */
static bool is_new(const struct random_graph *g, uint32_t i, uint32_t r, uint32_t dst)
{
  const uint32_t n = g->base.base.ranks;
  bool found = dst == r;
  for (uint32_t j = 0; j < i && !found; j++)
    found = g->dst[(size_t)j * n + r] == dst;
  return !found;
}

/* At most half of a rank's destinations are taken, so that about one in four swaps succeeds. */
static void draw_permutation(struct random_graph *g, uint32_t i, struct rng *rng)
{
  const uint32_t n = g->base.base.ranks;
  uint32_t *dst = g->dst + (size_t)i * n;
  for (uint32_t r = 0; r < n; r++)
    dst[r] = r;
  rng_shuffle(rng, dst, n);
  for (uint32_t r = 0; r < n; r++)
    while (!is_new(g, i, r, dst[r])) {
      const uint32_t s = (uint32_t)rng_below(rng, n);
      if (!is_new(g, i, r, dst[s]) || (s < r && !is_new(g, i, s, dst[r])))
        continue;
      const uint32_t swap = dst[r];
      dst[r] = dst[s];
      dst[s] = swap;
    }
  for (uint32_t r = 0; r < n; r++)
    g->src[(size_t)i * n + dst[r]] = r;
}

static void clear(struct pattern *p)
{
  struct random_graph *g = (struct random_graph *)p;
  free(g->dst);
  free(g->src);
}

static enum status set_up(struct pattern *p, struct err *e)
{
  struct random_graph *g = (struct random_graph *)p;
  const uint32_t n = p->base.ranks, degree = p->options.degree;
  p->messages = degree;
  p->window = PATTERN_WINDOW;
  p->peers = peers;
  p->clear = clear;
  if (pattern_check_degree(p, e) != OK ||
      (g->dst = mem_array((size_t)n * degree, sizeof *g->dst, e)) == NULL ||
      (g->src = mem_array((size_t)n * degree, sizeof *g->src, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < degree; i++) {
    struct rng rng = rng_new(p->options.seed, i);
    draw_permutation(g, i, &rng);
  }
  return OK;
}

const struct generator_kind pattern_random = {
    .name = "random",
    .example = "random:64:degree=8,seed=3",
    .help = "each rank sends to DEGREE random ranks and receives from DEGREE",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct random_graph),
    .set_up = set_up,
};
