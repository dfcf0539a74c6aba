/* The mappers of Asano and Kise, "SFMOPT", sections 3 and 4.2.  FMOPT skips the combinations of
 * MOPT that cannot win and gives the same mapping.  SFMOPT is FMOPT with subgroups.  FMOPT-half and
 * None are for comparison. */
#include <omp.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "common/process/machine.h"
#include "common/process/threads.h"
#include "mappers/mapper.h"
#include "mappers/merge/case.h"
#include "mappers/merge/comm.h"
#include "mappers/merge/grid.h"
#include "mappers/merge/input.h"
#include "mappers/merge/objective/cost.h"
#include "mappers/merge/objective/link.h"

/* Minimum work, in combinations times cells, for several threads. */
#define PARALLEL_WORK 50000

struct run {
  struct arena mem; /* owns the arrays of this struct */
  struct merge_plan plan;
  enum merge_objective objective;
  uint64_t order; /* of combinations: see struct merge_boxes */
  struct merge_subgroups subgroups;
  uint32_t evaluated; /* number of iterations that search patterns; later iterations keep the groups
                         as they are */

  struct merge_comm comm;
  uint32_t groups;
  uint8_t *shape;   /* of each group */
  uint32_t *parent; /* by group: the group it is merged into */
  struct merge_pair *pair;
  struct merge_join *join; /* of each pair */
  uint32_t pairs;

  struct merge_grid grid[1 + MERGE_INPUT_MAX_SUBGROUPS]; /* of tasks, then of the subgroups of each
                                                            size so far */
  uint32_t grids;
  struct merge_case cases[MERGE_PLAN_MAX_SHAPES]; /* of this iteration, by merged shape */

  int threads;
  struct merge_link **link; /* by thread; NULL unless minlink */
  struct merge_cost **cost; /* by thread; NULL unless mincost */
};

static void clear_cases(struct run *r)
{
  for (int i = 0; i < MERGE_PLAN_MAX_SHAPES; i++)
    merge_case_clear(&r->cases[i]);
}

static void run_clear(struct run *r)
{
  merge_comm_clear(&r->comm);
  for (uint32_t i = 0; i < r->grids; i++)
    merge_grid_clear(&r->grid[i]);
  clear_cases(r);
  for (int i = 0; i < r->threads; i++) {
    if (r->link != NULL)
      merge_link_free(r->link[i]);
    if (r->cost != NULL)
      merge_cost_free(r->cost[i]);
  }
  arena_clear(&r->mem);
}

static enum status make_team(struct run *r, struct err *e)
{
  if (r->objective == MERGE_MINLINK)
    r->link = arena_array(&r->mem, (size_t)r->threads, sizeof *r->link);
  else
    r->cost = arena_array(&r->mem, (size_t)r->threads, sizeof *r->cost);
  if (r->link == NULL && r->cost == NULL)
    return FAIL;
  for (int i = 0; i < r->threads; i++)
    if (r->link != NULL ? (r->link[i] = merge_link_new(e)) == NULL
                        : (r->cost[i] = merge_cost_new(e)) == NULL)
      return FAIL;
  return OK;
}

/* OpenMP respects the affinity mask, but not the CPU quota of a control group. */
static int default_threads(void)
{
  const int most = threads_of(0), cores = (int)machine_cores();
  return most < cores ? most : cores;
}

static enum status run_init(struct run *r, const struct mapper_input *in, struct err *e)
{
  const uint32_t n = r->groups = r->plan.hosts;
  r->threads = in->threads > 0 ? threads_of(in->threads) : default_threads();
  r->mem.e = e;
  r->shape = arena_array(&r->mem, n, sizeof *r->shape);
  r->parent = arena_array(&r->mem, n, sizeof *r->parent);
  r->pair = arena_array(&r->mem, n, sizeof *r->pair);
  r->join = arena_array(&r->mem, n, sizeof *r->join);
  if (arena_status(&r->mem) != OK || make_team(r, e) != OK ||
      merge_grid_tasks(&r->grid[0], n, in->traffic, e) != OK)
    return FAIL;
  r->grids = 1;
  if (merge_comm_new(&r->comm, n, in->traffic, r->grid[0].row, r->threads, e) != OK)
    return FAIL;
  memset(r->shape, (int)merge_plan_single(&r->plan), n);
  return OK;
}

/* Adds a grid whose units are the groups before iteration @p i, if subgroup= has their size. */
static enum status make_subgroups(struct run *r, uint32_t i, struct err *e)
{
  if (r->grids > r->subgroups.count)
    return OK;
  const uint32_t level = r->subgroups.at[r->grids - 1].level;
  if (merge_plan_round_start(&r->plan, level) != i)
    return OK;
  if (merge_grid_coarsen(&r->grid[r->grids], &r->grid[r->grids - 1], level, e) != OK)
    return FAIL;
  r->grids++;
  return OK;
}

/* The grid with the units that iteration @p i places. */
static const struct merge_grid *units_of(const struct run *r, uint32_t i)
{
  uint32_t k = r->grids - 1;
  while (k > 0 && r->subgroups.at[k - 1].iteration > i)
    k--;
  return &r->grid[k];
}

