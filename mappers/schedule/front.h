/** @file front.h
 *  Elements placed one after the other behind what their hosts have, by their dates in the
 *  abstract model (tasks/timing/dates.h), pipelines included.  Of each class only the host that
 *  is free first and those that hold what an element waits for are looked at, since others of
 *  the class are no better: a choice takes O(classes), whatever the number of hosts.
 */
#ifndef MAPPERS_SCHEDULE_FRONT_H
#define MAPPERS_SCHEDULE_FRONT_H

#include "common/err.h"
#include "mappers/schedule/hostheap.h"
#include "mappers/schedule/scheduler.h"
#include "tasks/timing/arrivals.h"

/** Owned: front_clear(). */
struct front {
  const struct scheduler_input *in;
  uint32_t *host;         /**< by element: the result; the caller's */
  double *start, *end;    /**< by element */
  double *free_at;        /**< by host */
  struct hostheap *first; /**< by class */
  struct hostheap_node *node;
  struct arrivals arrivals;
  const uint32_t *within; /**< by element: the class that it has to be in; NULL: any.  The caller's,
                               who may set it after front_new() */
};

enum status front_new(struct front *f, const struct scheduler_input *in, uint32_t *host,
                      struct err *e);

void front_clear(struct front *f);

/** A place for an element. */
struct front_choice {
  uint32_t host;
  struct arrivals_window window;
  double score; /**< the window's end + bias */
};

/** Finds the host where an element, whose producers have been placed, has the least end plus
 *  @p bias[class] (NULL: 0; INFINITY: never there).  Ties: the lower class, then the host that is
 *  free first. */
enum status front_choose(struct front *f, uint32_t element, const double *bias,
                         struct front_choice *out, struct err *e);

/** Places it there. */
enum status front_place(struct front *f, uint32_t element, const struct front_choice *choice,
                        struct err *e);

#endif
