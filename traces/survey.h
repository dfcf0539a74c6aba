/** @file survey.h
 *  The main loop of a trace: that which its marks tell, or without marks the longest repetition in
 *  the sequence of actions, computations left out, that all ranks have.
 */
#ifndef TRACES_SURVEY_H
#define TRACES_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/trace.h"

struct survey {
  uint64_t iterations; /**< of the main loop, the same on all ranks */
  uint64_t period;     /**< iterations after which the actions repeat: 1 if all are alike, 0 if
                            they do not repeat */
  bool last_differs;   /**< the last one has other actions than those before */
  bool marked;         /**< the trace has marks; false: they are made by what repeats */
};

/** Reads the whole trace, unless it is generated, and rewinds it.  From then on a trace without
 *  marks has them.  Fails if there is no loop of 2 iterations or more. */
enum status survey_loop(struct trace *t, struct survey *out, struct err *e);

#endif
