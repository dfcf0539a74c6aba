#include <inttypes.h>
#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/numeric/rising.h"
#include "mappers/graph.h"
#include "mappers/greedy/slots.h"
#include "mappers/mapper.h"

#define NOWHERE UINT32_MAX

/* A rank, and the bytes of its heaviest pair. */
struct starter {
  uint64_t bytes;
  uint32_t rank;
};

struct greedy {
  struct graph graph;
  struct heap next; /* unplaced ranks with placed partners, most bytes first */
  uint64_t *pull;   /* by rank: bytes exchanged with placed partners */
  struct slots *slots;
  struct starter *starter; /* all ranks, heaviest pair first */
  uint32_t *host;          /* by rank: the result; not owned */
};

static int compare_starters(const void *a, const void *b)
{
  const struct starter *x = a, *y = b;
  return RISING(y->bytes, x->bytes) ?: RISING(x->rank, y->rank);
}

/* Sorts ranks by their heaviest pair.  A connected component is placed completely before the next
 * starter, so the first unplaced starter is the lower rank of the heaviest remaining pair. */
static void sort_starters(struct greedy *g)
{
  const struct graph *p = &g->graph;
  for (uint32_t r = 0; r < p->n; r++) {
    struct starter *s = &g->starter[r];
    *s = (struct starter){0, r};
    for (uint32_t i = p->first[r]; i < p->first[r + 1]; i++)
      s->bytes = p->bytes[i] > s->bytes ? p->bytes[i] : s->bytes;
  }
  qsort(g->starter, p->n, sizeof *g->starter, compare_starters);
}

static enum status place(struct greedy *g, uint32_t rank, struct err *e)
{
  const struct graph *p = &g->graph;
  for (uint32_t i = p->first[rank]; i < p->first[rank + 1]; i++) {
    const uint32_t other = p->to[i];
    if (g->host[other] == NOWHERE)
      heap_set(&g->next, other, ~(g->pull[other] += p->bytes[i]));
    else if (slots_pull(g->slots, g->host[other], p->bytes[i], e) != OK)
      return FAIL;
  }
  g->host[rank] = slots_take(g->slots);
  return OK;
}

static enum status place_all(struct greedy *g, struct err *e)
{
  const uint32_t ranks = g->graph.n;
  for (uint32_t r = 0; r < ranks; r++)
    g->host[r] = NOWHERE;
  for (uint32_t i = 0; i < ranks; i++) {
    if (g->host[g->starter[i].rank] != NOWHERE)
      continue;
    if (place(g, g->starter[i].rank, e) != OK)
      return FAIL;
    while (heap_count(&g->next) > 0) {
      const uint32_t rank = heap_first(&g->next);
      heap_remove(&g->next, rank);
      if (place(g, rank, e) != OK)
        return FAIL;
    }
  }
  return OK;
}

/* Costs are 64-bit sums: all bytes times the diameter must stay below 2^64. */
static enum status check_size(const struct graph *p, const struct platform *on, struct err *e)
{
  const struct topology *t = platform_topology(on);
  const uint32_t diameter = t == NULL ? 1 : topology_diameter(t);
  uint64_t bytes = 0, unused;
  for (uint32_t r = 0; r < p->n; r++)
    for (uint32_t i = p->first[r]; i < p->first[r + 1]; i++)
      bytes += p->to[i] > r ? p->bytes[i] : 0;
  if (__builtin_mul_overflow(bytes, (uint64_t)diameter, &unused))
    return err_set(e, "mapper 'greedy': %" PRIu64 " bytes times up to %" PRIu32 " hops exceed 2^64",
                   bytes, diameter);
  return OK;
}

static enum status set_up(struct greedy *g, const struct mapper_input *in, struct arena *mem)
{
  g->pull = arena_array(mem, in->ranks, sizeof *g->pull);
  g->starter = arena_array(mem, in->ranks, sizeof *g->starter);
  if (graph_new(&g->graph, in->traffic, in->ranks, in->ranks, mem) != OK ||
      check_size(&g->graph, in->platform, mem->e) != OK ||
      heap_reserve(&g->next, in->ranks, mem->e) != OK ||
      slots_new(&g->slots, in->platform, in->ranks_per_host, mem->e) != OK)
    return FAIL;
  sort_starters(g);
  return OK;
}

static enum status construct(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  struct greedy g = {0};
  struct mapping m = {0};
  ARENA(mem, e);
  enum status s = set_up(&g, in, &mem);
  if (s == OK && (s = mapping_new(&m, in->ranks, e)) == OK) {
    g.host = m.host;
    s = place_all(&g, e);
    if (s == OK)
      *out = m;
    else
      mapping_clear(&m);
  }
  heap_clear(&g.next);
  slots_free(g.slots);
  return s;
}

const struct mapper map_greedy = {
    .name = "greedy",
    .help = "heaviest traffic first, each rank as near to its placed partners as free hosts allow",
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .map = construct,
};
