/** @file split.h
 *  Divides items among tasks, consecutive ones to each, by number or by expected time.
 */
#ifndef CAMPAIGN_REMOTE_SPLIT_H
#define CAMPAIGN_REMOTE_SPLIT_H

#include <stddef.h>
#include <stdint.h>

/** Most tasks of a submission that is divided by time: what Slurm takes by default. */
enum { SPLIT_MOST_TASKS = 1000 };

/** Writes to @p task the task of each of @p n items, from 1, @p chunk (> 0) items to a task. */
void split_by_count(size_t n, uint32_t chunk, uint32_t *task);

/** The same, to a task as many items as take @p target_s seconds, or one that takes longer; @p
 *  seconds are the items' times.  More than SPLIT_MOST_TASKS tasks become longer ones. */
void split_by_time(size_t n, const double *seconds, double target_s, uint32_t *task);

#endif
