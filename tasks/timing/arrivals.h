/** @file arrivals.h
 *  When the output of a lane's producers arrives at a host, in the abstract model: a task of
 *  pattern A or D sends all at its end; one of B or C sends a part, 1 / L of it, after each of
 *  its L iterations.  Parts do not wait for each other, as in the paper's dependence costs
 *  (4.3.2), and on one host sending takes no time.
 *
 *  Nothing has N x M steps: what a class of hosts gets from a lane of many producers is
 *  computed once.
 */
#ifndef TASKS_TIMING_ARRIVALS_H
#define TASKS_TIMING_ARRIVALS_H

#include "common/err.h"
#include "common/pairs.h"
#include "tasks/tasknet.h"
#include "tasks/timing/farm.h"

/** When and where elements run; by element.  The arrays are the caller's. */
struct arrivals_runs {
  const uint32_t *host;
  const double *start, *end; /**< NAN: not known yet */
};

struct arrivals_window {
  double start, end;
};

struct arrivals_entry;

/** Owned: arrivals_clear(). */
struct arrivals {
  const struct tasknet *n;
  const struct farm *m;
  struct arrivals_runs runs;
  bool *early; /**< by stream: does it have consumers that start before they have all input? */
  struct pairs wide; /**< (lane, class): what a class gets from a lane of many producers */
  struct pairs own;  /**< (lane, host): the host has begun one of the lane's many producers */
  struct arrivals_entry *entry; /**< by number in `wide` */
  size_t entry_room;
  uint32_t *newest; /**< by lane: its newest entry plus 1; 0: none */
  bool plain;       /**< set by the caller after arrivals_new(): nothing is kept, so that elements
                         may be taken back; a query looks at all producers */
};

/** What is pointed to outlives it. */
enum status arrivals_new(struct arrivals *a, const struct tasknet *n, const struct farm *m,
                         const struct arrivals_runs *runs, struct err *e);

void arrivals_clear(struct arrivals *a);

/** Tells that an element has begun (its host and start are known), or that it has ended; either
 *  may come first or alone if all is known at once.  *sooner, unless NULL: may arrivals_first()
 *  of one of its lanes now be less than before? */
enum status arrivals_tell(struct arrivals *a, uint32_t element, bool *sooner, struct err *e);

/** When a host has got all of the lane at @p end (of a consumer), whose producers have all ended.
 *  What comes from the host itself is left out: it ended before the host goes on. */
enum status arrivals_all(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                         uint32_t host, double *out, struct err *e);

/** When a host gets the first output of the lane, of those producers that have begun to send;
 *  INFINITY: of none yet; 0: the host has begun one itself. */
enum status arrivals_first(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                           uint32_t host, double *out, struct err *e);

/** When an element would start and end on a host that is free at @p free_at (tasks/timing/dates.h);
 *  its producers have ended. */
enum status arrivals_window(struct arrivals *a, uint32_t element, uint32_t host, double free_at,
                            struct arrivals_window *out, struct err *e);

/** Of a lane of many producers, which have all ended: the host that a host of class @p c waits for
 *  longest. */
enum status arrivals_source(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                            uint32_t c, uint32_t *host, struct err *e);

#endif
