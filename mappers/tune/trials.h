/** @file trials.h
 *  Simulates mappings for a mapper, some at once, and counts what that takes.
 */
#ifndef MAPPERS_TUNE_TRIALS_H
#define MAPPERS_TUNE_TRIALS_H

#include <stdbool.h>

#include "mappers/mapper.h"
#include "mappers/simulator.h"

/** Trials that are simulated at once, whatever the number of threads. */
#define TRIALS_BATCH 8

/** The last point of a run: its end. */
#define TRIALS_END (MAPPER_POINTS - 1)

/** Work is counted in these parts of a whole run. */
#define TRIALS_RUN (UINT64_C(1) << TRIALS_END)

struct trials {
  const struct mapper_input *in;
  uint32_t threads;
  uint64_t work, most;     /**< done and allowed; the latter UINT64_MAX: no limit */
  double start_s, seconds; /**< begun, and allowed; the latter INFINITY: no limit */
  struct mapper_trial trial[TRIALS_BATCH];
  uint32_t *host[TRIALS_BATCH]; /**< by rank, of each trial; owned */
  uint32_t count;               /**< in the batch */
};

/** On success the caller's: trials_clear(). */
enum status trials_new(struct trials *t, const struct mapper_input *in, struct err *e);

void trials_clear(struct trials *t);

/** The part of the work or time that is used up: 1 or more at the end. */
double trials_share(const struct trials *t);

/** Adds a trial of the mapping that gives rank r slot @p at[r] to the batch; without limits, to
 *  point @p stop.  The caller may lower the limits of the one that is returned. */
struct mapper_trial *trials_add(struct trials *t, const uint32_t *at, uint32_t stop);

/** Simulates the batch; the next trials_add() begins another one. */
enum status trials_run(struct trials *t, struct err *e);

/** The time of trial @p i of the batch at the point where it was to stop; INFINITY: not reached. */
double trials_time(const struct trials *t, uint32_t i);

#endif
