#include "mappers/general/cut/bisect.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/general/cut/halve.h"
#include "mappers/general/cut/region.h"
#include "mappers/general/recognise/layers.h"

/* Tasks list[from..to-1] and the region of hosts that they go to. */
struct job {
  struct region region;
  uint32_t from, to;
};

struct bisection {
  const struct graph *g;
  const struct bisect_plan *plan;
  struct regions regions;
  uint32_t *list;
  uint32_t *where; /* by task: index of its job; after the split of the job, `jobs` + the index of
                      its half in next[] */
  uint32_t *index; /* by task: scratch of graph_part() */
  int64_t *bias;   /* by task of the current job, as the next array; see halve.h */
  uint8_t *side;
  uint32_t *room;           /* scratch: tasks of the second half */
  struct layers_item *item; /* NULL: the tasks have no coordinates */
  struct job *job, *next;   /* jobs of this level and of the next */
  size_t jobs, nexts, job_room, next_room;
  uint64_t cuts;
};

static const struct region *region_of(const struct bisection *b, uint32_t job)
{
  return job < b->jobs ? &b->job[job].region : &b->next[job - b->jobs].region;
}

/* Sets the bias of each task of a job: how much more its edges to partners outside the job cost in
 * the second half than in the first. */
static void measure_bias(struct bisection *b, const struct job *j, const struct region half[2])
{
  const struct graph *g = b->g;
  const uint32_t here = (uint32_t)(j - b->job);
  for (uint32_t i = j->from; i < j->to; i++) {
    const uint32_t v = b->list[i];
    int64_t sum = 0;
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t there = b->where[g->to[a]];
      if (there == here)
        continue;
      sum += (int64_t)region_farther(&b->regions, half, region_of(b, there)) * g->weight[a];
    }
    b->bias[i - j->from] = sum;
  }
}

/* Sets the bounds of the number of tasks in the first half.  On a grid both halves are equally
 * full.  On other machines all tasks go to one half if they fit there. */
static void set_bounds(const struct bisection *b, const struct job *j, const struct region half[2],
                       struct halving *h)
{
  const uint32_t n = j->to - j->from;
  const uint32_t first = region_slots(&b->regions, &half[0]);
  const uint32_t second = region_slots(&b->regions, &half[1]);
  if (b->regions.m->ndims > 0) {
    h->least = h->most =
        (uint32_t)(((uint64_t)n * first + first + second - 1) / ((uint64_t)first + second));
    return;
  }
  h->least = n > second ? n - second : 0;
  h->most = n < first ? n : first;
  if (n <= first && (n > second || first <= second))
    h->least = n;
  else if (n <= second)
    h->most = 0;
}

static enum status add_job(struct bisection *b, const struct region *x, uint32_t from, uint32_t to,
                           struct err *e)
{
  if (MEM_GROW(b->next, b->next_room, b->nexts + 1, e) != OK)
    return FAIL;
  for (uint32_t i = from; i < to; i++)
    b->where[b->list[i]] = (uint32_t)(b->jobs + b->nexts);
  b->next[b->nexts++] = (struct job){*x, from, to};
  return OK;
}

/* Sorts the tasks by layers, and gives the layers at one end to the first half: the end that costs
 * less. */
static void cut_layers(struct bisection *b, const struct job *j, const struct region half[2],
                       const struct halving *h)
{
  const uint32_t n = j->to - j->from;
  const uint64_t first = region_slots(&b->regions, &half[0]);
  const uint64_t all = first + region_slots(&b->regions, &half[1]);
  uint32_t count = (uint32_t)((n * first + all - 1) / all);
  int64_t low = 0, high = 0; /* cost if the low, or the high, layers go to the first half */
  count = count < h->least ? h->least : count > h->most ? h->most : count;
  layers_sort(b->plan->structure, b->list + j->from, n, b->item);
  for (uint32_t i = 0; i < n; i++) {
    low += i < count ? 0 : b->bias[b->item[i].index];
    high += i < n - count ? b->bias[b->item[i].index] : 0;
  }
  for (uint32_t i = 0; i < n; i++)
    b->side[b->item[i].index] = low <= high ? i >= count : i < n - count;
}

static enum status cut_graph(struct bisection *b, const struct job *j, struct halving *h,
                             struct err *e)
{
  ARENA(mem, e);
  struct graph part;
  const struct graph_list list = {b->list + j->from, j->to - j->from};
  if (graph_part(&part, b->g, &list, b->index, &mem) != OK)
    return FAIL;
  h->g = &part;
  return halve(h, b->side, e);
}

/* Halves the tasks of a job.  Reorders list[] so that the tasks of each half are together, in
 * rising order; *middle is the first of the second half. */
