/** @file changes.h
 *  The events of a platform's profiles in the order of their dates: EngineImpl::solve and
 *  FutureEvtSet of SimGrid 3.32.
 */
#ifndef SIM_FLOW_CHANGES_H
#define SIM_FLOW_CHANGES_H

#include "common/err.h"
#include "common/heap.h"
#include "platforms/platform.h"

/** Zeroed: none. */
struct changes {
  const struct platform *platform;
  struct heap heap; /**< profiles by the date of their next event */
  size_t *next;     /**< by profile: index of that event */
};

/** One event. */
struct change {
  enum profile_kind kind;
  uint32_t target; /**< host or link of the platform */
  double value;
};

/** Starts with the first event of each profile.  The caller ends it with changes_clear(), also
 *  after a failure. */
enum status changes_init(struct changes *c, const struct platform *p, struct err *e);
void changes_clear(struct changes *c);

/** The date of the next event in s; INFINITY: there is none. */
double changes_date(const struct changes *c);

/** Takes that event.  O(log profiles). */
struct change changes_take(struct changes *c);

#endif
