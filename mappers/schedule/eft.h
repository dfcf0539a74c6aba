/** @file eft.h
 *  Earliest finish times as published list schedulers reckon with them: an element starts when
 *  all output of its producers, which leaves them at their ends, has arrived, in the first gap
 *  of a host that is long enough (insertion).  No pipelining: the dates of a schedule come
 *  after it.
 */
#ifndef MAPPERS_SCHEDULE_EFT_H
#define MAPPERS_SCHEDULE_EFT_H

#include <stdbool.h>

#include "common/err.h"
#include "mappers/schedule/order.h"
#include "mappers/schedule/scheduler.h"

#define EFT_ANY UINT32_MAX

struct eft_slots;

/** Owned: eft_clear(). */
struct eft {
  const struct scheduler_input *in;
  uint32_t *host;          /**< by element: the result; the caller's */
  double *start, *finish;  /**< by element */
  struct eft_slots *slots; /**< by host */
  double *ready;           /**< by host: when the element's input is there */
  double *second;          /**< by class; scratch */
  double **lane;  /**< by lane of many producers: when its data is at each host; NULL: not yet */
  uint32_t *uses; /**< by lane: consumers that need it still */
  bool by_start;  /**< take the host of the least start time instead; ties: of the least finish */
};

enum status eft_new(struct eft *t, const struct scheduler_input *in, uint32_t *host, struct err *e);

void eft_clear(struct eft *t);

/** Places an element, whose producers have been placed, on the host of the least finish time plus
 *  @p bias[class] (NULL: 0), or on host @p only unless that is EFT_ANY.  Ties: the lower host.
 *  O(hosts * streams). */
enum status eft_place(struct eft *t, uint32_t element, const double *bias, uint32_t only,
                      struct err *e);

/** Places all elements by falling upward rank and writes the order of their starts; @p by_start is
 *  as in struct eft. */
enum status eft_run(const struct scheduler_input *in, bool by_start, uint32_t *host,
                    uint32_t *order, struct err *e);

/** Mean seconds of each element over all hosts, the caller's, and of a unit of data at the mean
 *  bandwidth. */
enum status eft_weights(const struct scheduler_input *in, struct order_weights *w, double **work,
                        struct err *e);

#endif
