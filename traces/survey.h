/** @file survey.h
 *  The main loop of a trace.  Marks in the trace delimit its iterations.  Without marks, the loop
 *  is a long repetition (repetition.h) in the ranks' sequences of actions, without computations. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/trace.h"

struct survey {
  uint64_t iterations; /**< of the main loop, the same on all ranks */
  uint64_t period;   /**< number of iterations after which the actions repeat: 1 if all are alike, 0
                        if they do not repeat */
  bool last_differs; /**< the last iteration has other actions than the earlier ones */
  uint32_t trend;    /**< of a generator, as in struct trace_loop */
  bool marked;       /**< the trace has marks; false: they were derived from the repetition */
};

/** Reads the whole trace, unless it is generated, and rewinds it.  Adds marks to a trace without
 *  marks.  Fails if there is no loop of 2 iterations or more. */
enum status survey_loop(struct trace *t, struct survey *out, struct err *e);
