/** @file abstract.h
 *  Executes a scheduled task network in the abstract model of the MegaScript paper (5.1), event by
 *  event.  Each host runs one element at a time, in its order, and waits for an element that cannot
 *  start yet.  Data takes volume / bandwidth between two hosts and no time within one; links are
 *  never contended.  Elements take the times of tasks/timing/dates.h.  In addition, hosts may
 *  steal, and competing tasks may slow down the hosts and communications of a farm (farm_load()).
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "sim/tasknet/steal.h"
#include "tasks/tasknet.h"
#include "tasks/timing/dates.h"
#include "tasks/timing/farm.h"

/** Input of an execution; owned by the caller. */
struct abstract_input {
  const struct tasknet *net;
  const struct farm *farm; /**< with its load, if any */
  const struct dates_plan *plan;
  const uint32_t *cluster; /**< by host: the cluster from which it steals first */
  const struct steal_policy *steal;
  uint64_t seed; /**< seed of the draws of victims */
};

/** Result of an execution; arrays by element.  The caller frees it with abstract_clear(). */
struct abstract_run {
  uint32_t *host;      /**< host that ran it */
  double *start, *end; /**< dates in s; NAN before */
  double makespan_s;
  uint64_t steals; /**< number of thefts */
  uint64_t stolen; /**< stolen elements, counted at each theft */
};

/** Fails for the plans that dates_compute() rejects.  Equal inputs give equal runs. */
enum status abstract_execute(const struct abstract_input *in, struct abstract_run *out,
                             struct err *e);

/** Allocates a run of @p elements elements, none of which has run. */
enum status abstract_new(struct abstract_run *r, uint32_t elements, struct err *e);

/** Accepts a zeroed run. */
void abstract_clear(struct abstract_run *r);
