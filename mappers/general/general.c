#include "mappers/general/general.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/general/anneal_grid.h"
#include "mappers/general/anneal_groups.h"
#include "mappers/general/bisect.h"
#include "mappers/general/butterfly.h"
#include "mappers/general/geometry.h"
#include "mappers/general/pack.h"
#include "mappers/general/product.h"
#include "mappers/general/region.h"
#include "mappers/general/rivals.h"
#include "mappers/general/structure.h"

enum {
  FEW = 1024,      /* tasks for which bisection is always tried */
  MANY = 4096,     /* tasks beyond which there is time for more work */
  SOME = 512,      /* below so many tasks there is, too: for twice the work at most */
  LEAST = 64,      /* below so many tasks that limit is one on all tests together */
  HOT = 128,       /* tasks up to which annealing may begin hot */
  PIVOTS = 30,     /* of geometry */
  WORK = 2100,     /* of annealing for each task on a grid: tests of a swap */
  ROW_WORK = 1000, /* the same for each row of hosts */
  TRIES = 1,       /* first cuts of a bisection */
  GROUP_TRIES = 4, /* of a machine that is no grid, where little is annealed away */
  MORE_TRIES = 8,  /* between few clusters, which are all that it cuts */
  DENSE = 128      /* mean degree from which on there is neither structure nor space */
};

/* Hops so small that nothing is to be gained. */
#define NEAR_OPTIMUM 1.02

/* Shares of random placement's hops: up to which structure needs no other step, and above which
 * geometry has not caught the graph. */
#define GOOD 0.22
#define POOR 0.4

/* The same share above which geometry is not smoothed on a hypercube. */
#define SPACELESS 0.6

/* Annealing begins with bisection only if its hops are below this share of those of another start:
 * the faults of bisection are large ones, which annealing does not mend. */
#define AHEAD 0.9

/* Edges for each task up to which, and share of leaves from which on, a graph is nearly a tree,
 * which has no geometry. */
#define TREE   1.1
#define LEAVES 0.1

static bool is_near_optimum(const struct placement *p)
{
  return (double)p->hops <= NEAR_OPTIMUM * (double)graph_weight(p->g);
}

/* Few edges and many leaves: no ring or path. */
static bool is_tree(const struct graph *g)
{
  uint32_t leaves = 0;
  for (uint32_t v = 0; v < g->n; v++)
    leaves += g->first[v + 1] - g->first[v] == 1;
  return g->first[g->n] <= 2 * TREE * g->n && leaves >= LEAVES * g->n;
}

/* --- one part --------------------------------------------------------------------------------- */

/* The axes on those of a grid; where they do not fit or there is no grid, halved with the machine.
 */
static enum status try_structure(struct placement *p, const struct general_plan *plan,
                                 struct err *e)
{
  const struct anneal_plan bend = {
      .start = 0.07, .end = 0.01, .work = ROW_WORK * plan->effort, .seed = plan->seed};
  struct structure s;
  if (structure_find(&s, p->g, e) != OK)
    return FAIL;
  enum status status = OK;
  if (s.shape.naxes > 0 && p->m->ndims > 0)
    status = structure_map(&s, p, plan->effort > 0 ? &bend : NULL, e);
  if (status == OK && s.shape.naxes > 0 && !is_near_optimum(p))
    status = bisect_map(p, &(struct bisect_plan){.structure = &s}, e);
  structure_clear(&s);
  return status;
}

/* Factors of the graph on digits of the slots' numbers, in the best way; annealing finds nothing
 * more where they fill a grid.  *found is false if the graph is no product or fits in no way. */
static enum status try_product(struct placement *p, const struct general_plan *plan, bool *found,
                               struct err *e)
{
  struct product f;
  if (product_find(&f, p->g, e) != OK)
    return FAIL;
  const uint64_t before = p->hops;
  const enum status s = f.count > 0 ? product_map(&f, p, plan->seed, e) : OK;
  *found = p->hops < before;
  p->settled = p->settled || (*found && p->m->ndims > 0 && p->g->n == p->m->slots);
  product_clear(&f);
  return s;
}

/* The smallest box, as even as can be, that has room for all tasks. */
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

/* On a hypercube bisection is the better for graphs in no space.  On grids of more than two axes
 * annealing does what smoothing would. */
static enum status try_geometry(struct placement *p, struct err *e)
{
  uint32_t side[GRID_MAX_DIMS];
  const uint32_t low[GRID_MAX_DIMS] = {0}, n = p->g->n, k = p->m->per_host;
  struct target box;
  uint32_t *slot = mem_array(n, sizeof *slot, e);
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
  free(slot);
  return s;
}

