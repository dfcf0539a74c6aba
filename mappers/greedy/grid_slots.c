#include "mappers/greedy/grid_slots.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "platforms/topology/grid.h"

/* Coordinates low to low + size - 1 of an axis.  An axis is halved down to single coordinates:
 * range 0 is the whole axis; the halves of range i are i + 1 (lower) and upper_half() (upper). */
struct range {
  uint32_t low, size;
  uint64_t least; /* minimum over its coordinates of the cost of all pulls along this axis */
};

struct axis {
  uint32_t side, stride;
  uint32_t *hops;      /* by difference of coordinates */
  uint64_t *weight;    /* weight of the pulls, by coordinate */
  struct range *range; /* 2 * side - 1 of them */
};

/* A box of hosts.  Boxes are halved along their longest side down to single hosts.  Box 0 is the
 * grid; the halves of box i are i + 1 (lower) and upper_half() (upper). */
struct box {
  uint32_t number, hosts, low; /* low: its lowest host */
  uint64_t cost;               /* lower bound of the cost of its hosts */
};

struct grid_slots {
  uint32_t ndims, hosts, per_host;
  struct axis axis[GRID_MAX_DIMS];
  uint32_t *used; /* by host: slots taken */
  bool *full;     /* by number of box */
  /* State of the current search: the range of the box on each axis, and the best host so far. */
  uint32_t at[GRID_MAX_DIMS];
  uint32_t best;
  uint64_t best_cost;
};

static uint32_t upper_half(uint32_t number, uint32_t lower_size)
{
  return number + 2 * lower_size;
}

/* Sets all ranges in the order of their numbers, since a range has a lower number than its halves.
 */
static void halve_axis(struct axis *a)
{
  a->range[0] = (struct range){.low = 0, .size = a->side};
  for (uint32_t i = 0; i < 2 * a->side - 1; i++) {
    const uint32_t low = a->range[i].low, size = a->range[i].size, half = size / 2;
    if (size == 1)
      continue;
    a->range[i + 1] = (struct range){.low = low, .size = half};
    a->range[upper_half(i, half)] = (struct range){.low = low + half, .size = size - half};
  }
}

