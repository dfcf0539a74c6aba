/** @file front.h
 *  Places elements one after another, each after the last element of its host, with the dates of
 *  the abstract model (tasks/timing/dates.h), pipelines included.  For each element it examines
 *  only the first free host of each class and the hosts that hold its input, since the other hosts
 *  of a class are no better.  A choice takes O(classes + inputs), independent of the number of
 *  hosts.
 */
#pragma once

#include "common/arena.h"
#include "mappers/schedule/hostheap.h"
#include "mappers/schedule/scheduler.h"
#include "tasks/timing/arrivals.h"

struct front {
  const struct scheduler_input *in;
  uint32_t *host;         /**< result, by element; not owned */
  double *start, *end;    /**< by element */
  double *free_at;        /**< by host */
  struct hostheap *first; /**< by class */
  struct hostheap_node *node;
  struct arrivals arrivals;
  const uint32_t *within; /**< by element: the class it must be placed on; NULL: any.  Not owned;
                               may be set after front_new() */
};

/** The caller frees f->arrivals with arrivals_clear(), also after a failure, before it clears
 *  @p mem. */
enum status front_new(struct front *f, const struct scheduler_input *in, uint32_t *host,
                      struct arena *mem);

/** A choice of a host for an element. */
struct front_choice {
  uint32_t host;
  struct arrivals_window window;
  double score; /**< end of the window plus the bias of the host's class */
};

/** Finds the host where an element has the least end plus @p bias[class] (NULL: 0; INFINITY:
 *  excludes the class).  Its producers must have been placed.  Ties: the lower class, then the host
 *  that is free first. */
enum status front_choose(struct front *f, uint32_t element, const double *bias,
                         struct front_choice *out, struct err *e);

/** Places the element according to @p choice. */
enum status front_place(struct front *f, uint32_t element, const struct front_choice *choice,
                        struct err *e);
