/** @file posted.h
 *  Private to traces/: a send to and a receive from each other rank, posted in groups.
 */
#ifndef TRACES_COLLECTIVES_POSTED_H
#define TRACES_COLLECTIVES_POSTED_H

#include "traces/collectives/lower.h"

/** In groups of four distances, from 0 on: receives from that far ahead, then sends that far
 * behind, blocks of lower_bytes_from() and lower_bytes_to(), and waits.  @p self: a rank also sends
 * to itself; else it has all the other distances. */
uint64_t posted_by_four_steps(const struct lowering *l);
bool posted_by_four_step(const struct lowering *l, uint64_t i, bool self, struct op *op);

#endif
