/** @file posted.h
 *  Private to traces/: a send to and a receive from each other rank, all posted at once, in turn.
 */
#ifndef TRACES_COLLECTIVES_POSTED_H
#define TRACES_COLLECTIVES_POSTED_H

#include "traces/collectives/lower.h"

/** Steps of the exchange. */
uint64_t posted_steps(const struct lowering *l);

/** Step @p i: sends l->send_bytes, receives lower_bytes_from(). */
bool posted_step(const struct lowering *l, uint64_t i, int32_t tag, struct op *op);

#endif
