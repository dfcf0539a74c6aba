#include "mappers/schedule/peft.h"

#include <math.h>

#include "mappers/schedule/eft.h"

/* Time from the writing of a volume to a lane until the consumers and their descendants have ended,
 * by class of the writer's host.  Remembers the last lane and volume. */
struct after {
  const struct scheduler_input *in;
  double gap;
  const double *oct;
  double *value;
  uint32_t lane; /* TASKNET_NONE: none yet */
  double volume;
};

/* Adds a consumer, which runs on the writer's host, or, after a transfer of the data, on the best
 * host. */
static void add_consumer(struct after *x, uint32_t element, double travel)
{
  const struct farm *m = x->in->farm;
  const double work = tasknet_element_cost(x->in->net, element)->compute;
  const double *oct = &x->oct[(size_t)element * m->classes];
  double best = INFINITY;
  for (uint32_t c = 0; c < m->classes; c++)
    best = fmin(best, oct[c] + farm_seconds(x->in->farm, element, work, c));
  for (uint32_t c = 0; c < m->classes; c++) {
    const double here = oct[c] + farm_seconds(m, element, work, c);
    x->value[c] = fmax(x->value[c], fmin(here, best + travel));
  }
}

static void look_after(struct after *x, const struct tasknet_end *end, uint32_t lane, double volume)
{
  const struct tasknet *n = x->in->net;
  const struct tasknet_stream *s = &n->stream[end->stream];
  if (lane == x->lane && volume == x->volume)
    return;
  x->lane = lane;
  x->volume = volume;
  for (uint32_t c = 0; c < x->in->farm->classes; c++)
    x->value[c] = 0;
  for (uint32_t i = 0; i < s->consumers; i++) {
    const struct tasknet_end *to = &n->consumer[s->to + i];
    uint32_t element;
    for (uint32_t k = tasknet_lane_elements(n, to, lane - s->first_lane, &element); k > 0; k--)
      add_consumer(x, element++, volume * x->gap);
  }
}

enum status peft_table(const struct scheduler_input *in, double gap, double *oct, struct err *e)
{
  const struct tasknet *n = in->net;
  const uint32_t classes = in->farm->classes;
  struct after x = {.in = in, .gap = gap, .oct = oct, .lane = TASKNET_NONE};
  ARENA(mem, e);
  if ((x.value = arena_array(&mem, classes, sizeof *x.value)) == NULL)
    return FAIL;
  for (size_t i = 0; i < (size_t)n->elements * classes; i++)
    oct[i] = 0;
  for (uint32_t i = n->arrays; i-- > 0;) {
    const uint32_t array = n->order[i];
    for (size_t o = 0; o < tasknet_outputs(n, array); o++) {
      const struct tasknet_end *end = tasknet_output(n, array, o);
      for (uint32_t k = 0; k < n->array[array].count; k++) {
        double *own = &oct[(size_t)(n->array[array].first + k) * classes];
        look_after(&x, end, tasknet_lane(n, end, k), tasknet_volume(n, end, k));
        for (uint32_t c = 0; c < classes; c++)
          own[c] = fmax(own[c], x.value[c]);
      }
    }
  }
  return OK;
}

/* --- scheduler -------------------------------------------------------------------------------- */

static enum status schedule_optimistic(const struct scheduler_input *in, uint32_t *host,
                                       uint32_t *order, struct err *e)
{
  ARENA(mem, e);
  const struct farm *m = in->farm;
  struct eft t;
  double *oct = arena_array(&mem, (size_t)in->net->elements * m->classes, sizeof *oct);
  double *key = arena_array(&mem, in->net->elements, sizeof *key);
  if (arena_status(&mem) != OK || peft_table(in, 1 / farm_mean_bandwidth(m), oct, e) != OK ||
      eft_new(&t, in, host, &mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < in->net->elements; i++) {
    double sum = 0;
    for (uint32_t c = 0; c < m->classes; c++)
      sum += m->size[c] * oct[(size_t)i * m->classes + c];
    key[i] = -sum / m->hosts;
  }
  t.bias = oct;
  const enum status s = eft_place_all(&t, key, order, e);
  eft_clear(&t);
  return s;
}

const struct scheduler schedule_peft = {
    .name = "peft",
    .help = "each task where it and its dependants may finish first (Arabnejad, Barbosa)",
    .run = schedule_optimistic,
};
