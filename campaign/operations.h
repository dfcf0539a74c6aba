/** @file operations.h
 *  How many operations (traces/op.h) each rank of a trace begins from end to end.  The points of a
 *  run are shares of these (sim/replay/watch.h).
 */
#ifndef CAMPAIGN_OPERATIONS_H
#define CAMPAIGN_OPERATIONS_H

#include <stdint.h>

#include "campaign/inputs.h"
#include "common/err.h"

/** Counts those of each rank of an opened trace into @p count, which has room for all ranks; of
 *  iterations that are alike one is read.  A TEST is taken to succeed and a WAITANY to end with its
 *  first request, since no count depends on it by more than its last operation. */
enum status operations_count(struct input_trace *trace, uint64_t *count, struct err *e);

/** Operations of a rank; of a trace without marks of iterations all come before the loop. */
struct operations {
  uint64_t before; /**< the mark of the first iteration of the main loop */
  uint64_t loop;   /**< up to the mark of its end */
  uint64_t after;
};

/** The same in parts. */
enum status operations_split(struct input_trace *trace, struct operations *count, struct err *e);

#endif