static enum status split_tasks(struct bisection *b, const struct job *j,
                               const struct region half[2], uint32_t *middle, struct err *e)
{
  const uint32_t n = j->to - j->from;
  struct halving h = {.bias = b->bias, .tries = b->plan->tries};
  set_bounds(b, j, half, &h);
  h.hops = region_hops(&b->regions, &half[0], &half[1]);
  h.seed = b->plan->seed + b->cuts++;
  enum status s = OK;
  if (h.least == h.most && (h.least == n || h.least == 0)) {
    memset(b->side, h.least == 0, n);
  } else {
    measure_bias(b, j, half);
    if (b->item != NULL)
      cut_layers(b, j, half, &h);
    else
      s = cut_graph(b, j, &h, e);
  }
  uint32_t at = j->from, rest = 0;
  for (uint32_t i = 0; i < n && s == OK; i++)
    if (b->side[i] == 0)
      b->list[at++] = b->list[j->from + i];
    else
      b->room[rest++] = b->list[j->from + i];
  memcpy(b->list + at, b->room, rest * sizeof *b->list);
  *middle = at;
  return s;
}

static enum status split_job(struct bisection *b, const struct job *j, struct err *e)
{
  struct region half[2];
  uint32_t middle = 0;
  if (j->to - j->from == 0)
    return OK;
  if (region_is_uniform(&b->regions, &j->region))
    return add_job(b, &j->region, j->from, j->to, e);
  region_split(&b->regions, &j->region, half);
  if (split_tasks(b, j, half, &middle, e) != OK || add_job(b, &half[0], j->from, middle, e) != OK)
    return FAIL;
  return add_job(b, &half[1], middle, j->to, e);
}

/* Makes the jobs of the next level current. */
static void take_level(struct bisection *b)
{
  struct job *jobs = b->job;
  const size_t room = b->job_room;
  const uint32_t before = (uint32_t)b->jobs;
  b->job = b->next;
  b->job_room = b->next_room;
  b->jobs = b->nexts;
  b->next = jobs;
  b->next_room = room;
  b->nexts = 0;
  for (uint32_t v = 0; v < b->g->n; v++)
    b->where[v] -= before;
}

static enum status split_all(struct bisection *b, struct err *e)
{
  const struct region all = region_all(&b->regions);
  bool more = true;
  if (add_job(b, &all, 0, b->g->n, e) != OK)
    return FAIL;
  for (take_level(b); more; take_level(b)) {
    more = false;
    for (size_t i = 0; i < b->jobs; i++) {
      more = more || !region_is_uniform(&b->regions, &b->job[i].region);
      if (split_job(b, &b->job[i], e) != OK)
        return FAIL;
    }
  }
  return OK;
}

static void place(const struct bisection *b, uint32_t *slot)
{
  const uint32_t k = b->regions.m->per_host;
  for (size_t i = 0; i < b->jobs; i++)
    for (uint32_t t = b->job[i].from; t < b->job[i].to; t++) {
      const uint32_t at = t - b->job[i].from;
      slot[b->list[t]] = region_host(&b->regions, &b->job[i].region, at / k) * k + at % k;
    }
}

static enum status bisect(struct placement *p, const struct bisect_plan *plan, bool near_middle,
                          struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = p->g->n;
  struct bisection b = {.g = p->g,
                        .plan = plan,
                        .list = arena_array(&mem, n, sizeof *b.list),
                        .where = arena_array(&mem, n, sizeof *b.where),
                        .index = arena_array(&mem, n, sizeof *b.index),
                        .bias = arena_array(&mem, n, sizeof *b.bias),
                        .side = arena_array(&mem, n, 1),
                        .room = arena_array(&mem, n, sizeof *b.room)};
  uint32_t *slot = arena_array(&mem, n, sizeof *slot);
  if (plan->structure != NULL)
    b.item = arena_array(&mem, n, sizeof *b.item);
  if (regions_new(&b.regions, p->m, &mem) != OK)
    return FAIL;
  b.regions.near_middle = near_middle;
  for (uint32_t v = 0; v < n; v++)
    b.list[v] = v;
  memset(b.index, 0xff, n * sizeof *b.index);
  const enum status s = split_all(&b, e);
  if (s == OK) {
    place(&b, slot);
    placement_improve(p, slot);
  }
  free(b.job);
  free(b.next);
  return s;
}

enum status bisect_map(struct placement *p, const struct bisect_plan *plan, struct err *e)
{
  if (p->m->latencies && bisect(p, plan, true, e) != OK)
    return FAIL;
  return bisect(p, plan, false, e);
}
