/** @file agreement.h
 *  Private to traces/: do all ranks call the same collectives, in the same order, with matching
 *  arguments?  One record for each collective that some ranks have called and others not yet, so
 *  memory grows with how far the ranks are apart, not with the trace.
 */
#ifndef TRACES_AGREEMENT_H
#define TRACES_AGREEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/lower.h"
#include "traces/trace.h"

struct agreement_record;

struct agreement {
  uint32_t ranks;
  uint64_t *called;                /**< collectives that each rank has called; owned */
  struct agreement_record *record; /**< ring buffer */
  size_t room, count;
  uint64_t first; /**< number of the collective that record[first % room] is about */
};

enum status agreement_init(struct agreement *g, uint32_t ranks, struct err *e);
void agreement_clear(struct agreement *g);

/** Rank l->rank calls its next collective, the last action of @p t.  Fails if it differs from
 *  what the ranks before it called at that place, naming both lines. */
enum status agreement_call(struct agreement *g, const struct trace *t, enum action_kind kind,
                           const struct lowering *l, struct err *e);

/** All ranks have ended: fails if one has called a collective that another has not. */
enum status agreement_finish(const struct agreement *g, const struct trace *t, struct err *e);

#endif
