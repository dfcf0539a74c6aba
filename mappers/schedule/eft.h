/** @file eft.h
 *  Earliest finish times as published list schedulers compute them, without pipelining.  Producers
 *  send all output at their ends.  An element starts when all of its input has arrived, in the
 *  first gap of a host that is long enough (insertion).  schedule_date() computes the dates of the
 *  schedule afterwards.
 */
#pragma once

#include <stdbool.h>

#include "common/arena.h"
#include "mappers/schedule/order.h"
#include "mappers/schedule/scheduler.h"

struct eft_slots;

struct eft {
  const struct scheduler_input *in;
  uint32_t *host;          /**< result, by element; not owned */
  double *start, *finish;  /**< by element */
  struct eft_slots *slots; /**< by host */
  double *ready;           /**< by host: arrival of the element's last input */
  double *second;          /**< scratch: 3 values for each class */
  double **lane;  /**< by lane of many producers: arrival of its data, by host; NULL: not needed */
  uint32_t *uses; /**< by lane: number of consumers that still need it */

  /* Set by the caller after eft_new(); not owned. */
  bool by_start;      /**< minimise start times, not finish times; ties: the least finish time */
  const double *bias; /**< [element * classes + class]: added to finish times; NULL: 0 */
  const bool *fixed;  /**< by element: it must be placed on fixed_host; NULL: false for all */
  uint32_t fixed_host;
};

/** The arrays belong to @p mem.  eft_place_all() allocates more: on success the caller calls
 *  eft_clear() before it clears @p mem. */
enum status eft_new(struct eft *t, const struct scheduler_input *in, uint32_t *host,
                    struct arena *mem);

void eft_clear(struct eft *t);

/** Places all elements in the order of rising @p key, producers before consumers, each on the host
 *  with the least finish time; ties: the lower host.  Writes the elements, sorted by start, to
 *  @p order.  O(elements * hosts * streams of an element). */
enum status eft_place_all(struct eft *t, const double *key, uint32_t *order, struct err *e);

/** Writes the negative upward rank of each element to @p key. */
enum status eft_rank_keys(const struct scheduler_input *in, double *key, struct err *e);

/** Values of scheduler.variant for eft_run(): an element goes to the host where it ends first, or
 *  where it starts first. */
enum { EFT_BY_END, EFT_BY_START };

/** Places all elements by falling upward rank and writes them to @p order, sorted by start. */
enum status eft_run(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                    struct err *e);

/** Sets w->work to the mean time of each element over all hosts, allocated from @p mem, and w->gap
 *  to the time of a unit of data at the mean bandwidth. */
enum status eft_weights(const struct scheduler_input *in, struct order_weights *w,
                        struct arena *mem);
