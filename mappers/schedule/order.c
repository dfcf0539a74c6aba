#include "mappers/schedule/order.h"

#include <math.h>

#include "common/arena.h"
#include "common/containers/heap.h"
#include "tasks/timing/waiting.h"

/* --- orders ----------------------------------------------------------------------------------- */

struct taking {
  const double *key;
  struct heap ready;
};

static void released(void *taking, uint32_t element)
{
  struct taking *t = taking;
  heap_set_key(&t->ready, element, t->key[element]);
}

enum status order_by_key(const struct tasknet *n, const double *key, uint32_t *order, struct err *e)
{
  struct taking t = {.key = key};
  struct waiting p;
  if (waiting_new(&p, n, e) != OK)
    return FAIL;
  const enum status s = heap_reserve(&t.ready, n->elements, e);
  for (uint32_t i = 0; s == OK && i < n->elements; i++)
    if (p.waits[i] == 0)
      released(&t, i);
  for (uint32_t i = 0; s == OK && i < n->elements; i++) {
    order[i] = heap_first(&t.ready);
    heap_remove(&t.ready, order[i]);
    waiting_done(&p, order[i], released, &t);
  }
  heap_clear(&t.ready);
  waiting_clear(&p);
  return s;
}

/* --- ranks ------------------------------------------------------------------------------------ */

static double up_from(const struct tasknet *n, const struct order_weights *w, const double *lane,
                      uint32_t array, uint32_t k)
{
  double longest = 0;
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    const double sent = tasknet_volume(n, end, k) * w->gap;
    longest = fmax(longest, sent + lane[tasknet_lane(n, end, k)]);
  }
  return longest + w->work[n->array[array].first + k];
}

enum status order_rank_up(const struct tasknet *n, const struct order_weights *w, double *rank,
                          struct err *e)
{
  ARENA(mem, e);
  double *lane = arena_array(&mem, n->lanes, sizeof *lane); /* greatest rank of its consumers */
  for (uint32_t i = n->arrays; lane != NULL && i-- > 0;) {
    const uint32_t array = n->order[i];
    for (uint32_t k = 0; k < n->array[array].count; k++) {
      const double up = up_from(n, w, lane, array, k);
      rank[n->array[array].first + k] = up;
      for (size_t o = 0; o < tasknet_inputs(n, array); o++) {
        const uint32_t at = tasknet_lane(n, tasknet_input(n, array, o), k);
        lane[at] = fmax(lane[at], up);
      }
    }
  }
  return arena_status(&mem);
}

static void tell_down(const struct tasknet *n, const struct order_weights *w, double *lane,
                      uint32_t array, uint32_t k, double down)
{
  const double done = down + w->work[n->array[array].first + k];
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    const uint32_t at = tasknet_lane(n, end, k);
    lane[at] = fmax(lane[at], done + tasknet_volume(n, end, k) * w->gap);
  }
}

enum status order_rank_down(const struct tasknet *n, const struct order_weights *w, double *rank,
                            struct err *e)
{
  ARENA(mem, e);
  double *lane = arena_array(&mem, n->lanes, sizeof *lane); /* arrival of all of its data */
  for (uint32_t i = 0; lane != NULL && i < n->arrays; i++) {
    const uint32_t array = n->order[i];
    for (uint32_t k = 0; k < n->array[array].count; k++) {
      double down = 0;
      for (size_t o = 0; o < tasknet_inputs(n, array); o++)
        down = fmax(down, lane[tasknet_lane(n, tasknet_input(n, array, o), k)]);
      rank[n->array[array].first + k] = down;
      tell_down(n, w, lane, array, k, down);
    }
  }
  return arena_status(&mem);
}
