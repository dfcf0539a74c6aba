#include "mappers/general/general.h"

#include <math.h>
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

enum {
  FEW = 1024,      /* tasks up to which bisection is always tried */
  MANY = 4096,     /* tasks above which annealing does more work per task */
  SOME = 512,      /* tasks below which it also does, at most twice the work */
  LEAST = 64,      /* tasks below which this limit applies to the sum over all tasks */
  HOT = 128,       /* tasks up to which annealing may start hot */
  PIVOTS = 30,     /* of geometry_map() */
  WORK = 2100,     /* of annealing on a grid: tests of a swap per task */
  ROW_WORK = 1000, /* the same per row of hosts */
  TRIES = 1,       /* first cuts of a bisection */
  GROUP_TRIES = 4, /* the same if the machine is not a grid: annealing gains little there */
  MORE_TRIES = 8,  /* the same if distances are latencies: few clusters, no further cuts */
  DENSE = 128      /* mean degree from which on structure and geometry are not tried */
};

/* Hops per weight up to which a placement cannot be improved much. */
#define NEAR_OPTIMUM 1.02

/* Shares of the hops of a random placement.  Up to GOOD, a placement by structure needs no other
 * step.  Above POOR, geometry does not fit the graph. */
#define GOOD 0.22
#define POOR 0.4

/* Share of the hops of a random placement above which geometry is not smoothed on a hypercube. */
#define SPACELESS 0.6

/* Annealing starts from bisection only if its hops are below this share of the hops of another
 * start.  Bisection makes large faults, which annealing does not repair. */
#define AHEAD 0.9

/* A graph is nearly a tree, which has no geometry, if it has at most TREE edges per task and the
 * share of leaves is at least LEAVES. */
#define TREE   1.1
#define LEAVES 0.1

static bool is_near_optimum(const struct placement *p)
{
  return (double)p->hops <= NEAR_OPTIMUM * (double)graph_weight(p->g);
}

/* True for graphs with few edges and many leaves, unlike rings and long paths. */
static bool is_tree(const struct graph *g)
{
  uint32_t leaves = 0;
  for (uint32_t v = 0; v < g->n; v++)
    leaves += graph_degree(g, v) == 1;
  return g->first[g->n] <= 2 * TREE * g->n && leaves >= LEAVES * g->n;
}

/* --- one part --------------------------------------------------------------------------------- */

/* Folds the axes of the graph onto the axes of a grid.  If the machine is not a grid or the hops
 * are not near the optimum, also tries to bisect the tasks by their coordinates. */
static enum status try_structure(struct placement *p, const struct general_plan *plan,
                                 struct err *e)
{
  const struct anneal_plan bend = {
      .start = 0.07, .end = 0.01, .work = ROW_WORK * plan->effort, .seed = plan->seed};
  ARENA(mem, e);
  struct structure s;
  if (structure_find(&s, p->g, &mem) != OK)
    return FAIL;
  if (s.shape.naxes > 0 && p->m->ndims > 0 &&
      structure_map(&s, p, plan->effort > 0 ? &bend : NULL, e) != OK)
    return FAIL;
  if (s.shape.naxes == 0 || is_near_optimum(p))
    return OK;
  return bisect_map(p, &(struct bisect_plan){.structure = &s}, e);
}

/* Places the factors of the graph on digits of the slot numbers.  Annealing cannot improve factors
 * that fill a grid.  Sets *found to whether the placement has fewer hops now. */
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

/* Finds the smallest box with room for all tasks, with sides as even as possible. */
static void shrink(const struct target *m, uint32_t tasks, uint32_t *side)
{
  uint32_t hosts = m->hosts;
  const uint32_t needed = (tasks + m->per_host - 1) / m->per_host;
  memcpy(side, m->side, sizeof m->side);
  for (;;) {
    uint32_t axis = UINT32_MAX;
    for (uint32_t d = 0; d < m->ndims; d++)
      if (side[d] > 1 && hosts / side[d] * (side[d] - 1) >= needed &&
          (axis == UINT32_MAX || side[d] > side[axis]))
        axis = d;
    if (axis == UINT32_MAX)
      return;
    hosts = hosts / side[axis] * (side[axis] - 1);
    side[axis]--;
  }
}

