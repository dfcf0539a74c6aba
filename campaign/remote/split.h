/** @file split.h
 *  Divides consecutive items among tasks, by number or by expected time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Maximum number of tasks when divided by time, Slurm's default limit. */
enum { SPLIT_MOST_TASKS = 1000 };

/** Writes the task number of each of @p n items, from 1, to @p task; each task has @p chunk (> 0)
 *  items. */
void split_by_count(size_t n, uint32_t chunk, uint32_t *task);

/** The same, but by the expected times @p seconds: a task has items of at most @p target_s seconds
 *  together, or one item that takes longer.  @p target_s is raised if there would be more than
 *  SPLIT_MOST_TASKS tasks. */
void split_by_time(size_t n, const double *seconds, double target_s, uint32_t *task);
