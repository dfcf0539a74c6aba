#include "mappers/general/general.h"

#include <string.h>

#include "mappers/general/anneal/anneal_grid.h"
#include "mappers/general/anneal/anneal_groups.h"
#include "mappers/general/cut/bisect.h"
#include "mappers/general/cut/pack.h"
#include "mappers/general/cut/region.h"
#include "mappers/general/recognise/butterfly.h"
#include "mappers/general/recognise/geometry.h"
#include "mappers/general/recognise/product.h"
#include "mappers/general/recognise/structure.h"
#include "mappers/general/rivals.h"
#include "platforms/part.h"

/* Percentages tell by how much the geometric mean of hop-bytes in `make bench-mappers` rises
 * without the constant or the step, or with the other value that follows "against"; "main" is the
 * mean over stencils, BT, LU, MG and geometric graphs on tori and meshes. */
enum {
  HOT = 128,     /* tasks up to which annealing may start hot: main 0.5 % */
  PIVOTS = 50,   /* of geometry_map(): 0.1 % against 15 */
  WORK = 2100,   /* of annealing on a grid, in tests of a swap per task: 0.35 % against half */
  SWEEPS = 1000, /* of a hot search on groups */
  TRIES = 4,     /* first cuts of a bisection: 1.8 % on clusters, 0.2 % on fat trees, against 1 */
  TREE = 5,      /* mean degree of unstructured graphs below which bisection is a rival on grids */
  DENSE = 128    /* mean degree from which on structure and geometry are not tried: there they take
                    four times as long and are 1.2 % worse */
};

/* Mean hops of an edge, by weight, up to which a placement cannot be improved much.  Saves a third
 * of the time of stencils. */
#define NEAR_OPTIMUM 1.02

/* Share of the hops of a random placement up to which a placement by structure needs no geometry.
 * Saves a third of the time of stencils that are folded. */
#define GOOD 0.22

static bool is_near_optimum(const struct placement *p)
{
  return (double)p->hops <= NEAR_OPTIMUM * (double)graph_weight(p->g);
}

/* True if a quick plan ends with the placement: it follows a structure of the graph. */
static bool suffices(const struct placement *p, const struct general_plan *plan)
{
  return plan->quick && p->structured;
}

/* --- one part --------------------------------------------------------------------------------- */

/* Folds the axes of the graph onto the axes of a grid (3.3 %).  If the machine is not a grid or the
 * hops are not near the optimum, also tries to bisect the tasks by their coordinates (0.2 %; 3.6 %
 * for stencils on clusters, 1.4 % for stencils on fat trees). */
static enum status try_structure(struct placement *p, struct err *e)
{
  ARENA(mem, e);
  struct structure s;
  if (structure_find(&s, p->g, &mem) != OK)
    return FAIL;
  if (s.shape.naxes > 0 && p->m->ndims > 0 && structure_map(&s, p, e) != OK)
    return FAIL;
  if (s.shape.naxes == 0)
    return OK;
  p->structured = true;
  return is_near_optimum(p) ? OK : bisect_map(p, &(struct bisect_plan){.structure = &s}, e);
}

/* Places the factors of the graph on digits of the slot numbers (0.3 %).  Sets *found to whether
 * that improves the placement.  Annealing cannot improve factors that fill a grid. */
static enum status try_product(struct placement *p, const struct general_plan *plan, bool *found,
                               struct err *e)
{
  ARENA(mem, e);
  struct product f;
  if (product_find(&f, p->g, &mem) != OK)
    return FAIL;
  const uint64_t before = p->hops;
  const enum status s = f.count > 0 ? product_map(&f, p, plan->seed, e) : OK;
  *found = p->hops < before;
  p->settled = p->settled || (*found && p->m->ndims > 0 && p->g->n == p->m->slots);
  return s;
}

static enum status try_bisection(struct placement *p, const struct general_plan *plan,
                                 struct err *e)
{
  return bisect_map(p, &(struct bisect_plan){.tries = TRIES, .seed = plan->seed}, e);
}

