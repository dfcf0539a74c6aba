/** @file abstract.h
 *  Executes a scheduled task network in the abstract model of the paper (5.1), event by event:
 *  hosts run one element at a time, in their order, and wait for those that cannot start yet;
 *  data takes volume / bandwidth between two hosts and no time within one; nobody waits for a
 *  link.  Elements take the times of tasks/timing/dates.h; what is more is stealing, and a farm
 *  whose hosts and communications are slowed down by competing tasks (farm_load()).
 */
#ifndef SIM_TASKNET_ABSTRACT_H
#define SIM_TASKNET_ABSTRACT_H

#include <stdint.h>

#include "common/err.h"
#include "sim/tasknet/steal.h"
#include "tasks/tasknet.h"
#include "tasks/timing/dates.h"
#include "tasks/timing/farm.h"

/** What is executed, and where; the caller's. */
struct abstract_input {
  const struct tasknet *net;
  const struct farm *farm; /**< loaded, if there is load */
  const struct dates_plan *plan;
  const uint32_t *cluster; /**< by host: whom it steals from first */
  const struct steal_policy *steal;
  uint64_t seed; /**< of the draws of victims */
};

/** By element.  Owned: abstract_clear(). */
struct abstract_run {
  uint32_t *host; /**< that ran it */
  double *start, *end;
  double makespan_s;
  uint64_t steals; /**< how often a host stole */
  uint64_t stolen; /**< elements, each time that it happened to them */
};

/** Refuses plans that dates_compute() refuses.  Same input, same run. */
enum status abstract_execute(const struct abstract_input *in, struct abstract_run *out,
                             struct err *e);

/** Of so many elements, none of which has run. */
enum status abstract_new(struct abstract_run *r, uint32_t elements, struct err *e);

/** Accepts a zeroed run. */
void abstract_clear(struct abstract_run *r);

#endif
