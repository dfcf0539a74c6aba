/** @file trials.h
 *  Simulates mappings for a mapper in batches, and counts the work.
 */
#pragma once

#include "mappers/mapper.h"
#include "mappers/simulator.h"

/** Trials in a batch.  A constant, so that results do not depend on the number of threads. */
#define TRIALS_BATCH 8

/** The relative change of a simulated time that rounding alone may cause (docs/validation.md). */
#define TRIALS_CHAOS 1.5e-3

/** The work of a simulation with attribution, in simulations. */
#define TRIALS_BLAME 1.5

struct trials {
  const struct mapper_input *in;
  uint32_t threads;
  double runs, most;       /**< simulations so far, with parts of simulations added up; limit of
                                `runs` */
  double start_s, seconds; /**< time of trials_new(); limit of the elapsed time.  INFINITY: none */
  struct mapper_trial trial[TRIALS_BATCH];
  uint32_t *hosts; /**< by trial and rank; owned */
  uint32_t count;  /**< trials in the batch */
};

/** The caller frees @p t with trials_clear(). */
enum status trials_new(struct trials *t, const struct mapper_input *in, struct err *e);

void trials_clear(struct trials *t);

/** The used share of the runs or of the time, the larger of the two.  1 or more: used up. */
double trials_share(const struct trials *t);

/** Adds a trial up to point @p stop to the batch: the mapping with rank r in slot @p at[r].  Its
 *  limits of time are INFINITY; the caller may lower them in the returned struct. */
struct mapper_trial *trials_add(struct trials *t, const uint32_t *at, uint32_t stop);

/** The same for the mapping with rank r on host @p host[r]. */
struct mapper_trial *trials_add_hosts(struct trials *t, const uint32_t *host, uint32_t stop);

/** Simulates the batch.  The next trials_add() begins a new batch. */
enum status trials_run(struct trials *t, struct err *e);

/** Simulates the mapping with rank r in slot @p at[r], and sets *blame to the times of pairs of
 *  ranks under it (simulator.h), which the caller frees.  Counts as TRIALS_BLAME runs.  If the
 *  simulator allows no attribution, sets *count to 0 and counts nothing. */
enum status trials_blame(struct trials *t, const uint32_t *at, struct mapper_blame **blame,
                         size_t *count, struct err *e);

/** The time at which trial @p i of the last batch reached its last point; INFINITY: not reached. */
double trials_time(const struct trials *t, uint32_t i);