enum status general_part(struct placement *p, const struct general_plan *plan, struct err *e)
{
  const double random = target_random_hops(p->m) * (double)graph_weight(p->g);
  const double degree = (double)p->g->first[p->g->n] / p->g->n;
  if (p->g->n == 1) {
    p->slot[0] = 0;
    p->hops = 0;
    return OK;
  }
  bool product = false;
  if (degree < DENSE && butterfly_map(p, plan->seed, e) != OK) /* 0.9 % */
    return FAIL;
  if (!p->settled && try_product(p, plan, &product, e) != OK)
    return FAIL;
  if (product)
    return OK;
  if (degree >= DENSE)
    return try_bisection(p, plan, e);
  if (!p->settled && try_structure(p, e) != OK)
    return FAIL;
  if (p->settled || suffices(p, plan) || (double)p->hops <= GOOD * random)
    return OK;
  return geometry_map(p, PIVOTS, e); /* 0.7 % */
}

/* --- all parts -------------------------------------------------------------------------------- */

/* Lists the tasks of the largest part and returns their number.  Returns 0 if the other parts have
 * more than 5 % of the tasks in all. */
static uint32_t find_main(const struct graph *g, const struct parts *parts, uint32_t *task)
{
  uint32_t largest = 0, n = 0;
  memset(task, 0, parts->count * sizeof *task);
  for (uint32_t v = 0; v < g->n; v++)
    task[parts->of[v]]++;
  for (uint32_t i = 1; i < parts->count; i++)
    largest = task[i] > task[largest] ? i : largest;
  if (g->n - task[largest] > g->n / 20)
    return 0;
  for (uint32_t v = 0; v < g->n; v++)
    if (parts->of[v] == largest)
      task[n++] = v;
  return n;
}

/* Puts the tasks without slot into free slots. */
static void place_rest(const struct placement *p, uint8_t *taken)
{
  uint32_t next = 0;
  for (uint32_t v = 0; v < p->g->n; v++)
    if (p->slot[v] != UINT32_MAX)
      taken[p->slot[v]] = 1;
  for (uint32_t v = 0; v < p->g->n; v++) {
    if (p->slot[v] != UINT32_MAX)
      continue;
    while (taken[next])
      next++;
    p->slot[v] = next++;
  }
}

/* Maps the main part as if it were alone and puts the other tasks into the remaining slots (0.4 %).
 */
static enum status solve_main(struct placement *p, const struct general_plan *plan,
                              const struct graph_list *tasks, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = p->g->n;
  struct graph g;
  uint32_t *index = arena_array(&mem, n, sizeof *index), *slot = arena_array(&mem, n, sizeof *slot);
  uint8_t *taken = arena_array(&mem, p->m->slots, 1);
  struct placement inside = {.g = &g, .m = p->m, .slot = slot, .hops = UINT64_MAX};
  if (arena_status(&mem) != OK)
    return FAIL;
  memset(index, 0xff, n * sizeof *index);
  if (graph_part(&g, p->g, tasks, index, &mem) != OK || general_part(&inside, plan, e) != OK)
    return FAIL;
  memset(p->slot, 0xff, n * sizeof *p->slot);
  for (uint32_t i = 0; i < tasks->n; i++)
    p->slot[tasks->task[i]] = slot[i];
  place_rest(p, taken);
  p->hops = placement_hops(p, p->slot);
  return OK;
}

static enum status solve_grid(struct placement *p, const struct general_plan *plan,
                              struct parts *parts, uint32_t *room, struct err *e)
{
  bool packed = false;
  if (parts->count == 1)
    return general_part(p, plan, e);
  /* Packing: 5 % on 8 stencils or CGs of 64 ranks on 512 hosts. */
  const uint32_t n = find_main(p->g, parts, room);
  if (n > 0)
    return solve_main(p, plan, &(struct graph_list){room, n}, e);
  if (pack_map(p, parts, plan, &packed, e) != OK)
    return FAIL;
  return packed ? OK : try_bisection(p, plan, e);
}

