/** @file watch.h
 *  The progress of a run at given points, and dates at which it is stopped if it is too slow: used
 *  to simulate many mappings of one program and to stop slow ones early.  Knows no mappings.
 *
 *  A run passes a point when every rank has executed the number of operations that a table gives
 * for the rank and the point.  The last point is the end of the run.
 */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Number of points, the end of the run included. */
#define WATCH_POINTS 16

struct watch {
  const uint64_t *due;           /**< by rank, WATCH_POINTS - 1 each: operations up to each point;
                                      owned by the caller */
  uint32_t stop;                 /**< the run stops at this point; the last point is its end */
  double limit_s[WATCH_POINTS];  /**< date in s at which the run stops if it has not passed the
                                      point */
  double passed_s[WATCH_POINTS]; /**< out: date in s at which it passed each point */
  uint32_t passed;               /**< out: number of points passed */
  uint64_t begun;                /**< out: operations begun, over all ranks */
  void (*follow)(struct watch *w, const void *arg); /**< called when a point is passed; may set the
                                                         limits of later points; NULL: not called */
  const void *arg;
};

/** A watch of a whole run, without limits. */
static inline struct watch watch_all(const uint64_t *due)
{
  struct watch w = {.due = due, .stop = WATCH_POINTS - 1};
  for (uint32_t k = 0; k < WATCH_POINTS; k++)
    w.limit_s[k] = INFINITY;
  return w;
}

/** The number of operations after which @p rank has passed point @p k, unless it has ended. */
static inline uint64_t watch_due(const struct watch *w, uint32_t rank, uint32_t k)
{
  return k + 1 < WATCH_POINTS ? w->due[(size_t)rank * (WATCH_POINTS - 1) + k] : UINT64_MAX;
}

/** Operations of a rank so far. */
struct watch_rank {
  uint64_t ops;    /**< operations begun; marks do not count, as only some runs show them */
  uint64_t due;    /**< the rank passes its next point when `ops` exceeds this */
  uint32_t points; /**< points passed */
};

/** Progress of a run.  Zeroed: not watched. */
struct watch_progress {
  struct watch *watch;
  struct watch_rank *rank; /**< owned */
  uint32_t ranks;
  uint32_t passed[WATCH_POINTS]; /**< ranks that have passed each point */
  bool cut;                      /**< the watch has stopped the run */
};

/** Starts a run of @p ranks ranks.  Free with watch_clear(), which accepts a zeroed struct. */
enum status watch_start(struct watch_progress *p, struct watch *w, uint32_t ranks, struct err *e);
void watch_clear(struct watch_progress *p);

/** The rank begins an operation; true if watch_pass() has to be called. */
static inline bool watch_begin(struct watch_progress *p, uint32_t rank)
{
  struct watch_rank *r = &p->rank[rank];
  p->watch->begun++;
  return ++r->ops > r->due;
}

/** Passes the points that the rank has reached at simulated time @p now (s). */
void watch_pass(struct watch_progress *p, uint32_t rank, double now);

/** The rank has ended: it passes all points. */
void watch_end(struct watch_progress *p, uint32_t rank, double now);

/** True if the watch stops the run at simulated time @p now (s). */
bool watch_stops(struct watch_progress *p, double now);
