#include "mappers/inside/grouping.h"

#include "mappers/inside/seats.h"

/* Limits of the annealing tests: per rank, and of all ranks. */
enum { MOST_TESTS = 16384, ALL_TESTS = 1 << 22 };

/* A tree of places, all equally far apart. */
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
static enum status cut(const struct mapper_input *in, uint32_t groups, bool digits, uint32_t *group,
                       struct err *e)
{
  ARENA(mem, e);
  struct graph bytes, g;
  struct flat flat;
  struct seats halved, divided;
  const uint32_t tests = ALL_TESTS / in->ranks;
  if (graph_new(&bytes, in->traffic, in->ranks, in->ranks, &mem) != OK ||
      graph_scale(&g, &bytes, &mem) != OK || make_flat(&flat, groups, &mem) != OK ||
      seats_new(&halved, &flat.tree, &g, in->ranks_per_host, &mem) != OK ||
      seats_new(&divided, &flat.tree, &g, in->ranks_per_host, &mem) != OK ||
      (!digits && seats_halve(&halved, e) != OK) || seats_divide(&divided, e) != OK)
    return FAIL;
  struct seats *best = digits || seats_cost(&divided) < seats_cost(&halved) ? &divided : &halved;
  if (!digits && seats_improve(best, tests < MOST_TESTS ? tests : MOST_TESTS, e) != OK)
    return FAIL;
  mapper_hosts(in, best->seat, group);
  return OK;
}

enum status grouping_map(struct mapping *out, const struct mapper_input *in,
                         const struct general_plan *plan, bool digits, bool *found, struct err *e)
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
  if (arena_status(&mem) != OK || cut(in, groups, digits, group, e) != OK ||
      matrix_contract(&between, in->traffic, group, groups, e) != OK)
    return FAIL;
  inner.traffic = &between;
  inner.ranks = groups;
  inner.ranks_per_host = 1;
  inner.order = inner.capacity = NULL;
  inner.phases = NULL;
  inner.simulator = NULL;
  inner.inside = NULL;
  enum status s = general_mapping(&hosts, &inner, plan, e);
  matrix_clear(&between);
  if (s != OK)
    return FAIL;
  s = mapping_new(&m, in->ranks, e);
  for (uint32_t r = 0; s == OK && r < in->ranks; r++)
    m.host[r] = hosts.host[group[r]];
  mapping_clear(&hosts);
  if (s == OK)
    *out = m;
  return s;
}
