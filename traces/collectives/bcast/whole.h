/** @file whole.h
 *  Private to traces/: the full segments (segments_short()) of SMPI's older bcast algorithms and of
 *  one reduce algorithm.  The chosen algorithm sends the rest of a bcast.
 */
#pragma once

#include "traces/collectives/shapes/pipeline.h"

/** True if the message fits into one segment. */
bool whole_fits(const struct lowering *l);

/** Fills in the segments of *p: all full segments, or the message if it fits into one.  All
 *  receives are posted first. */
void whole_segments(const struct lowering *l, struct pipeline *p);

/** The algorithm that sends the rest of a bcast after its full segments, as the collective *sub. */
const struct lower_algorithm *whole_rest(const struct lowering *l, struct lowering *sub);
