/* CPOP (Topcuoglu, Hariri, Wu 2002): takes ready elements by falling sum of upward and downward
 * rank.  All elements of a critical path run on the host that takes least time for them, the others
 * on the host where they end first. */

#include "mappers/schedule/eft.h"

struct cpop {
  const struct scheduler_input *in;
  struct order_weights w;
  double *up, *key;
  bool *critical; /* by element: it is on the critical path */
  uint32_t host;  /* host of the critical path */
};

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
  ARENA(mem, e);
  double *takes = arena_array(&mem, m->classes, sizeof *takes);
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
  return OK;
}

static enum status schedule_critical(const struct scheduler_input *in, uint32_t *host,
                                     uint32_t *order, struct err *e)
{
  ARENA(mem, e);
  const uint32_t elements = in->net->elements;
  struct cpop c = {.in = in,
                   .up = arena_array(&mem, elements, sizeof *c.up),
                   .key = arena_array(&mem, elements, sizeof *c.key),
                   .critical = arena_array(&mem, elements, sizeof *c.critical)};
  struct eft t;
  if (eft_weights(in, &c.w, &mem) != OK || order_rank_up(in->net, &c.w, c.up, e) != OK ||
      order_rank_down(in->net, &c.w, c.key, e) != OK || find_path(&c, e) != OK ||
      eft_new(&t, in, host, &mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < elements; i++)
    c.key[i] = -(c.key[i] + c.up[i]);
  t.fixed = c.critical;
  t.fixed_host = c.host;
  const enum status s = eft_place_all(&t, c.key, order, e);
  eft_clear(&t);
  return s;
}

const struct scheduler schedule_cpop = {
    .name = "cpop",
    .help = "a critical path on one host, other tasks where they finish first (Topcuoglu et al.)",
    .run = schedule_critical,
};
