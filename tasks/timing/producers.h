/** @file producers.h
 *  Iterates over the producers of a lane without building a list.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tasks/tasknet.h"

/** For lanes of at most this number of producers, each consumer examines all producers.  For wider
 *  lanes the results are stored. */
#define PRODUCERS_FEW 8

/** True if each lane of the stream has more than PRODUCERS_FEW producers.  O(1). */
static inline bool producers_are_many(const struct tasknet *n, uint32_t stream)
{
  const struct tasknet_stream *s = &n->stream[stream];
  uint64_t sum = 0;
  for (uint32_t i = 0; i < s->producers && sum <= PRODUCERS_FEW; i++)
    sum += n->array[n->producer[s->from + i].array].count / s->width;
  return sum > PRODUCERS_FEW;
}

/** State of an iteration over the producers of a lane. */
struct producers {
  const struct tasknet *n;
  const struct tasknet_stream *s;
  uint32_t lane;       /**< numbered in the network */
  uint32_t ends;       /**< number of ends of the stream visited */
  uint32_t next, left; /**< next element of the current end; number left */
};

static inline struct producers producers_of(const struct tasknet *n, uint32_t stream, uint32_t lane)
{
  return (struct producers){.n = n, .s = &n->stream[stream], .lane = lane};
}

/** Moves to the next producer and returns its end.  NULL after the last. */
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