static enum status solve_groups(struct placement *p, const struct general_plan *plan,
                                const struct parts *parts, struct err *e)
{
  const bool dense = p->g->first[p->g->n] / p->g->n >= DENSE;
  bool product = false;
  if (parts->count == 1 && try_product(p, plan, &product, e) != OK)
    return FAIL;
  if (parts->count == 1 && !dense && !product && try_structure(p, e) != OK)
    return FAIL;
  return suffices(p, plan) ? OK : try_bisection(p, plan, e);
}

static enum status place(struct placement *p, const struct general_plan *plan, struct err *e)
{
  ARENA(mem, e);
  struct parts parts = {.of = arena_array(&mem, p->g->n, sizeof *parts.of)};
  uint32_t *room = arena_array(&mem, p->g->n, sizeof *room);
  if (arena_status(&mem) != OK)
    return FAIL;
  parts.count = graph_components(p->g, parts.of, room);
  return p->m->ndims > 0 ? solve_grid(p, plan, &parts, room, e) : solve_groups(p, plan, &parts, e);
}

/* The tests of a swap per task.  At high degrees a test takes long, so there are fewer. */
static double work_of(const struct graph *g, double most)
{
  const double degree = g->first[g->n] / (double)g->n;
  return most * (degree > 16 ? 16 / degree : 1);
}

static bool is_mesh(const struct target *m)
{
  bool mesh = m->ndims > 1 && !m->cube;
  for (uint32_t d = 0; d < m->ndims; d++)
    mesh = mesh && !m->wraps[d];
  return mesh;
}

/* On a mesh, hosts in the middle are scarce.  Small graphs gain there from a hot search that
 * ignores its start. */
static bool begins_hot(const struct placement *p)
{
  return is_mesh(p->m) && p->g->n <= HOT;
}

static struct anneal_plan hot_plan(const struct general_plan *plan, double work)
{
  return (struct anneal_plan){
      .start = 1, .end = 0.05, .work = work * plan->effort, .seed = plan->seed + 1};
}

/* On a hypercube, hosts are few hops apart, and the heat of other grids would destroy the start.
 * After a hot search less work suffices. */
static enum status on_grid(struct placement *p, const struct general_plan *plan, struct err *e)
{
  const struct anneal_plan hot = hot_plan(plan, WORK);
  const bool cube = p->m->cube, hot_first = begins_hot(p);
  const struct anneal_plan a = {.start = cube ? 0.1 : 0.2,
                                .end = cube ? 0.02 : 0.05,
                                .work =
                                    work_of(p->g, hot_first ? 0.75 * WORK : WORK) * plan->effort,
                                .seed = plan->seed};
  if (hot_first && anneal_grid(p, &hot, e) != OK)
    return FAIL;
  return anneal_grid(p, &a, e);
}

/* On a tree, bisection leaves little to improve. */
static enum status on_groups(struct placement *p, const struct general_plan *plan, struct err *e)
{
  ARENA(mem, e);
  struct regions r;
  if (regions_new(&r, p->m, &mem) != OK)
    return FAIL;
  const bool tree = regions_are_tree(&r);
  const struct anneal_plan a = {.start = tree ? 0.03 : 0.08,
                                .end = tree ? 0.005 : 0.01,
                                .work = work_of(p->g, 200) * plan->effort,
                                .seed = plan->seed};
  return anneal_groups(p, &a, e);
}

/* True if annealing may improve the placement. */
static bool can_improve(const struct placement *p, const struct general_plan *plan)
{
  const bool skip = suffices(p, plan) && p->m->ndims == 0;
  return plan->effort > 0 && !p->settled && !skip && p->hops != UINT64_MAX && !is_near_optimum(p);
}

static enum status anneal(struct placement *p, const struct general_plan *plan, struct err *e)
{
  if (!can_improve(p, plan))
    return OK;
  return p->m->ndims > 0 ? on_grid(p, plan, e) : on_groups(p, plan, e);
}

/* On a grid, makes a bisection a rival in two cases: several ranks share a host, so that the ranks
 * of each host must be chosen first; or the graph is nearly a tree.  Without it, BT
 * with 484 ranks, 8 on each host of a 4x4x4 torus, has 21 % more hop-bytes, and EP with 512 ranks
 * on an 8x8x8 mesh 4 %. */
