/** @file phases.h
 *  The phases of a trace (traces/matrix/phases.h), by a run in logical time (sim/logical.h).
 */
#pragma once

#include "setup/inputs.h"
#include "traces/matrix/phases.h"

/** Maximum number of messages that are sorted into phases.  They take 160 MB. */
#define PHASES_MOST_MESSAGES (UINT64_C(1) << 22)

/** Maximum number of transfers whose order is kept.  They take some 40 MB. */
#define PHASES_MOST_ORDERED (UINT64_C(1) << 19)

/** Makes the phases of an opened trace under mapping @p m (NULL: ranks in order) and sums the
 *  computations of each rank.  Of equal iterations, one is read.  No send is eager.  If there are
 *  more than PHASES_MOST_MESSAGES messages, or if the ranks have no sequences of calls
 *  (trace_need_sequences()), the traffic of ranks in order is the only phase; with more than
 *  PHASES_MOST_ORDERED transfers the order is unknown.  Fails if the program blocks.  On success
 *  the caller frees *out with phases_clear(). */
enum status phases_of_trace(struct phases *out, struct input_trace *t, const struct mapping *m,
                            struct err *e);
