/** @file posted.h
 *  Private to traces/: a send to and a receive from each other rank, posted in groups.
 */
#pragma once

#include "traces/collectives/lower.h"

enum { POSTED_OTHERS, POSTED_SELF };

/** Four distances at a time, from 0 on: posts receives from the ranks that far ahead and sends to
 *  the ranks that far behind, of lower_bytes_from() and lower_bytes_to(), and waits for all.  With
 *  the variant POSTED_SELF, a rank also sends to itself. */
uint64_t posted_by_four_steps(const struct lowering *l);
bool posted_by_four_step(const struct lowering *l, uint64_t i, struct op *op);
