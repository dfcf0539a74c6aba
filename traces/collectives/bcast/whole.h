/** @file whole.h
 *  Private to traces/: what SMPI's older algorithms of bcast, and one of reduce, send in segments
 *  (segments_short()): the whole ones.  The rest of a bcast goes by the algorithm that is chosen.
 */
#ifndef TRACES_COLLECTIVES_BCAST_WHOLE_H
#define TRACES_COLLECTIVES_BCAST_WHOLE_H

#include "traces/collectives/pipeline.h"

/** Does the message fit into one segment? */
bool whole_fits(const struct lowering *l);

/** Fills in the segments of *p: all whole ones, or the message if it fits into one.  All receives
 *  are posted first. */
void whole_segments(const struct lowering *l, struct pipeline *p);

/** What sends what the whole segments of a bcast leave. */
const struct lower_algorithm *whole_rest(const struct lowering *l, struct lowering *sub);

#endif
