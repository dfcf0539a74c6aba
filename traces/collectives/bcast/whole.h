/** @file whole.h
 *  Private to traces/: SMPI's older bcast algorithms, and one reduce algorithm, send only the full
 *  segments (segments_short()) of a message.  The rest of the message is sent by the chosen bcast
 *  algorithm, or by the default reduce.
 */
#pragma once

#include "traces/collectives/shapes/pipeline.h"

/** True if the message fits into one segment. */
bool whole_fits(const struct lowering *l);

/** Sets the segments of *p: all full segments, or the whole message if it fits into one segment.
 *  All receives are posted first. */
void whole_segments(const struct lowering *l, struct pipeline *p);

/** The algorithm that sends the rest of a bcast after its full segments, as the collective *sub. */
const struct lower_algorithm *whole_rest(const struct lowering *l, struct lowering *sub);
