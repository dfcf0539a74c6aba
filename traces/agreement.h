/** @file agreement.h
 *  Private to traces/: checks that all ranks of a communicator call the same collectives, in the
 *  same order, with matching arguments.  Keeps one record for each collective that some but not
 *  all ranks have called: memory grows with the lead of the first rank over the last, not with the
 *  length of the trace.
 */
#ifndef TRACES_AGREEMENT_H
#define TRACES_AGREEMENT_H

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
  uint32_t members;                /**< of the communicator */
  uint64_t *called;                /**< collectives that each member has called; owned */
  struct agreement_record *record; /**< ring buffer, owned */
  size_t room, count;              /**< records: allocated, in use */
  uint64_t first; /**< number of the oldest collective in record, at record[first % room] */
};

/** The checks of all communicators; zeroed to begin with, except ranks. */
struct agreements {
  struct agreement *of; /**< by comm->index; the world's is the first; owned */
  size_t count, room;
  uint32_t ranks; /**< of the world */
};

/** Frees what @p g holds and zeroes it. */
void agreements_clear(struct agreements *g);

/** Records that member l->rank of a->comm calls @p a, its last action in @p t and its next
 *  collective.  Fails, naming both lines, if other members' call there is of another collective or
 *  has other arguments. */
enum status agreements_call(struct agreements *g, const struct trace *t, const struct action *a,
                            const struct lowering *l, struct err *e);

/** To be called when all ranks have ended: refuses a collective that some members did not call. */
enum status agreements_finish(const struct agreements *g, const struct trace *t, struct err *e);

#endif
