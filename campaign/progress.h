/** @file progress.h
 *  Progress line on a terminal: runs done, failed and running, and an estimate of the time left.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

struct progress;

/** Prepares the line of progress_draw() on @p f; if @p f is no terminal, nothing is drawn.  Runs
 *  belong to @p groups groups of similar expected times.  Free *out with progress_free(). */
enum status progress_new(struct progress **out, FILE *f, size_t groups, struct err *e);

/** Erases the line and frees @p p.  Accepts NULL. */
void progress_free(struct progress *p);

/** Adds a run of @p group, in 0..groups-1, to the remaining runs. */
void progress_add(struct progress *p, size_t group);

/** Counts a remaining run of @p group as done; it took @p wall_s seconds. */
void progress_done(struct progress *p, size_t group, double wall_s);

/** Estimated seconds until all remaining runs are done, @p jobs in parallel.  A run is expected to
 *  take the mean time of its group, or of all done runs if its group has none.  Negative if no run
 *  is done.  O(groups). */
double progress_left_s(const struct progress *p, uint32_t jobs);

struct progress_counts {
  size_t done, runs, failed;
  uint32_t running, jobs;
};

/** Redraws the line with these counts. */
void progress_draw(struct progress *p, const struct progress_counts *c);
