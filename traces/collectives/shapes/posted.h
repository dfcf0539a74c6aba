/** @file posted.h
 *  Private to traces/: a send to and a receive from each other rank, posted in groups.
 */
#pragma once

#include "traces/collectives/lower.h"

enum { POSTED_OTHERS, POSTED_SELF };

/** Takes the distances 0 to ranks - 1 in groups of four.  For each group, posts receives of
 *  lower_bytes_from() bytes from the ranks at these distances after this rank, and sends of
 *  lower_bytes_to() bytes to the ranks at these distances before it, then waits for all of them.
 *  Distance 0 is skipped unless the variant is POSTED_SELF. */
uint64_t posted_by_four_steps(const struct lowering *l);
bool posted_by_four_step(const struct lowering *l, uint64_t i, struct op *op);
