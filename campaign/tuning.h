/** @file tuning.h
 *  How long each algorithm of collectives takes under a mapping, by size: one simulation each, and
 *  what the fastest are.
 */
#ifndef CAMPAIGN_TUNING_H
#define CAMPAIGN_TUNING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "sim/sim.h"
#include "traces/collectives/collective.h"

/** Largest size of a collective that can be simulated, in bytes. */
#define TUNING_MOST_BYTES INT32_MAX

struct tuning_spec {
  const struct platform *platform;
  const struct mapping *mapping; /**< whose ranks call the collectives */
  const struct sim_options *sim;
  bool wanted[COLLECTIVE_KINDS]; /**< by kind less ACTION_BARRIER */
  uint64_t from, to;             /**< sizes in bytes, 1 <= from <= to; both are simulated */
  uint32_t factor;               /**< from one to the next, at least 2 */
  uint32_t parallel;             /**< processes at a time; changes no result */
};

/** One simulation. */
struct tuning_run {
  enum action_kind kind;
  uint32_t algorithm; /**< see collective_algorithm() */
  uint64_t bytes;     /**< of the collective; of a barrier 0 */
  double time_s;      /**< NAN: it failed */
  double slowdown;    /**< time over that of the fastest algorithm of the same size */
  uint64_t messages, sent_bytes;
  char why[128]; /**< it failed */
};

/** In the order of collectives, sizes and algorithms. */
struct tuning {
  uint32_t ranks;
  uint32_t runs;
  struct tuning_run *run; /**< owned */
};

/** Simulates all algorithms of the collectives that are wanted.  One whose simulation fails is no
 *  error.  The caller's: tuning_clear(). */
enum status tuning_simulate(struct tuning *out, const struct tuning_spec *s, struct err *e);

void tuning_clear(struct tuning *t);

/** The fastest algorithms: of each size; of collectives whose ranks do not know the size
 *  (tuned_by_bytes()) the one with the least product of slowdowns. */
enum status tuning_select(const struct tuning *t, struct tuned *out, struct err *e);

/** Writes a table with a header of the runs of @p kind, or of all: ACTION_KINDS. */
void tuning_print(const struct tuning *t, enum action_kind kind, FILE *f);

#endif
