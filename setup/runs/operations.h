/** @file operations.h
 *  Counts the operations (traces/program/op.h) that each rank of a trace begins in a whole run. The
 * points of a run are fractions of these counts (sim/replay/watch.h).
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "setup/inputs.h"

/** Operations of a rank.  In a trace without marks of iterations, all are counted as `before`. */
struct operations {
  uint64_t before; /**< before the mark of the first iteration of the main loop, and of
                        communicators that the loop prepares (program_prepares()) */
  uint64_t loop;   /**< the others before the mark of the loop's end */
  uint64_t after;
};

/** Counts the operations of each rank of an opened trace, with its ranks on the hosts of @p
 *  mapping, or NULL: not placed yet (input_trace_program()).  @p count has room for all ranks.
 *  Reads one of several identical iterations.  Assumes that a TEST succeeds and that a WAITANY ends
 *  with its first request; with other outcomes a count may differ by its last operation. */
enum status operations_count(struct input_trace *trace, const struct mapping *mapping,
                             struct operations *count, struct err *e);
