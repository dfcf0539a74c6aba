/** @file schedules.h
 *  Shared part of the plots of a campaign of task networks: the rows of its results.tsv as a table
 *  of networks, loads and schedulers.
 */
#pragma once

#include <stdint.h>

#include "campaign/results/results.h"
#include "common/containers/names.h"
#include "common/err.h"

/** Result of a scheduler on a network under a load; NAN: no row has status ok. */
struct schedules_cell {
  double makespan_s;
  double use; /**< used fraction of the machine's capacity, from 0 to 1 */
};

struct schedules {
  struct names network, load, scheduler; /**< of rows with status ok, in order of appearance;
                                            networks are named "NETWORK on MACHINE" if several
                                            machines are read */
  struct names machine; /**< machine labels; one empty name if the table has no machines */
  uint32_t *machine_of; /**< by network: index in machine; owned */
  size_t machine_room;
  struct schedules_cell *cell; /**< by network, load, scheduler; owned */
  uint32_t baseline;           /**< index of a scheduler */
  size_t failed, timeouts;     /**< rows with that status */
};

/** Reads @p path, a results.tsv, or its rows of one machine if @p machine is not NULL.  @p baseline
 *  must have a row with status ok; NULL: heft if it has one, or the first scheduler.  *s is
 *  unchanged on failure.  The caller frees *s with schedules_clear(). */
enum status schedules_load(struct schedules *s, const char *path, const char *machine,
                           const char *baseline, struct err *e);

/** Accepts a zeroed struct. */
void schedules_clear(struct schedules *s);

/** Makespan of a scheduler / makespan of the baseline: geometric mean, minimum and maximum over the
 *  loads.  The count of the baseline is 1. */
struct results_spread schedules_relative(const struct schedules *s, uint32_t network,
                                         uint32_t scheduler);

/** Like schedules_relative(), over the loads of all networks of a machine. */
struct results_spread schedules_relative_on(const struct schedules *s, uint32_t machine,
                                            uint32_t scheduler);

/** Mean use under a load, over the networks on which the scheduler has a row under every load; NAN
 *  if there are none. */
double schedules_use(const struct schedules *s, uint32_t load, uint32_t scheduler);

/** Number of rows with status ok without a makespan relative to the baseline. */
size_t schedules_without_baseline(const struct schedules *s);
