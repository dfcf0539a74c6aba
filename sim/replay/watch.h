/** @file watch.h
 *  How far a run has come and when, and the dates at which it may stop: for who simulates many
 *  mappings of one program and ends those that fall behind.  Knows no mappings.
 *
 *  A run passes a point when each of its ranks has done its share of the operations that it does in
 *  a whole run: point k, from 0, is 2^(k + 1 - WATCH_POINTS) of them, or as many as a table says;
 * the last one is the end.
 */
#ifndef SIM_REPLAY_WATCH_H
#define SIM_REPLAY_WATCH_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WATCH_POINTS 9

struct watch {
  const uint64_t *operations;    /**< by rank: those of a whole run, near enough; the caller's */
  const uint64_t *due;           /**< by rank, WATCH_POINTS - 1 each: operations up to the points,
                                      instead of shares; NULL: shares; the caller's */
  uint32_t stop;                 /**< the run stops at this point; the last one: at its end */
  double limit_s[WATCH_POINTS];  /**< it also stops at this date if it has not passed the point */
  double passed_s[WATCH_POINTS]; /**< out: when it passed the points */
  uint32_t passed;               /**< out: how many */
  uint64_t begun;                /**< out: operations that all ranks together have begun */
  void (*follow)(struct watch *w, const void *arg); /**< called when a point is passed: may set the
                                                         limits of later ones; NULL: nothing is */
  const void *arg;
};

/** A watch without limits over a whole run. */
static inline struct watch watch_all(const uint64_t *operations)
{
  struct watch w = {.operations = operations, .stop = WATCH_POINTS - 1};
  for (uint32_t k = 0; k < WATCH_POINTS; k++)
    w.limit_s[k] = INFINITY;
  return w;
}

/** The operations after which a rank that does @p all of them has passed point @p k. */
static inline uint64_t watch_share(uint64_t all, uint32_t k)
{
  const uint32_t shift = WATCH_POINTS - 1 - k;
  return (all >> shift) + ((all & ((UINT64_C(1) << shift) - 1)) != 0);
}

/** The operations after which @p rank has passed point @p k, unless it has ended. */
static inline uint64_t watch_due(const struct watch *w, uint32_t rank, uint32_t k)
{
  if (k + 1 >= WATCH_POINTS)
    return UINT64_MAX;
  return w->due != NULL ? w->due[(size_t)rank * (WATCH_POINTS - 1) + k]
                        : watch_share(w->operations[rank], k);
}

#endif
