#include "tasks/cost.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

void dependence_clear(struct dependence *d)
{
  free(d->start);
  free(d->first);
  free(d->all);
  *d = (struct dependence){0};
}

/* D of element @p k of an array whose producers are finished. */
static double start_of(const struct dependence *d, const struct tasknet *n, uint32_t array,
                       uint32_t k)
{
  const double *lane = tasknet_reads_late(n->array[array].pattern) ? d->first : d->all;
  double start = 0;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++)
    start = fmax(start, lane[tasknet_lane(n, tasknet_input(n, array, i), k)]);
  return start;
}

/* Updates the lane at an end with the dependence costs of element @p k. */
static void offer(struct dependence *d, const struct tasknet *n, const struct tasknet_end *end,
                  uint32_t k)
{
  const struct tasknet_array *a = &n->array[end->array];
  const struct tasknet_cost *c = tasknet_cost_of(n, end->array, k);
  const double start = d->start[a->first + k], out = tasknet_volume(n, end, k);
  double first = start + c->compute + out, all = first;
  if (tasknet_writes_early(a->pattern)) {
    first = start + (c->compute + out) / c->loops;
    all = start + c->compute + out / c->loops;
  }
  const uint32_t lane = tasknet_lane(n, end, k);
  d->first[lane] = fmin(d->first[lane], first);
  d->all[lane] = fmax(d->all[lane], all);
}

enum status dependence_costs(struct dependence *out, const struct tasknet *n, struct err *e)
{
  struct dependence d = {.start = mem_array(n->elements, sizeof *d.start, e)};
  if (d.start == NULL || (d.first = mem_array(n->lanes, sizeof *d.first, e)) == NULL ||
      (d.all = mem_array(n->lanes, sizeof *d.all, e)) == NULL) {
    dependence_clear(&d);
    return FAIL;
  }
  for (uint32_t l = 0; l < n->lanes; l++)
    d.first[l] = INFINITY;
  for (uint32_t i = 0; i < n->arrays; i++) {
    const uint32_t array = n->order[i];
    const struct tasknet_array *a = &n->array[array];
    for (uint32_t k = 0; k < a->count; k++)
      d.start[a->first + k] = start_of(&d, n, array, k);
    for (size_t o = 0; o < tasknet_outputs(n, array); o++)
      for (uint32_t k = 0; k < a->count; k++)
        offer(&d, n, tasknet_output(n, array, o), k);
  }
  *out = d;
  return OK;
}

struct tasknet_cost tasknet_array_sum(const struct tasknet *n, uint32_t array)
{
  const struct tasknet_array *a = &n->array[array];
  struct tasknet_cost sum = {0};
  for (uint32_t k = 0; a->varied && k < a->count; k++) {
    const struct tasknet_cost *c = tasknet_cost_of(n, array, k);
    sum.compute += c->compute;
    sum.in += c->in;
    sum.out += c->out;
    sum.loops = fmax(sum.loops, c->loops);
  }
  if (a->varied)
    return sum;
  return (struct tasknet_cost){a->cost.compute * a->count, a->cost.in * a->count,
                               a->cost.out * a->count, a->cost.loops};
}

double tasknet_stream_volume(const struct tasknet *n, uint32_t stream)
{
  const struct tasknet_stream *s = &n->stream[stream];
  double sum = 0;
  for (uint32_t l = 0; l < s->width; l++)
    sum += n->volume[s->first_lane + l];
  return sum;
}

/* The longest path that ends with element @p k.  @p lane: the longest path before each lane. */
static double path_of(const double *lane, const struct tasknet *n, uint32_t array, uint32_t k)
{
  double before = 0;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++)
    before = fmax(before, lane[tasknet_lane(n, tasknet_input(n, array, i), k)]);
  return before + tasknet_cost_of(n, array, k)->compute;
}

enum status tasknet_critical_path(const struct tasknet *n, double *out, struct err *e)
{
  OWNED double *lane = mem_array(n->lanes, sizeof *lane, e);
  double longest = 0;
  for (uint32_t i = 0; lane != NULL && i < n->arrays; i++) {
    const uint32_t array = n->order[i];
    for (uint32_t k = 0; k < n->array[array].count; k++) {
      const double path = path_of(lane, n, array, k);
      longest = fmax(longest, path);
      for (size_t o = 0; o < tasknet_outputs(n, array); o++) {
        const uint32_t at = tasknet_lane(n, tasknet_output(n, array, o), k);
        lane[at] = fmax(lane[at], path);
      }
    }
  }
  if (lane == NULL)
    return FAIL;
  *out = longest;
  return OK;
}
