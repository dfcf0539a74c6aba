/** @file agreement.h
 *  Private to traces/: checks that all ranks of a communicator call the same collectives, in the
 *  same order, with matching arguments.  Keeps a record of each collective that some but not all
 *  ranks have called: memory is proportional to the number of collectives by which the first rank
 *  is ahead of the last, not to the length of the trace.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/lower.h"
#include "traces/comm.h"
#include "traces/trace.h"

struct agreement_record;

/** The check of one communicator. */
struct agreement {
  const struct comm *comm;         /**< NULL: the world */
  uint32_t members;                /**< number of members of the communicator */
  uint64_t *called;                /**< by member: number of collectives called; owned */
  struct agreement_record *record; /**< ring buffer, owned */
  size_t room, count;              /**< records: allocated, in use */
  uint64_t first; /**< number of the oldest collective with a record, at record[first % room] */
};

/** The checks of all communicators; all fields except ranks are zeroed to begin with. */
struct agreements {
  struct agreement *of; /**< by comm->index, 0 for the world; owned */
  size_t count, room;
  uint32_t ranks; /**< size of the world */
};

/** Frees the memory of @p g and zeroes it. */
void agreements_clear(struct agreements *g);

/** Records that member l->rank of a->comm calls @p a, its last action in @p t, as its next
 *  collective.  Fails, naming both lines, if another member calls another collective or other
 *  arguments at this place. */
enum status agreements_call(struct agreements *g, const struct trace *t, const struct action *a,
                            const struct lowering *l, struct err *e);

/** Call once all ranks have ended: fails if some member did not call a collective that others
 *  called. */
enum status agreements_finish(const struct agreements *g, const struct trace *t, struct err *e);
