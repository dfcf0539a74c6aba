/** @file progress.h
 *  Progress line on a terminal: runs done, failed and running, and an estimate of the time left.
 */
#ifndef CAMPAIGN_PROGRESS_H
#define CAMPAIGN_PROGRESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

struct progress;

/** Draws on @p f if that is a terminal, else never.  Runs are divided into @p groups groups; those
 *  of a group are expected to take about the same time.  The caller's: progress_free(). */
enum status progress_new(struct progress **out, FILE *f, size_t groups, struct err *e);

/** Wipes the line.  Accepts NULL. */
void progress_free(struct progress *p);

/** Adds a run of @p group, in 0..groups-1, to those left. */
void progress_add(struct progress *p, size_t group);

/** Moves a run of @p group from those left to those done; it took @p wall_s seconds. */
void progress_done(struct progress *p, size_t group, double wall_s);

/** Estimated seconds for the runs left, @p jobs in parallel, from the mean time of their group or,
 *  if none of the group is done, of all groups; negative if no run is done.  O(groups). */
double progress_left_s(const struct progress *p, uint32_t jobs);

struct progress_counts {
  size_t done, runs, failed;
  uint32_t running, jobs;
};

/** Redraws the line with these counts. */
void progress_draw(struct progress *p, const struct progress_counts *c);

#endif
