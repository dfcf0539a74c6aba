/** @file queues.h
 *  What the hosts of an execution have yet to run: each its elements in order, of which others may
 *  steal (steal.h).  Knows no time.
 */
#ifndef SIM_TASKNET_QUEUES_H
#define SIM_TASKNET_QUEUES_H

#include <stdint.h>

#include "common/err.h"
#include "sim/tasknet/steal.h"
#include "tasks/tasknet.h"
#include "tasks/timing/dates.h"

#define QUEUES_NOTHING UINT32_MAX

struct queues_host {
  uint32_t first;   /**< element that is next, or QUEUES_NOTHING */
  uint32_t count;   /**< elements that have not begun */
  uint32_t running; /**< or QUEUES_NOTHING */
};

/** What queues are made of; the caller's. */
struct queues_input {
  const struct tasknet *net;
  const struct dates_plan *plan;
  const uint32_t *cluster; /**< by host: whom it steals from first */
  const struct steal_policy *steal;
  uint32_t hosts;
  uint64_t seed; /**< of the draws of victims */
};

/** Owned: queues_clear(). */
struct queues {
  struct queues_input in;
  uint32_t *ran;            /**< by element: the host that it is on now; the caller's */
  struct queues_host *host; /**< by host */
  uint32_t *next;           /**< by element: the next one on its host */
  struct steal_rich rich;
  struct steal_groups groups; /**< if the policy needs them */
  struct rng rng;
  uint32_t *loot; /**< the elements of the last victim, in its order */
  bool *taken;    /**< which of them have been stolen */
};

/** Fills the queues and @p ran, net->elements entries, by the plan. */
enum status queues_new(struct queues *q, const struct queues_input *in, uint32_t *ran,
                       struct err *e);

void queues_clear(struct queues *q);

/** A host begins its first element, which is returned. */
uint32_t queues_begin(struct queues *q, uint32_t host);

/** A theft: the elements are in loot[0 .. count - 1], marked in taken[]. */
struct queues_theft {
  uint32_t victim;
  uint32_t count, taken;
};

/** Has a host that has nothing left steal; false: there is nobody to steal from. */
bool queues_steal(struct queues *q, uint32_t thief, struct queues_theft *out);

#endif