static enum status axis_init(struct axis *a, const struct topology *t, uint32_t side,
                             uint32_t stride, struct err *e)
{
  *a = (struct axis){.side = side, .stride = stride};
  if ((a->hops = mem_array(side, sizeof *a->hops, e)) == NULL ||
      (a->weight = mem_array(side, sizeof *a->weight, e)) == NULL ||
      (a->range = mem_array(2 * (size_t)side - 1, sizeof *a->range, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < side; i++)
    a->hops[i] = topology_hops(t, 0, i * stride);
  halve_axis(a);
  return OK;
}

static enum status init(struct grid_slots *s, const struct topology *t, struct err *e)
{
  uint32_t stride = 1;
  const uint32_t *side = grid_sides(t, &s->ndims);
  for (uint32_t d = 0; d < s->ndims; stride *= side[d++])
    if (axis_init(&s->axis[d], t, side[d], stride, e) != OK)
      return FAIL;
  if ((s->used = mem_array(s->hosts, sizeof *s->used, e)) == NULL ||
      (s->full = mem_array(2 * (size_t)s->hosts - 1, sizeof *s->full, e)) == NULL)
    return FAIL;
  return OK;
}

enum status grid_slots_new(struct grid_slots **out, const struct topology *t, uint32_t per_host,
                           struct err *e)
{
  struct grid_slots *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  s->hosts = topology_hosts(t);
  s->per_host = per_host;
  if (init(s, t, e) != OK) {
    grid_slots_free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void grid_slots_free(struct grid_slots *s)
{
  for (uint32_t d = 0; s != NULL && d < s->ndims; d++) {
    free(s->axis[d].hops);
    free(s->axis[d].weight);
    free(s->axis[d].range);
  }
  if (s != NULL) {
    free(s->used);
    free(s->full);
  }
  free(s);
}

void grid_slots_pull(struct grid_slots *s, uint32_t host, uint64_t weight)
{
  for (uint32_t d = 0; d < s->ndims; d++) {
    struct axis *a = &s->axis[d];
    a->weight[host / a->stride % a->side] += weight;
  }
}

/* Adds the cost of a pull at coordinate @p c to all coordinates of the axis. */
static void add_costs(struct axis *a, uint32_t c, uint64_t weight)
{
  for (uint32_t i = 0; i < 2 * a->side - 1; i++) {
    struct range *r = &a->range[i];
    if (r->size == 1)
      r->least += weight * a->hops[r->low < c ? c - r->low : r->low - c];
  }
}

/* Computes the least cost of each range of the axis from its pulls, and clears the pulls. */
static void settle(struct axis *a)
{
  for (uint32_t i = 0; i < 2 * a->side - 1; i++)
    a->range[i].least = 0;
  for (uint32_t c = 0; c < a->side; c++)
    if (a->weight[c] != 0)
      add_costs(a, c, a->weight[c]);
  memset(a->weight, 0, a->side * sizeof *a->weight);
  for (uint32_t i = 2 * a->side - 1; i-- > 0;) {
    struct range *r = &a->range[i];
    if (r->size == 1)
      continue;
    const uint64_t lower = a->range[i + 1].least;
    const uint64_t upper = a->range[upper_half(i, r->size / 2)].least;
    r->least = lower < upper ? lower : upper;
  }
}

/* The axis along which the current box is longest; ties go to the last axis. */
static uint32_t longest(const struct grid_slots *s)
{
  uint32_t best = 0;
  for (uint32_t d = 1; d < s->ndims; d++)
    if (s->axis[d].range[s->at[d]].size >= s->axis[best].range[s->at[best]].size)
      best = d;
  return best;
}

/* Halves the current box along axis @p d. */
static void halve_box(const struct grid_slots *s, const struct box *b, uint32_t d,
                      struct box half[2])
{
  const struct axis *a = &s->axis[d];
  const struct range *r = &a->range[s->at[d]];
  const uint32_t lower = r->size / 2, hosts = b->hosts / r->size * lower;
  const uint64_t rest = b->cost - r->least;
  half[0] = (struct box){b->number + 1, hosts, b->low, rest + r[1].least};
  half[1] = (struct box){upper_half(b->number, hosts), b->hosts - hosts, b->low + lower * a->stride,
                         rest + r[2 * lower].least};
}

/* Searches for a better host in box @p b, the half with the smaller lower bound first.  Depth of
 * recursion: the sum over the axes of log2(side), rounded up. */
static void search(struct grid_slots *s, const struct box *b)
{
  if (s->full[b->number] || b->cost > s->best_cost ||
      (b->cost == s->best_cost && b->low >= s->best))
    return;
  if (b->hosts == 1) {
    s->best = b->low;
    s->best_cost = b->cost;
    return;
  }
  const uint32_t d = longest(s), here = s->at[d];
  const uint32_t range[2] = {here + 1, upper_half(here, s->axis[d].range[here].size / 2)};
  struct box half[2];
  halve_box(s, b, d, half);
  const int first = half[1].cost < half[0].cost;
  for (int i = 0; i < 2; i++) {
    s->at[d] = range[first ^ i];
    search(s, &half[first ^ i]);
  }
  s->at[d] = here;
}

/* Takes a slot of @p host in box @p b.  A box is full when both halves are full. */
static void occupy(struct grid_slots *s, const struct box *b, uint32_t host)
{
  if (b->hosts == 1) {
    s->full[b->number] = ++s->used[host] == s->per_host;
    return;
  }
  const uint32_t d = longest(s), here = s->at[d];
  const struct axis *a = &s->axis[d];
  const uint32_t upper = upper_half(here, a->range[here].size / 2);
  const bool is_upper = host / a->stride % a->side >= a->range[upper].low;
  struct box half[2];
  halve_box(s, b, d, half);
  s->at[d] = is_upper ? upper : here + 1;
  occupy(s, &half[is_upper], host);
  s->at[d] = here;
  s->full[b->number] = s->full[half[0].number] && s->full[half[1].number];
}

uint32_t grid_slots_take(struct grid_slots *s)
{
  struct box all = {.hosts = s->hosts};
  for (uint32_t d = 0; d < s->ndims; d++) {
    settle(&s->axis[d]);
    all.cost += s->axis[d].range[0].least;
  }
  s->best = UINT32_MAX;
  s->best_cost = UINT64_MAX;
  search(s, &all);
  occupy(s, &all, s->best);
  return s->best;
}