static enum status try_bisection(struct placement *p, const struct general_plan *plan,
                                 struct err *e)
{
  const uint32_t tries = p->m->latencies ? MORE_TRIES : p->m->ndims == 0 ? GROUP_TRIES : TRIES;
  return bisect_map(p, &(struct bisect_plan){.tries = tries, .seed = plan->seed}, e);
}

/* Where annealing follows, bisection replaces another start only if it is well ahead of it. */
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

/* The tasks of the largest part, if all others together are few: their number, else 0. */
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

/* Fills free slots with the tasks that have none yet. */
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

/* Maps the main part as if it were alone, and the rest to what is left. */
static enum status solve_main(struct placement *p, const struct general_plan *plan,
                              const struct graph_list *tasks, struct err *e)
{
  struct graph g;
  uint32_t *index = mem_array(p->g->n, sizeof *index, e);
  uint32_t *slot = mem_array(p->g->n, sizeof *slot, e);
  uint8_t *taken = mem_array(p->m->slots, 1, e);
  enum status s = FAIL;
  if (index != NULL && slot != NULL && taken != NULL) {
    memset(index, 0xff, p->g->n * sizeof *index);
    s = graph_part(&g, p->g, tasks, index, e);
  }
  if (s == OK) {
    struct placement inside = {.g = &g, .m = p->m, .slot = slot, .hops = UINT64_MAX};
    s = general_part(&inside, plan, e);
    graph_clear(&g);
  }
  if (s == OK) {
    memset(p->slot, 0xff, p->g->n * sizeof *p->slot);
    for (uint32_t i = 0; i < tasks->n; i++)
      p->slot[tasks->task[i]] = slot[i];
    place_rest(p, taken);
    p->hops = placement_hops(p, p->slot);
  }
  free(index);
  free(slot);
  free(taken);
  return s;
}

static enum status solve_grid(struct placement *p, const struct general_plan *plan,
                              struct parts *parts, uint32_t *room, struct err *e)
{
  bool packed = false;
  if (parts->count == 1) /* rivals have the better start for a tree */
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
  struct parts parts = {.of = mem_array(p->g->n, sizeof *parts.of, e)};
  uint32_t *room = mem_array(p->g->n, sizeof *room, e);
  enum status s = FAIL;
  if (parts.of != NULL && room != NULL) {
    parts.count = graph_components(p->g, parts.of, room);
    s = p->m->ndims > 0 ? solve_grid(p, plan, &parts, room, e) : solve_groups(p, plan, &parts, e);
  }
  free(parts.of);
  free(room);
  return s;
}

/* Work for the time that a graph's edges allow: less where a test takes long, which is at high
 * degrees, and where all else takes little, which is at low ones; more where tasks are few, as a
 * process takes long to start beside their tests, and where they are many: the peer, Scotch, takes
 * far longer there. */
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

/* On a mesh, where the middle is dear, few tasks gain by a search that forgets its start. */
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

/* How hot annealing is at first and at last, and its tests per task, on a grid.  A hypercube has
 * few hops between any two hosts: the heat of other grids would undo the start there.  After a hot
 * search less work does. */
static struct anneal_plan grid_plan(const struct placement *p)
{
  const double work = work_of(p->g, begins_hot(p) ? 0.75 * WORK : WORK);
  return p->m->cube ? (struct anneal_plan){.start = 0.1, .end = 0.02, .work = work}
                    : (struct anneal_plan){.start = 0.2, .end = 0.05, .work = work};
}

/* The same on other machines.  Where these are trees, bisection leaves little to do. */
static enum status groups_plan(const struct placement *p, struct anneal_plan *a, struct err *e)
{
  struct regions r;
  if (regions_new(&r, p->m, e) != OK)
    return FAIL;
  const bool tree = regions_are_tree(&r);
  regions_clear(&r);
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

/* Anneals from the rivals' mapping, or from the ranks' own order, which needs none. */
static enum status anneal_rival(struct placement *all, struct problem *p, const struct rivals *r,
                                const struct general_plan *plan, struct err *e)
{
  if (r->cost != UINT64_MAX)
    memcpy(p->slot, r->slot, p->g.n * sizeof *p->slot);
  all->hops = placement_hops(all, p->slot);
  all->settled = false;
  return anneal(all, plan, e);
}

/* Anneals, and once more from the rivals' mapping if that is below the result.  The end is never
 * above them, though weights that are rounded may say so. */
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
