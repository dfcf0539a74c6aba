#include "mappers/inside/grouping.h"

#include <stdlib.h>

#include "common/mem.h"
#include "mappers/inside/seats.h"

/* Tests of the annealing per rank, and of all ranks. */
enum { MOST_TESTS = 16384, ALL_TESTS = 1 << 22 };

/* A tree of equal places, all as far apart. */
struct flat {
  struct inside inside;
  struct tree tree;
};

static enum status make_flat(struct flat *f, uint32_t places, struct arena *mem)
{
  uint16_t *all = arena_array(mem, places, sizeof *all),
           *each = arena_array(mem, places, sizeof *each);
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < places; i++)
    each[i] = (uint16_t)i;
  f->inside = (struct inside){.cores = places, .levels = 2, .objects = 1 + places};
  f->inside.level[0] = (struct inside_level){
      .name = "network", .objects = 1, .object = all, .bandwidth = 1, .memory_bandwidth = 1};
  f->inside.level[1] = (struct inside_level){.name = "node",
                                             .objects = places,
                                             .first = 1,
                                             .object = each,
                                             .bandwidth = 1,
                                             .memory_bandwidth = 1};
  return tree_make(&f->tree, &f->inside, mem);
}

/* Writes the group of each rank. */
static enum status cut(const struct mapper_input *in, uint32_t groups, uint32_t *group,
                       struct err *e)
{
  ARENA(mem, e);
  struct graph bytes, g;
  struct flat flat;
  struct seats s;
  const uint32_t tests = ALL_TESTS / in->ranks;
  if (graph_new(&bytes, in->traffic, in->ranks, in->ranks, &mem) != OK ||
      graph_scale(&g, &bytes, &mem) != OK || make_flat(&flat, groups, &mem) != OK ||
      seats_new(&s, &flat.tree, &g, in->ranks_per_host, &mem) != OK || seats_halve(&s, e) != OK ||
      seats_improve(&s, tests < MOST_TESTS ? tests : MOST_TESTS, 1, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    group[r] = s.seat[r] / in->ranks_per_host;
  return OK;
}

static int by_pair(const void *a, const void *b)
{
  const struct matrix_entry *x = a, *y = b;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  return x->dst < y->dst ? -1 : x->dst > y->dst;
}

/* The traffic between groups. */
static enum status contract(struct matrix *out, const struct matrix *traffic, const uint32_t *group,
                            uint32_t groups, struct arena *mem)
{
  struct matrix_entry *entry = arena_array(mem, traffic->count, sizeof *entry);
  size_t n = 0, count = 0;
  if (arena_status(mem) != OK)
    return FAIL;
  for (size_t i = 0; i < traffic->count; i++) {
    struct matrix_entry x = matrix_at(traffic, i);
    x.src = group[x.src];
    x.dst = group[x.dst];
    if (x.src != x.dst)
      entry[n++] = x;
  }
  if (n > 0)
    qsort(entry, n, sizeof *entry, by_pair);
  for (size_t i = 0; i < n; i++)
    if (count > 0 && by_pair(&entry[count - 1], &entry[i]) == 0) {
      entry[count - 1].messages += entry[i].messages;
      entry[count - 1].bytes += entry[i].bytes;
    } else {
      entry[count++] = entry[i];
    }
  *out = (struct matrix){.ranks = groups, .count = count, .entry = entry};
  return OK;
}

enum status grouping_map(struct mapping *out, const struct mapper_input *in,
                         const struct general_plan *plan, bool *found, struct err *e)
{
  ARENA(mem, e);
  const uint32_t groups = (in->ranks + in->ranks_per_host - 1) / in->ranks_per_host;
  struct matrix between;
  struct mapping hosts, m;
  struct mapper_input inner = *in;
  uint32_t *group = arena_array(&mem, in->ranks, sizeof *group);
  *found = groups > 1 && groups <= INSIDE_MOST_CORES;
  if (!*found)
    return arena_status(&mem);
  if (arena_status(&mem) != OK || cut(in, groups, group, e) != OK ||
      contract(&between, in->traffic, group, groups, &mem) != OK)
    return FAIL;
  inner.traffic = &between;
  inner.ranks = groups;
  inner.ranks_per_host = 1;
  inner.order = NULL;
  inner.phases = NULL;
  inner.simulator = NULL;
  inner.inside = NULL;
  if (general_mapping(&hosts, &inner, plan, e) != OK)
    return FAIL;
  const enum status s = mapping_new(&m, in->ranks, e);
  for (uint32_t r = 0; s == OK && r < in->ranks; r++)
    m.host[r] = hosts.host[group[r]];
  mapping_clear(&hosts);
  if (s == OK)
    *out = m;
  return s;
}
