/** @file agreement.h
 *  Private to traces/: do all ranks of a communicator call the same collectives, in the same order,
 *  with matching arguments?  One record for each collective that some ranks have called and others
 *  not yet, so memory grows with how far the ranks are apart, not with the trace.
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

/** That of one communicator. */
struct agreement {
  const struct comm *comm;         /**< NULL: the world */
  uint32_t members;                /**< of the communicator */
  uint64_t *called;                /**< collectives that each member has called; owned */
  struct agreement_record *record; /**< ring buffer */
  size_t room, count;
  uint64_t first; /**< number of the collective that record[first % room] is about */
};

/** Zeroed but for the ranks of the world. */
struct agreements {
  struct agreement *of; /**< by the index of the communicator; the world's is the first */
  size_t count, room;
  uint32_t ranks;
};

void agreements_clear(struct agreements *g);

/** Member l->rank of a->comm calls its next collective, @p a, the last action of @p t.  Fails if
 *  it differs from what the members before it called at that place, naming both lines. */
enum status agreements_call(struct agreements *g, const struct trace *t, const struct action *a,
                            const struct lowering *l, struct err *e);

/** All ranks have ended: fails if one has called a collective that another member has not. */
enum status agreements_finish(const struct agreements *g, const struct trace *t, struct err *e);

#endif