static enum status make_cases(struct run *r, const struct merge_grid *g, uint32_t i, struct err *e)
{
  clear_cases(r);
  for (uint32_t k = 0; k < r->pairs; k++) {
    const struct merge_pair *p = &r->pair[k];
    struct merge_case *c = &r->cases[p->shape];
    if (p->second == MERGE_SELECT_NONE || c->ndims > 0)
      continue;
    struct merge_boxes b;
    merge_case_boxes(&b, g, &r->plan, i, (uint32_t[]){r->shape[p->first], r->shape[p->second]});
    b.order = r->order;
    if (merge_case_new(c, &b, r->objective, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Finds the best join of pair @p k, with the scratch of @p team threads starting at @p thread. */
static enum status search(struct run *r, const struct merge_grid *g, uint32_t k, int thread,
                          int team, struct err *e)
{
  const struct merge_pair *p = &r->pair[k];
  const struct merge_case *c = &r->cases[p->shape];
  if (p->second == MERGE_SELECT_NONE)
    return OK;
  if (r->objective == MERGE_MINCOST)
    return merge_cost_search(r->cost[thread], c, g, p, &r->join[k], e);
  return merge_link_search(r->link + thread, team, c, g, p, &r->join[k], e);
}

/* True if several threads are faster than one. */
static bool is_much(const struct run *r)
{
  uint64_t work = 0;
  for (uint32_t k = 0; k < r->pairs && work < PARALLEL_WORK; k++) {
    const struct merge_case *c = &r->cases[r->pair[k].shape];
    work += (c->leads * merge_pattern_count(&c->patterns[1]) + 1) * c->cells[0];
  }
  return work >= PARALLEL_WORK;
}

/* Distributes the pairs over the threads.  If there are few pairs, all threads work on one pair at
 * a time. */
static enum status search_all(struct run *r, const struct merge_grid *g, struct err *e)
{
  const int threads = is_much(r) ? r->threads : 1;
  const bool few = r->pairs < 2 * (uint32_t)threads && r->objective == MERGE_MINLINK;
  enum status s = OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (!few && threads > 1)
  for (uint32_t k = 0; k < r->pairs; k++) {
    struct err why;
    if (search(r, g, k, few ? 0 : omp_get_thread_num(), few ? threads : 1, &why) == OK)
      continue;
#pragma omp critical
    {
      *e = why;
      s = FAIL;
    }
  }
  return s;
}

static enum status merge_groups(struct run *r, uint32_t i, struct err *e)
{
  for (uint32_t k = 0; k < r->grids; k++)
    if (merge_grid_merge(&r->grid[k], &r->plan, i, r->shape, r->pair, r->join, r->pairs, e) != OK)
      return FAIL;
  for (uint32_t k = 0; k < r->pairs; k++) {
    r->parent[r->pair[k].first] = k;
    if (r->pair[k].second != MERGE_SELECT_NONE)
      r->parent[r->pair[k].second] = k;
  }
  for (uint32_t k = 0; k < r->pairs; k++)
    r->shape[k] = (uint8_t)r->pair[k].shape;
  r->groups = r->pairs;
  return merge_comm_contract(&r->comm, r->parent, r->groups, e);
}

static enum status iterate(struct run *r, uint32_t i, struct err *e)
{
  struct merge_step step;
  merge_plan_step(&r->plan, i, &step);
  if (make_subgroups(r, i, e) != OK ||
      merge_select_pairs(&r->comm, r->shape, &step, r->pair, &r->pairs, e) != OK)
    return FAIL;
  if (i < r->evaluated) {
    const struct merge_grid *g = units_of(r, i);
    if (make_cases(r, g, i, e) != OK || search_all(r, g, e) != OK)
      return FAIL;
  } else {
    for (uint32_t k = 0; k < r->pairs; k++)
      r->join[k].pattern[0] = r->join[k].pattern[1] = merge_pattern_identity(r->plan.ndims);
  }
  return merge_groups(r, i, e);
}

/* Runs all iterations and writes the mapping: the cells of the last group are the hosts. */
static enum status run_all(struct run *r, const struct mapper_input *in, struct mapping *out,
                           struct err *e)
{
  if (run_init(r, in, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->plan.iterations; i++)
    if (iterate(r, i, e) != OK)
      return FAIL;
  if (mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  memcpy(out->host, r->grid[0].cell, in->ranks * sizeof *out->host);
  return OK;
}

enum variant { FULL, HALF, NONE };

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct merge_options *o = in->options;
  const enum variant variant = in->mapper->variant;
  OWNED struct run *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->objective = variant == NONE ? MERGE_MINCOST : o->objective;
  r->order = variant == NONE ? 0 : o->order;
  r->evaluated = variant == NONE ? 0 : UINT32_MAX;
  enum status s = merge_input_check(in, &r->plan, e);
  if (s == OK && o->subgroup != NULL)
    s = merge_input_subgroups(in, &r->plan, &r->subgroups, e);
  if (variant == HALF && r->subgroups.count > 0) {
    r->evaluated = r->subgroups.at[0].iteration;
    r->subgroups.count = 0;
  }
  if (s == OK)
    s = run_all(r, in, out, e);
  run_clear(r);
  return s;
}

const struct mapper map_none = {
    .name = "none",
    .help = "merges the pairs of mopt without rotations and reflections, for comparison",
    .variant = NONE,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .one_per_host = true,
    .map = map,
};

const struct mapper map_fmopt = {
    .name = "fmopt",
    .help = "mopt's mapping, faster: skips combinations that cannot win",
    .options = merge_input_objective,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .one_per_host = true,
    .map = map,
};

const struct mapper map_sfmopt = {
    .name = "sfmopt",
    .help = "fmopt with blocks of ranks that stay together in later iterations: faster",
    .options = merge_input_both,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .one_per_host = true,
    .map = map,
};

const struct mapper map_fmopt_half = {
    .name = "fmopt-half",
    .help = "as fmopt up to the iteration where sfmopt begins to move blocks, then as none",
    .options = merge_input_both,
    .variant = HALF,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .one_per_host = true,
    .map = map,
};