static enum status offer_bisection(const struct placement *all, const struct problem *p,
                                   const struct general_plan *plan, struct rivals *r, struct err *e)
{
  ARENA(mem, e);
  struct placement other = *all;
  const bool tree = p->g.first[p->g.n] < (uint64_t)TREE * p->g.n && !all->structured;
  if (all->m->ndims == 0 || all->settled || suffices(all, plan) || (all->m->per_host == 1 && !tree))
    return OK;
  if ((other.slot = arena_array(&mem, p->g.n, sizeof *other.slot)) == NULL)
    return FAIL;
  other.hops = UINT64_MAX;
  return try_bisection(&other, plan, e) == OK ? rivals_offer(r, p, other.slot, e) : FAIL;
}

/* The hosts of an allocation have no structure that bisection could follow.  For small graphs on an
 * allocation that is no grid, offers a mapping by hot searches to the rivals (3 % with 8 to 10
 * tasks). */
static enum status offer_hot(const struct placement *all, const struct problem *p,
                             const struct general_plan *plan, struct rivals *r, struct err *e)
{
  ARENA(mem, e);
  struct anneal_plan hot = hot_plan(plan, SWEEPS);
  struct placement other = *all;
  if (all->m->ndims > 0 || platform_whole(p->in->platform) == p->in->platform || p->g.n > HOT ||
      !can_improve(all, plan))
    return OK;
  if ((other.slot = arena_array(&mem, p->g.n, sizeof *other.slot)) == NULL)
    return FAIL;
  memcpy(other.slot, all->slot, p->g.n * sizeof *other.slot);
  for (uint32_t left = HOT / p->g.n; left > 0; left--, hot.seed++)
    if (anneal_groups(&other, &hot, e) != OK)
      return FAIL;
  return on_groups(&other, plan, e) == OK ? rivals_offer(r, p, other.slot, e) : FAIL;
}

/* Anneals from the best rival.  If no rival was run because rank order is optimal, anneals from
 * rank order. */
static enum status anneal_rival(struct placement *all, struct problem *p, const struct rivals *r,
                                const struct general_plan *plan, struct err *e)
{
  if (r->cost != RIVALS_NONE)
    memcpy(p->slot, r->slot, p->g.n * sizeof *p->slot);
  all->hops = placement_hops(all, p->slot);
  all->settled = false;
  return anneal(all, plan, e);
}

/* Anneals the placement.  If the best rival is better, anneals once more, from that rival (0.4 %).
 * The final cost is never above the cost of a rival, although annealing compares rounded
 * weights. */
static enum status improve(struct placement *all, struct problem *p,
                           const struct general_plan *plan, struct err *e)
{
  struct rivals r;
  bool below = false;
  enum status s = rivals_run(&r, p, plan, !suffices(all, plan), e);
  if (s == OK)
    s = offer_bisection(all, p, plan, &r, e);
  if (s == OK && all->hops == UINT64_MAX)
    s = anneal_rival(all, p, &r, plan, e);
  else if (s == OK)
    s = anneal(all, plan, e);
  if (s == OK)
    s = rivals_settle(&r, p, &below, e);
  if (s == OK && below)
    s = anneal_rival(all, p, &r, plan, e);
  if (s == OK && below)
    s = rivals_settle(&r, p, &below, e);
  if (s == OK && (s = offer_hot(all, p, plan, &r, e)) == OK)
    s = rivals_settle(&r, p, &below, e);
  rivals_clear(&r);
  return s;
}

enum status general_map(struct problem *p, const struct general_plan *plan, struct err *e)
{
  struct placement all = {.g = &p->g, .m = &p->m, .slot = p->slot, .hops = UINT64_MAX};
  return place(&all, plan, e) == OK ? improve(&all, p, plan, e) : FAIL;
}

enum status general_mapping(struct mapping *out, const struct mapper_input *in,
                            const struct general_plan *plan, struct err *e)
{
  struct problem p;
  if (problem_new(&p, in, e) != OK)
    return FAIL;
  enum status s = general_map(&p, plan, e);
  if (s == OK)
    s = problem_mapping(&p, out, e);
  problem_clear(&p);
  return s;
}
