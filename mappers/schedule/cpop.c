/* CPOP (Topcuoglu, Hariri, Wu 2002): takes ready elements by falling sum of upward and downward
 * rank.  All elements of a critical path run on the host that takes least time for them, the others
 * on the host where they end first. */
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "mappers/schedule/eft.h"

struct cpop {
  const struct scheduler_input *in;
  struct order_weights w;
  double *work, *up, *key;
  bool *critical; /* by element: it is on the critical path */
  uint32_t host;  /* host of the critical path */
};

static void cpop_clear(struct cpop *c)
{
  free(c->work);
  free(c->up);
  free(c->key);
  free(c->critical);
}

static enum status cpop_new(struct cpop *c, struct err *e)
{
  const struct tasknet *n = c->in->net;
  if ((c->up = mem_array(n->elements, sizeof *c->up, e)) == NULL ||
      (c->key = mem_array(n->elements, sizeof *c->key, e)) == NULL ||
      (c->critical = mem_array(n->elements, sizeof *c->critical, e)) == NULL ||
      eft_weights(c->in, &c->w, &c->work, e) != OK || order_rank_up(n, &c->w, c->up, e) != OK ||
      order_rank_down(n, &c->w, c->key, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++)
    c->key[i] = -(c->key[i] + c->up[i]);
  return OK;
}

/* The first consumer with the highest upward rank. */
static uint32_t heaviest(const struct cpop *c, const struct tasknet_end *end, uint32_t lane)
{
  const struct tasknet *n = c->in->net;
  const struct tasknet_stream *s = &n->stream[end->stream];
  uint32_t best = TASKNET_NONE, element;
  for (uint32_t i = 0; i < s->consumers; i++) {
    const struct tasknet_end *to = &n->consumer[s->to + i];
    for (uint32_t k = tasknet_lane_elements(n, to, lane - s->first_lane, &element); k > 0; k--) {
      if (best == TASKNET_NONE || c->up[element] > c->up[best])
        best = element;
      element++;
    }
  }
  return best;
}

/* The successor of an element on its longest path to an end; TASKNET_NONE: it has none. */
static uint32_t follow(const struct cpop *c, uint32_t element)
{
  const struct tasknet *n = c->in->net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  uint32_t best = TASKNET_NONE;
  double longest = -1;
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    const uint32_t next = heaviest(c, end, tasknet_lane(n, end, k));
    const double length = tasknet_volume(n, end, k) * c->w.gap + c->up[next];
    if (length > longest) {
      longest = length;
      best = next;
    }
  }
  return best;
}

/* Follows a critical path, sums up its time on each class, and chooses its host. */
static enum status find_path(struct cpop *c, struct err *e)
{
  const struct farm *m = c->in->farm;
  double *takes = mem_array(m->classes, sizeof *takes, e);
  uint32_t at = 0;
  if (takes == NULL)
    return FAIL;
  for (uint32_t i = 1; i < c->in->net->elements; i++)
    if (c->up[i] > c->up[at])
      at = i;
  for (; at != TASKNET_NONE; at = follow(c, at)) {
    c->critical[at] = true;
    for (uint32_t k = 0; k < m->classes; k++)
      takes[k] += farm_seconds(m, at, tasknet_element_cost(c->in->net, at)->compute, k);
  }
  for (uint32_t h = 1; h < m->hosts; h++)
    if (takes[m->class_of[h]] < takes[m->class_of[c->host]])
      c->host = h;
  free(takes);
  return OK;
}

static enum status place_all(struct cpop *c, struct eft *t, uint32_t *order, struct err *e)
{
  const struct tasknet *n = c->in->net;
  if (order_by_key(n, c->key, order, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++)
    if (eft_place(t, order[i], NULL, c->critical[order[i]] ? c->host : EFT_ANY, e) != OK)
      return FAIL;
  return order_by_key(n, t->start, order, e);
}

static enum status schedule_critical(const struct scheduler_input *in, uint32_t *host,
                                     uint32_t *order, struct err *e)
{
  struct cpop c = {.in = in};
  struct eft t = {.in = in};
  enum status s = cpop_new(&c, e);
  if (s == OK)
    s = find_path(&c, e);
  if (s == OK)
    s = eft_new(&t, in, host, e);
  if (s == OK)
    s = place_all(&c, &t, order, e);
  eft_clear(&t);
  cpop_clear(&c);
  return s;
}

const struct scheduler schedule_cpop = {
    .name = "cpop",
    .help = "a critical path on one host, the others where they finish first (Topcuoglu et al.)",
    .run = schedule_critical,
};
