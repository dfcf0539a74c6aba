#include "tasks/timing/waiting.h"

#include <stdlib.h>

#include "common/mem.h"

void waiting_clear(struct waiting *p)
{
  free(p->left);
  free(p->waits);
  *p = (struct waiting){0};
}

enum status waiting_new(struct waiting *p, const struct tasknet *n, struct err *e)
{
  struct waiting made = {.n = n, .left = mem_array(n->lanes, sizeof *made.left, e)};
  if (made.left == NULL || (made.waits = mem_array(n->elements, sizeof *made.waits, e)) == NULL) {
    waiting_clear(&made);
    return FAIL;
  }
  for (uint32_t i = 0; i < n->producers; i++) {
    const struct tasknet_end *end = &n->producer[i];
    const struct tasknet_stream *s = &n->stream[end->stream];
    for (uint32_t l = 0; l < s->width; l++)
      made.left[s->first_lane + l] += n->array[end->array].count / s->width;
  }
  for (uint32_t i = 0; i < n->elements; i++)
    made.waits[i] = (uint32_t)tasknet_inputs(n, n->array_of[i]);
  *p = made;
  return OK;
}

static void release_lane(struct waiting *p, const struct tasknet_end *end, uint32_t lane,
                         waiting_released *released, void *data)
{
  const struct tasknet_stream *s = &p->n->stream[end->stream];
  for (uint32_t i = 0; i < s->consumers; i++) {
    const struct tasknet_end *to = &p->n->consumer[s->to + i];
    uint32_t element;
    for (uint32_t k = tasknet_lane_elements(p->n, to, lane - s->first_lane, &element); k > 0; k--)
      waiting_release(p, element++, released, data);
  }
}

void waiting_done(struct waiting *p, uint32_t element, waiting_released *released, void *data)
{
  const struct tasknet *n = p->n;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    const uint32_t lane = tasknet_lane(n, end, k);
    if (--p->left[lane] == 0)
      release_lane(p, end, lane, released, data);
  }
}
