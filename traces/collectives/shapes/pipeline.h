/** @file pipeline.h
 *  Private to traces/: a rank that receives a message in segments from one rank and forwards each
 *  segment to others as soon as it has arrived.
 */
#pragma once

#include "traces/collectives/lower.h"

/** Maximum number of targets of a rank. */
#define PIPELINE_MOST 4

/** The part of one rank in a pipeline. */
struct pipeline {
  bool first;    /**< the rank has the message and receives nothing */
  uint32_t from; /**< unless `first`: the rank from which this rank receives */
  uint32_t targets, to[PIPELINE_MOST]; /**< the ranks to which this rank sends, in this order */
  uint64_t segments;
  uint64_t bytes, last_bytes; /**< bytes of a segment, bytes of the last segment */
  uint64_t ahead;   /**< number of receives posted before a wait for a segment; 1 or more */
  bool posts_sends; /**< sends are nonblocking, and completed at the end */
  bool waits_sends; /**< with one target: sends are nonblocking, and completed one by one */
  int32_t tag;
};

/** Number of steps of the rank; the last one waits for all pending requests. */
uint64_t pipeline_steps(const struct pipeline *p);

/** Step @p i. */
bool pipeline_step(const struct pipeline *p, uint64_t i, struct op *op);

/** Adds a target if @p rank is below @p ranks. */
void pipeline_target(struct pipeline *p, uint64_t rank, uint64_t ranks);
