/** @file segments.h
 *  Private to traces/: messages in segments of 8 KiB, as SMPI's older algorithms of bcast cut them.
 */
#ifndef TRACES_COLLECTIVES_BCAST_SEGMENTS_H
#define TRACES_COLLECTIVES_BCAST_SEGMENTS_H

#include "traces/collectives/pipeline.h"

/** Elements of a segment. */
uint64_t segments_unit(const struct lowering *l);

/** Fills in the segments of *p: all whole ones, or the message if it is not longer than one.  All
 *  receives are posted first. */
void segments_cut(const struct lowering *l, struct pipeline *p);

/** What the whole segments leave goes by the algorithm that is chosen for bcast. */
const struct lower_algorithm *segments_rest(const struct lowering *l, struct lowering *sub);

#endif
