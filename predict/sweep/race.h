/** @file race.h
 *  How a simulation of a choice is compared, before its end, with one that is known: the points at
 *  which, what a date at a point predicts, and the date by which a run that may still win is there.
 *  Knows no simulator and no search.
 *
 *  Points are quarters of what comes before the main loop, then whole periods of it, never a part
 *  of one: computation and messages are not spread evenly over an iteration.  What was before the
 *  loop counts with its own date, and only the loop is extrapolated.
 */
#ifndef PREDICT_SWEEP_RACE_H
#define PREDICT_SWEEP_RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "campaign/operations.h"
#include "sim/replay/watch.h"

/** Points 0 to RACE_SETUP are quarters of the set-up, those that follow 1, 2 and 4 periods of the
 *  loop.  The next is not used, the last one is the end. */
enum { RACE_SETUP = 3, RACE_LAST = 6 };

/** A run that went to its end. */
struct race_leader {
  double passed_s[WATCH_POINTS];
  double time_s; /**< what its sample predicts */
};

/** What a run is compared with. */
struct race {
  const struct race_leader *leader; /**< NULL: nothing is known yet */
  bool alike;     /**< the leader is of the same program: it does the same between any two points */
  double best_s;  /**< least time that is predicted so far */
  double room;    /**< share of the margins that is left, 0 to 1 */
  uint32_t first; /**< point that counts: RACE_SETUP + 1 if the set-up is too short to tell */
  uint32_t last;  /**< point that the sample has */
};

/** Periods of the loop at a point after RACE_SETUP. */
uint64_t race_periods(uint32_t point);

/** Sets due[0] to due[WATCH_POINTS - 2], see struct watch, of a rank whose loop has @p periods
 *  periods and whose sample has @p sample of them. */
void race_due(const struct operations *o, double periods, uint64_t sample, uint64_t *due);

/** The time of the whole run, were it at the point at @p date_s; @p setup_s: when it passed
 *  RACE_SETUP, if it has.  NAN: the point tells nothing. */
double race_predict(const struct race *r, uint32_t point, double setup_s, double date_s);

/** By how much longer than the best what is predicted at a point may be. */
double race_margin(const struct race *r, uint32_t point);

/** When a run that is within the margin passes the point at the latest; INFINITY: the point tells
 *  nothing. */
double race_limit(const struct race *r, uint32_t point, double setup_s);

#endif
