/** @file producers.h
 *  The producers of a lane, one after the other, without a list of them.
 */
#ifndef TASKS_TIMING_PRODUCERS_H
#define TASKS_TIMING_PRODUCERS_H

#include <stdbool.h>
#include <stdint.h>

#include "tasks/tasknet.h"

/** Lanes of at most so many producers are looked through for each consumer; of wider ones, what
 *  consumers need is kept. */
#define PRODUCERS_FEW 8

/** Has each lane of the stream more than PRODUCERS_FEW of them?  O(1). */
static inline bool producers_are_many(const struct tasknet *n, uint32_t stream)
{
  const struct tasknet_stream *s = &n->stream[stream];
  uint64_t sum = 0;
  for (uint32_t i = 0; i < s->producers && sum <= PRODUCERS_FEW; i++)
    sum += n->array[n->producer[s->from + i].array].count / s->width;
  return sum > PRODUCERS_FEW;
}

/** Where a walk over the producers of a lane is. */
struct producers {
  const struct tasknet *n;
  const struct tasknet_stream *s;
  uint32_t lane;       /**< of the network */
  uint32_t ends;       /**< of the stream, that have been begun */
  uint32_t next, left; /**< of the end that is walked over */
};

static inline struct producers producers_of(const struct tasknet *n, uint32_t stream, uint32_t lane)
{
  return (struct producers){.n = n, .s = &n->stream[stream], .lane = lane};
}

/** The next one, and the end that it is at; NULL: there is none. */
static inline const struct tasknet_end *producers_next(struct producers *p, uint32_t *element)
{
  while (p->left == 0) {
    if (p->ends == p->s->producers)
      return NULL;
    const struct tasknet_end *end = &p->n->producer[p->s->from + p->ends++];
    p->left = tasknet_lane_elements(p->n, end, p->lane - p->s->first_lane, &p->next);
  }
  p->left--;
  *element = p->next++;
  return &p->n->producer[p->s->from + p->ends - 1];
}

#endif
