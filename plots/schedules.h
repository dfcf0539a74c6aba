/** @file schedules.h
 *  Shared part of the plots of a campaign of task networks: the rows of its results.tsv as a table
 *  of networks, loads and schedulers.
 */
#ifndef PLOTS_SCHEDULES_H
#define PLOTS_SCHEDULES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/results.h"
#include "common/err.h"
#include "common/names.h"

/** What a scheduler made of a network under a load; NAN: no row of it is ok. */
struct schedules_cell {
  double makespan_s;
  double use; /**< of the machine */
};

struct schedules {
  struct names network, load, scheduler; /**< of rows that are ok, in their order */
  struct schedules_cell *cell;           /**< by network, load, scheduler: schedules_at(); owned */
  uint32_t baseline;                     /**< a scheduler */
  size_t failed, timeouts;               /**< rows with that status */
};

/** Fails if @p baseline has no row that is ok; NULL: heft if it has one, else the first.  On
 * success *s is the caller's: schedules_clear(). */
enum status schedules_load(struct schedules *s, const char *path, const char *baseline,
                           struct err *e);

/** Accepts zeroed ones. */
void schedules_clear(struct schedules *s);

const struct schedules_cell *schedules_at(const struct schedules *s, uint32_t network,
                                          uint32_t load, uint32_t scheduler);

/** The makespans of a scheduler over those of the baseline: their geometric mean over the loads,
 * and the least and greatest.  Those of the baseline count as one, being 1. */
struct results_spread schedules_relative(const struct schedules *s, uint32_t network,
                                         uint32_t scheduler);

/** Mean use under a load over the networks that the scheduler has a row of under every load; NAN:
 *  there are none. */
double schedules_use(const struct schedules *s, uint32_t load, uint32_t scheduler);

/** Rows that are ok where the baseline has none. */
size_t schedules_without_baseline(const struct schedules *s);

#endif
