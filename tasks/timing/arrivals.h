/** @file arrivals.h
 *  Arrival times of the output of a lane's producers at a host, in the abstract model.  A task of
 *  pattern A or D sends all of its output at its end; a task of pattern B or C sends a part, 1 / L
 *  of it, after each of its L iterations.  Parts do not wait for each other, as in the paper's
 *  dependence costs (4.3.2).  Sending within a host takes no time.
 *
 *  For a lane of many producers, the arrivals are computed once per class of hosts, not once per
 *  consumer.  If communications lose bandwidth or time to competing tasks, the arrivals are
 *  computed for each host, because each part has its own random loss at each receiver.  Above 2^24
 *  pairs of a producer and a host, the hosts of a class share the losses.  Only the first and the
 *  last part of an element are computed.
 */
#pragma once

#include "common/containers/pairs.h"
#include "common/err.h"
#include "tasks/tasknet.h"
#include "tasks/timing/farm.h"

/** Hosts and times in s, by element.  Borrowed from the caller. */
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
  bool *apart;       /**< by stream: each host has losses of its own */
  bool *early;       /**< by stream: some consumers can start before all of their input arrives */
  struct pairs wide; /**< (lane, receiver) of each entry, for lanes of many producers */
  struct pairs own;  /**< (lane, host) if a producer of the lane has started on the host, for lanes
                        of many producers */
  struct arrivals_entry *entry; /**< by number in `wide` */
  size_t entry_room;
  uint32_t *newest; /**< by lane: its newest entry plus 1; 0: none */
  /** The caller may set it after arrivals_new().  True: nothing is stored, so that starts can be
   *  undone, and each query examines all producers. */
  bool plain;
};

/** The objects passed must outlive @p a. */
enum status arrivals_new(struct arrivals *a, const struct tasknet *n, const struct farm *m,
                         const struct arrivals_runs *runs, struct err *e);

void arrivals_clear(struct arrivals *a);

/** Records that an element has started (its host and start are known) or ended.  If both are known
 *  at once, one call is enough.  Sets *sooner, unless NULL, if arrivals_first() of one of its lanes
 *  may have decreased. */
enum status arrivals_tell(struct arrivals *a, uint32_t element, bool *sooner, struct err *e);

/** The time at which a host has received all of the lane at a consumer's @p end.  All producers
 *  must have ended.  Ignores producers on the host itself, which have ended before its next element
 *  starts. */
enum status arrivals_all(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                         uint32_t host, double *out, struct err *e);

/** The time at which a host receives the first output of the lane, from the producers started so
 *  far.  INFINITY if there are none; 0 if one has started on the host itself. */
enum status arrivals_first(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                           uint32_t host, double *out, struct err *e);

/** The start and end of an element on a host that is free at @p free_at (tasks/timing/dates.h).
 *  Its producers must have ended. */
enum status arrivals_window(struct arrivals *a, uint32_t element, uint32_t host, double free_at,
                            struct arrivals_window *out, struct err *e);

/** The host from which the last data of a lane arrives at @p host.  The lane must have many
 *  producers (producers_are_many()), all of which have ended. */
enum status arrivals_source(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                            uint32_t host, uint32_t *source, struct err *e);
