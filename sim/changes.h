/** @file changes.h
 *  The events of profiles in order of date, as in EngineImpl::solve() and FutureEvtSet of SimGrid
 *  3.32.
 */
#pragma once

#include "common/containers/heap.h"
#include "common/err.h"
#include "platforms/platform.h"

/** Zeroed: no profiles. */
struct changes {
  const struct profile **profile; /**< owned list */
  size_t profile_room, next_room;
  uint32_t count;
  struct heap heap; /**< profiles by the date of their next event */
  size_t *next;     /**< by profile: index of its next event */
};

/** One event. */
struct change {
  enum profile_kind kind;
  uint32_t target; /**< host or link of the platform */
  double value;
};

/** Adds a profile, starting at its first event; @p p must outlive @p c.  Profiles with equal dates
 *  are taken in the order in which they were added.  The caller calls changes_clear() in the end,
 *  also after a failure. */
enum status changes_add(struct changes *c, const struct profile *p, struct err *e);
void changes_clear(struct changes *c);

/** Date of the next event in s; INFINITY if there is none. */
double changes_date(const struct changes *c);

/** Removes and returns the next event.  O(log profiles). */
struct change changes_take(struct changes *c);