/* Smooths coordinates only where that helps: on a hypercube, bisection is better for graphs without
 * geometry; on grids of more than two axes, annealing has the effect of smoothing. */
static enum status try_geometry(struct placement *p, struct err *e)
{
  uint32_t side[GRID_MAX_DIMS];
  const uint32_t low[GRID_MAX_DIMS] = {0}, n = p->g->n, k = p->m->per_host;
  struct target box;
  ARENA(mem, e);
  uint32_t *slot = arena_array(&mem, n, sizeof *slot);
  if (slot == NULL)
    return FAIL;
  shrink(p->m, n, side);
  target_box(&box, p->m, side);
  struct placement inside = {.g = p->g, .m = &box, .slot = slot, .hops = UINT64_MAX};
  const struct geometry_plan plan = {.pivots = PIVOTS,
                                     .least = n > FEW && p->m->ndims > 2 ? GOOD : 0,
                                     .most = p->m->cube ? SPACELESS : INFINITY};
  const enum status s = geometry_map(&inside, &plan, e);
  for (uint32_t v = 0; v < n && s == OK; v++)
    slot[v] = target_box_host(p->m, low, side, slot[v] / k) * k + slot[v] % k;
  if (s == OK && inside.hops != UINT64_MAX)
    placement_improve(p, slot);
  return s;
}

static enum status try_bisection(struct placement *p, const struct general_plan *plan,
                                 struct err *e)
{
  const uint32_t tries = p->m->latencies ? MORE_TRIES : p->m->ndims == 0 ? GROUP_TRIES : TRIES;
  return bisect_map(p, &(struct bisect_plan){.tries = tries, .seed = plan->seed}, e);
}

/* If annealing follows, bisection replaces another start only if it is well ahead. */
static enum status try_bisection_ahead(struct placement *p, const struct general_plan *plan,
                                       struct err *e)
{
  const uint64_t before = p->hops;
  if (plan->effort > 0 && before != UINT64_MAX)
    p->hops = (uint64_t)(AHEAD * (double)before);
  const uint64_t least = p->hops;
  const enum status s = try_bisection(p, plan, e);
  if (p->hops == least)
    p->hops = before;
  return s;
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
  if (degree < DENSE && butterfly_map(p, plan->seed, e) != OK)
    return FAIL;
  if (!p->settled && try_product(p, plan, &product, e) != OK)
    return FAIL;
  if (product)
    return OK;
  if (degree >= DENSE)
    return try_bisection(p, plan, e);
  if (!p->settled && try_structure(p, plan, e) != OK)
    return FAIL;
  if (p->settled || (double)p->hops <= GOOD * random)
    return OK;
  if (!is_tree(p->g) && try_geometry(p, e) != OK)
    return FAIL;
  return p->g->n > FEW && (double)p->hops <= POOR * random ? OK : try_bisection_ahead(p, plan, e);
}

/* --- all parts -------------------------------------------------------------------------------- */

/* Lists the tasks of the largest part and returns their number, or 0 if the other parts together
 * have more than 5 % of the tasks. */
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

/* Maps the main part as if it were alone and puts the other tasks into the remaining slots. */
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
  if (parts->count == 1) /* the rivals give a better start for a tree */
    return is_tree(p->g) ? OK : general_part(p, plan, e);
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
  if (parts->count == 1 && !dense && !product && try_structure(p, plan, e) != OK)
    return FAIL;
  return try_bisection(p, plan, e);
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

/* The annealing work per task, adapted to the run time.  Less at high degrees, where a test takes
 * long, and at low degrees, where all other steps are fast.  More for few tasks, as the start of
 * the process takes longer than their tests, and for many tasks, as the peer Scotch takes far
 * longer then. */
