/** @file nonblocking.h
 *  Private to traces/: nonblocking collectives.  A rank posts all of its messages at once, as
 *  src/smpi/colls/smpi_nbc_impl.cpp of SimGrid 3.32 does, and waits for none: the leaves consist of
 *  nonblocking sends and receives alone.  program.c keeps their requests under one name.
 */
#ifndef TRACES_COLLECTIVES_NONBLOCKING_NONBLOCKING_H
#define TRACES_COLLECTIVES_NONBLOCKING_NONBLOCKING_H

#include "traces/collectives/lower.h"

/** The messages of the collective @p kind, a blocking one or its nonblocking form. */
const struct lower_algorithm *lower_posted(enum action_kind kind);

/** Piece @p k of the same and a wait for all of them: SMPI's linear algorithms of collectives. */
const struct lower_algorithm *lower_waited(enum action_kind kind, uint32_t k);

/** That of collectives that have no other algorithm. */
extern const struct lower_algorithm lower_alltoallw_default;
extern const struct lower_algorithm lower_neighbor_default; /**< of all neighbourhood collectives */

#endif
