/** @file eft.h
 *  Earliest finish times as published list schedulers compute them.  Producers send all output at
 *  their ends.  An element starts when all of its input has arrived, in the first gap of a host
 *  that is long enough (insertion).  Without pipelining; the dates of the schedule are computed
 *  afterwards.
 */
#ifndef MAPPERS_SCHEDULE_EFT_H
#define MAPPERS_SCHEDULE_EFT_H

#include <stdbool.h>

#include "common/err.h"
#include "mappers/schedule/order.h"
#include "mappers/schedule/scheduler.h"

#define EFT_ANY UINT32_MAX

struct eft_slots;

/** The caller calls eft_clear(). */
struct eft {
  const struct scheduler_input *in;
  uint32_t *host;          /**< result, by element; not owned */
  double *start, *finish;  /**< by element */
  struct eft_slots *slots; /**< by host */
  double *ready;           /**< by host: arrival of the element's last input */
  double *second;          /**< scratch: 3 values for each class */
  double **lane;  /**< by lane of many producers: arrival of its data at each host; or NULL */
  uint32_t *uses; /**< by lane: number of consumers that still need it */
  bool by_start;  /**< minimise the start time instead; ties go to the least finish time */
};

enum status eft_new(struct eft *t, const struct scheduler_input *in, uint32_t *host, struct err *e);

void eft_clear(struct eft *t);

/** Places an element on the host with the least finish time plus @p bias[class] (NULL: 0), or on
 *  host @p only unless that is EFT_ANY.  Its producers must have been placed.  Ties: the lower
 *  host.  O(hosts * streams). */
enum status eft_place(struct eft *t, uint32_t element, const double *bias, uint32_t only,
                      struct err *e);

/** Variants of the rows that run eft_run(): the time of an element that its host minimises. */
enum { EFT_BY_END, EFT_BY_START };

/** Places all elements by falling upward rank and writes them to @p order, sorted by start. */
enum status eft_run(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                    struct err *e);

/** Sets *work to the mean seconds of each element over all hosts, and @p w to it and the seconds of
 *  a unit of data at the mean bandwidth.  The caller frees *work. */
enum status eft_weights(const struct scheduler_input *in, struct order_weights *w, double **work,
                        struct err *e);

#endif
