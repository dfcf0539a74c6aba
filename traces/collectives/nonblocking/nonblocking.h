/** @file nonblocking.h
 *  Private to traces/: nonblocking collectives.  A rank posts all its messages at once, as
 *  src/smpi/colls/smpi_nbc_impl.cpp of SimGrid 3.32 does, and waits for none: the leaves consist of
 *  nonblocking sends and receives only.  program.c collects their requests in one group.  SMPI's
 *  linear blocking collectives post the same messages and wait for them; they are in this folder.
 */
#pragma once

#include "traces/collectives/lower.h"

/** The messages of the collective @p kind, blocking or nonblocking. */
const struct lower_algorithm *lower_posted(enum action_kind kind);

/** The algorithms of scan and exscan. */
#define SCAN_ALGORITHMS(ROW) ROW(lower_scan_default)
SCAN_ALGORITHMS(LOWER_DECLARE)

/** The only algorithm of alltoallw. */
extern const struct lower_algorithm lower_alltoallw_default;

/** The only algorithm of all neighbourhood collectives. */
extern const struct lower_algorithm lower_neighbor_default;
