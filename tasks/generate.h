/** @file generate.h
 *  The random task networks of the paper (5.2), from a spec and a seed.
 *
 *  A network begins as two tasks and the stream between them.  A task, drawn from all arrays,
 *  is then changed in one of three ways with equal probability: it is replaced by itself and a
 *  new task behind it, joined by a stream (connection); a new task gets the same streams
 *  (control parallelism); or it becomes an array of tasks/10 .. tasks/5 elements (data
 *  parallelism).  That is repeated until there are as many tasks as asked for.
 *
 *  Where the paper is silent: tasks and arrays are drawn alike; an array that is drawn for data
 *  parallelism stays as it is; all streams have width 1, and what connection puts behind an
 *  array is a task.  Fields of the spec, with their defaults:
 *
 *      tasks=1000       at least so many elements
 *      seed=1
 *      large=1          factor of the counts of arrays, as for table 10: else the same network
 *      arrays=yes       no: without data parallelism
 *      draw=arrays      tasks: what is changed is drawn from all tasks, an array as often as it
 *                       has elements; the networks then have long chains of single tasks
 *      behind=task      array: connection puts an array behind an array, element by element
 *      costs=100        computation and output costs are whole numbers, uniform in 1..costs
 *      inputs=arriving  drawn: like the other costs
 *      patterns=A       B, C or D; drawn: any of them for each task
 *      loops=10         iterations of the outermost loops
 */
#ifndef TASKS_GENERATE_H
#define TASKS_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "tasks/tasknet.h"

/** "random:tasks=1000,seed=1". */
extern const char tasknet_random_example[];

/** Does @p text begin as a spec does? */
bool tasknet_is_spec(const char *text);

/** A spec of the network that @p spec has with a seed that is @p more higher.  The caller's:
 * free(); NULL with @p e filled on failure. */
char *tasknet_spec_after(const char *spec, uint64_t more, struct err *e);

/** Builds and seals the network of a spec.  On success *out is the caller's: tasknet_clear(). */
enum status tasknet_generate(struct tasknet *out, const char *spec, struct err *e);

#endif
