/** @file changes.h
 *  The events of profiles in the order of their dates: EngineImpl::solve and FutureEvtSet of
 *  SimGrid 3.32.
 */
#ifndef SIM_CHANGES_H
#define SIM_CHANGES_H

#include "common/err.h"
#include "common/heap.h"
#include "platforms/platform.h"

/** Zeroed: none. */
struct changes {
  const struct profile **profile; /**< owned list */
  size_t profile_room, next_room;
  uint32_t count;
  struct heap heap; /**< profiles by the date of their next event */
  size_t *next;     /**< by profile: index of that event */
};

/** One event. */
struct change {
  enum profile_kind kind;
  uint32_t target; /**< host or link of the platform */
  double value;
};

/** Adds a profile, which outlives @p c, in its first event.  Profiles come in the order in which
 *  they are added where their dates are equal.  The caller ends a list with changes_clear(), also
 *  after a failure. */
enum status changes_add(struct changes *c, const struct profile *p, struct err *e);
void changes_clear(struct changes *c);

/** The date of the next event in s; INFINITY: there is none. */
double changes_date(const struct changes *c);

/** Takes that event.  O(log profiles). */
struct change changes_take(struct changes *c);

#endif
