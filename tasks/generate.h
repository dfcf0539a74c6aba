/** @file generate.h
 *  The random task networks of the paper (5.2), from a spec and a seed.
 *
 *  A network starts with two tasks and a stream between them.  Each step draws a task or array and
 *  changes it in one of three ways with equal probability.  Connection puts a new task behind it
 *  and joins the two by a stream.  Control parallelism adds a new task with the same streams.  Data
 *  parallelism turns a task into an array of tasks/10 .. tasks/5 elements.  The steps are repeated
 *  until the network has the requested number of elements.
 *
 *  Some details are not defined in the paper.  Here tasks and arrays are drawn with equal
 *  probability; data parallelism leaves an array unchanged; all streams have width 1, and
 *  connection puts a task behind an array.  Fields of the spec, with their defaults:
 *
 *      tasks=1000       minimum number of elements
 *      seed=1
 *      large=1          multiplies the sizes of arrays (table 10), with the same network structure
 *      arrays=yes       no: no data parallelism
 *      draw=arrays      tasks: draws from all tasks, so that an array is drawn as often as it has
 *                       elements; the networks then have long chains of single tasks
 *      behind=task      array: connection puts an array behind an array, joined element by element
 *      costs=100        computation and output costs are integers, uniform in 1..costs
 *      inputs=arriving  drawn: input costs are drawn like the other costs
 *      patterns=A       B, C or D; drawn: a random pattern for each task
 *      loops=10         iterations of the outermost loops
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "tasks/tasknet.h"

/** Example: "random:tasks=1000,seed=1". */
extern const char tasknet_random_example[];

/** True if @p text begins like a spec. */
bool tasknet_is_spec(const char *text);

/** Returns @p spec with its seed increased by @p more, to be freed with free(); NULL on failure. */
char *tasknet_spec_after(const char *spec, uint64_t more, struct err *e);

/** Builds and seals the network of a spec.  On success the caller owns *out: tasknet_clear(). */
enum status tasknet_generate(struct tasknet *out, const char *spec, struct err *e);
