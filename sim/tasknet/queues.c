#include "sim/tasknet/queues.h"

#include <stdlib.h>

#include "common/mem.h"

void queues_clear(struct queues *q)
{
  free(q->host);
  free(q->next);
  steal_victims_clear(&q->victims);
  steal_groups_clear(&q->groups);
  free(q->loot);
  free(q->taken);
  *q = (struct queues){0};
}

static enum status new_arrays(struct queues *q, struct err *e)
{
  const uint32_t elements = q->in.net->elements;
  if ((q->host = mem_array(q->in.hosts, sizeof *q->host, e)) == NULL ||
      (q->next = mem_array(elements, sizeof *q->next, e)) == NULL ||
      (q->loot = mem_array(elements, sizeof *q->loot, e)) == NULL ||
      (q->taken = mem_array(elements, sizeof *q->taken, e)) == NULL ||
      steal_victims_new(&q->victims, q->in.cluster, q->in.hosts, e) != OK)
    return FAIL;
  return q->in.steal->together ? steal_groups_new(&q->groups, q->in.net, e) : OK;
}

/* Chains the elements of each host; q->loot is scratch memory here. */
static enum status fill(struct queues *q, struct err *e)
{
  OWNED uint32_t *first = mem_array((size_t)q->in.hosts + 1, sizeof *first, e);
  if (first == NULL)
    return FAIL;
  const enum status s = dates_queues(q->in.net, q->in.hosts, q->in.plan, q->loot, first, e);
  for (uint32_t h = 0; s == OK && h < q->in.hosts; h++) {
    const uint32_t from = first[h], to = first[h + 1];
    q->host[h] =
        (struct queues_host){from < to ? q->loot[from] : QUEUES_NOTHING, to - from, QUEUES_NOTHING};
    for (uint32_t i = from; i < to; i++)
      q->next[q->loot[i]] = i + 1 < to ? q->loot[i + 1] : QUEUES_NOTHING;
    steal_victims_set(&q->victims, h, to - from >= 2);
  }
  return s;
}

enum status queues_new(struct queues *q, const struct queues_input *in, uint32_t *ran,
                       struct err *e)
{
  struct queues made = {.in = *in, .ran = ran, .rng = rng_new(in->seed, 0)};
  if (new_arrays(&made, e) != OK || fill(&made, e) != OK) {
    queues_clear(&made);
    return FAIL;
  }
  for (uint32_t i = 0; i < in->net->elements; i++)
    ran[i] = in->plan->host[i];
  *q = made;
  return OK;
}

uint32_t queues_begin(struct queues *q, uint32_t host)
{
  struct queues_host *x = &q->host[host];
  x->running = x->first;
  x->first = q->next[x->running];
  steal_victims_set(&q->victims, host, --x->count >= 2);
  return x->running;
}

/* Gives the marked elements of q->loot to the thief and the others back to the victim, in their
 * order. */
static void divide(struct queues *q, uint32_t thief, const struct queues_theft *theft)
{
  uint32_t *link[2] = {&q->host[theft->victim].first, &q->host[thief].first};
  for (uint32_t i = 0; i < theft->count; i++) {
    const uint32_t element = q->loot[i];
    *link[q->taken[i]] = element;
    link[q->taken[i]] = &q->next[element];
    if (q->taken[i])
      q->ran[element] = thief;
  }
  *link[0] = *link[1] = QUEUES_NOTHING;
}

bool queues_steal(struct queues *q, uint32_t thief, struct queues_theft *out)
{
  struct queues_theft theft = {0};
  if (!steal_victims_draw(&q->victims, q->in.steal, thief, &q->rng, &theft.victim))
    return false;
  for (uint32_t i = q->host[theft.victim].first; i != QUEUES_NOTHING; i = q->next[i])
    q->loot[theft.count++] = i;
  theft.taken = steal_choose(q->in.steal->together ? &q->groups : NULL, q->in.net, q->loot,
                             theft.count, q->taken);
  divide(q, thief, &theft);
  q->host[theft.victim].count -= theft.taken;
  q->host[thief].count = theft.taken;
  steal_victims_set(&q->victims, theft.victim, q->host[theft.victim].count >= 2);
  steal_victims_set(&q->victims, thief, theft.taken >= 2);
  *out = theft;
  return true;
}
