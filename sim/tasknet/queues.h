/** @file queues.h
 *  The elements that each host of an execution has yet to run, in order.  Other hosts may steal
 *  them (steal.h).  Knows no time.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "sim/tasknet/steal.h"
#include "tasks/tasknet.h"
#include "tasks/timing/dates.h"

/** No element. */
#define QUEUES_NOTHING UINT32_MAX

struct queues_host {
  uint32_t first;   /**< next element, or QUEUES_NOTHING */
  uint32_t count;   /**< elements that have not begun */
  uint32_t running; /**< running element, or QUEUES_NOTHING */
};

/** Input of queues_new(); owned by the caller. */
struct queues_input {
  const struct tasknet *net;
  const struct dates_plan *plan;
  const uint32_t *cluster; /**< by host: the cluster from which it steals first */
  const struct steal_policy *steal;
  uint32_t hosts;
  uint64_t seed; /**< seed of the draws of victims */
};

/** The caller frees it with queues_clear(). */
struct queues {
  struct queues_input in;
  uint32_t *ran;            /**< by element: its current host; owned by the caller */
  struct queues_host *host; /**< by host */
  uint32_t *next;           /**< by element: the next element on its host */
  struct steal_victims victims;
  struct steal_groups groups; /**< only if the policy needs them */
  struct rng rng;
  uint32_t *loot; /**< the elements of the last victim, in its order */
  bool *taken;    /**< by index in loot[]: has been stolen */
};

/** Fills the queues, and @p ran of net->elements entries, from the plan. */
enum status queues_new(struct queues *q, const struct queues_input *in, uint32_t *ran,
                       struct err *e);

void queues_clear(struct queues *q);

/** Lets a host begin its first element, which is returned. */
uint32_t queues_begin(struct queues *q, uint32_t host);

/** A theft: the victim's elements are in loot[0 .. count - 1]; taken[] marks the stolen ones. */
struct queues_theft {
  uint32_t victim;
  uint32_t count, taken;
};

/** Lets a host that has no elements left steal; false if there is no victim. */
bool queues_steal(struct queues *q, uint32_t thief, struct queues_theft *out);
