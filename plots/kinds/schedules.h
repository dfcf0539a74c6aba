/** @file schedules.h
 *  Shared part of the plots of a campaign of task networks: the rows of its results.tsv as a table
 *  of networks, loads and schedulers.
 */
#ifndef PLOTS_KINDS_SCHEDULES_H
#define PLOTS_KINDS_SCHEDULES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/results/results.h"
#include "common/containers/names.h"
#include "common/err.h"

/** Result of a scheduler on a network under a load; NAN: it has no row that is ok. */
struct schedules_cell {
  double makespan_s;
  double use; /**< use of the machine */
};

struct schedules {
  struct names network, load, scheduler; /**< of rows that are ok, in order of appearance; in a
                                            table of several machines, "NETWORK on MACHINE" */
  struct names machine;                  /**< as in struct results, like the next */
  uint32_t *machine_of;                  /**< by network; owned */
  size_t machine_room;
  struct schedules_cell *cell; /**< by network, load, scheduler; owned */
  uint32_t baseline;           /**< index of a scheduler */
  size_t failed, timeouts;     /**< rows with that status */
};

/** Reads results.tsv, or the rows of one machine if @p machine is not NULL.  @p baseline must have
 * a row that is ok; NULL: heft if it has one, or the first scheduler.  The caller frees *s with
 * schedules_clear(). */
enum status schedules_load(struct schedules *s, const char *path, const char *machine,
                           const char *baseline, struct err *e);

/** Accepts a zeroed struct. */
void schedules_clear(struct schedules *s);

/** The makespans of a scheduler relative to the baseline: geometric mean over the loads, least and
 *  greatest.  The values of the baseline, all 1, count as one. */
struct results_spread schedules_relative(const struct schedules *s, uint32_t network,
                                         uint32_t scheduler);

/** The same over the networks of a machine and their loads. */
struct results_spread schedules_relative_on(const struct schedules *s, uint32_t machine,
                                            uint32_t scheduler);

/** Mean use under a load over the networks on which the scheduler has a row under every load; NAN
 *  if there are none. */
double schedules_use(const struct schedules *s, uint32_t load, uint32_t scheduler);

/** Number of rows that are ok where the baseline has none. */
size_t schedules_without_baseline(const struct schedules *s);

#endif
