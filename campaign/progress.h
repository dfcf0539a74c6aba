/** @file progress.h
 *  The line on a terminal that says how far a campaign is and how long it may still take.
 */
#ifndef CAMPAIGN_PROGRESS_H
#define CAMPAIGN_PROGRESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

struct progress;

/** Draws on @p f if that is a terminal, else nothing.  Runs belong to one of @p groups kinds that
 *  take about the same time each.  The caller's: progress_free(). */
enum status progress_new(struct progress **out, FILE *f, size_t groups, struct err *e);

/** Wipes the line.  Accepts NULL. */
void progress_free(struct progress *p);

/** One more run of @p group is to be done; it has been done; it took @p wall_s. */
void progress_add(struct progress *p, size_t group);
void progress_done(struct progress *p, size_t group, double wall_s);

/** Seconds that the runs left will take, @p jobs at a time: by the mean of their group, else of
 *  all; negative if nothing is known yet. */
double progress_left_s(const struct progress *p, uint32_t jobs);

struct progress_counts {
  size_t done, runs, failed;
  uint32_t running, jobs;
};

void progress_draw(struct progress *p, const struct progress_counts *c);

#endif
