/** @file split.h
 *  Divides consecutive items among tasks, by number or by expected time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Maximum number of tasks of split_by_time(): the default limit of a job array of Slurm. */
enum { SPLIT_MOST_TASKS = 1000 };

/** Writes the task number of each of @p n items, from 1, to @p task; each task has @p chunk (> 0)
 *  items. */
void split_by_count(size_t n, uint32_t chunk, uint32_t *task);

/** Writes the task numbers such that the expected times @p seconds of the items of a task add up to
 *  at most @p target_s, unless the task has only one item.  Raises @p target_s if there would be
 *  more than SPLIT_MOST_TASKS tasks. */
void split_by_time(size_t n, const double *seconds, double target_s, uint32_t *task);
