/** @file pipeline.h
 *  Private to traces/: a rank that receives a message in segments from one rank and passes each on
 *  to others as soon as it is there.
 */
#ifndef TRACES_COLLECTIVES_PIPELINE_H
#define TRACES_COLLECTIVES_PIPELINE_H

#include "traces/collectives/lower.h"

#define PIPELINE_MOST 4

/** A rank's part in a pipeline. */
struct pipeline {
  bool first;                          /**< it has the message and receives nothing */
  uint32_t from;                       /**< else: who sends to it */
  uint32_t targets, to[PIPELINE_MOST]; /**< to whom it sends, in this order */
  uint64_t segments;
  uint64_t bytes, last_bytes; /**< of a segment; of the last one */
  uint64_t ahead;   /**< so many receives are posted before it waits for a segment; 1 or more */
  bool posts_sends; /**< sends do not block, and are waited for at the end */
  int32_t tag;
};

/** Steps of the rank; the last one waits for what is pending. */
uint64_t pipeline_steps(const struct pipeline *p);

/** Step @p i. */
bool pipeline_step(const struct pipeline *p, uint64_t i, struct op *op);

/** Adds a target if @p rank is below @p ranks. */
void pipeline_target(struct pipeline *p, uint64_t rank, uint64_t ranks);

#endif