static double work_of(const struct graph *g, double most)
{
  const double n = g->n, degree = g->first[g->n] / n;
  const double few = fmax(1, fmin(sqrt(SOME / n), fmax(2, 2 * LEAST / n)));
  const double many = n > MANY ? fmin(pow(n / MANY, 0.75), 4) : 1;
  const double low = (degree + 1) / 7;
  return most * few * many * (degree > 16 ? 16 / degree : 1) * (low < 1 ? low : 1);
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

static enum status anneal_hot(struct placement *p, const struct general_plan *plan, struct err *e)
{
  const struct anneal_plan hot = {
      .start = 1, .end = 0.05, .work = WORK * plan->effort, .seed = plan->seed + 1};
  return begins_hot(p) ? anneal_grid(p, &hot, e) : OK;
}

/* The heats and the tests per task of annealing on a grid.  On a hypercube, hosts are few hops
 * apart, and the heat of other grids would destroy the start.  After a hot search less work
 * suffices. */
static struct anneal_plan grid_plan(const struct placement *p)
{
  const double work = work_of(p->g, begins_hot(p) ? 0.75 * WORK : WORK);
  return p->m->cube ? (struct anneal_plan){.start = 0.1, .end = 0.02, .work = work}
                    : (struct anneal_plan){.start = 0.2, .end = 0.05, .work = work};
}

/* The same for other machines.  On a tree, bisection leaves little to improve. */
static enum status groups_plan(const struct placement *p, struct anneal_plan *a, struct err *e)
{
  ARENA(mem, e);
  struct regions r;
  if (regions_new(&r, p->m, &mem) != OK)
    return FAIL;
  const bool tree = regions_are_tree(&r);
  const double work = work_of(p->g, tree && p->g->n > FEW ? 100 : 200);
  *a = tree ? (struct anneal_plan){.start = 0.03, .end = 0.005, .work = work}
            : (struct anneal_plan){.start = 0.08, .end = 0.01, .work = work};
  return OK;
}

static enum status anneal(struct placement *p, const struct general_plan *plan, struct err *e)
{
  const bool grid = p->m->ndims > 0;
  struct anneal_plan a = {0};
  if (plan->effort <= 0 || p->settled || is_near_optimum(p))
    return OK;
  if (grid)
    a = grid_plan(p);
  else if (groups_plan(p, &a, e) != OK)
    return FAIL;
  a.work *= plan->effort;
  a.seed = plan->seed;
  if (!grid)
    return anneal_groups(p, &a, e);
  return anneal_hot(p, plan, e) == OK ? anneal_grid(p, &a, e) : FAIL;
}

/* Anneals from the mapping of the rivals.  If none was run because rank order is optimal, anneals
 * from rank order. */
static enum status anneal_rival(struct placement *all, struct problem *p, const struct rivals *r,
                                const struct general_plan *plan, struct err *e)
{
  if (r->cost != UINT64_MAX)
    memcpy(p->slot, r->slot, p->g.n * sizeof *p->slot);
  all->hops = placement_hops(all, p->slot);
  all->settled = false;
  return anneal(all, plan, e);
}

/* Anneals, and once more from the mapping of the rivals if that is better than the result.  The
 * final cost is never above the cost of the rivals, even if rounded weights compare differently. */
static enum status improve(struct placement *all, struct problem *p,
                           const struct general_plan *plan, struct err *e)
{
  struct rivals r;
  bool below = false;
  enum status s = rivals_run(&r, p, e);
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
  rivals_clear(&r);
  return s;
}

enum status general_map(struct problem *p, const struct general_plan *plan, struct err *e)
{
  struct placement all = {.g = &p->g, .m = &p->m, .slot = p->slot, .hops = UINT64_MAX};
  return place(&all, plan, e) == OK ? improve(&all, p, plan, e) : FAIL;
}
