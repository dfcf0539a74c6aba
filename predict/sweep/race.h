/** @file race.h
 *  Compares a simulation of a choice, before its end, with a finished one: the points of
 *  comparison, the time predicted from a date at a point, and the latest date at which a run that
 *  may still win passes a point.  Knows no simulator and no search.
 *
 *  Points are quarters of the part before the main loop, then whole periods of the loop, never
 *  parts of a period, because computation and messages are not spread evenly over an iteration.
 *  A prediction takes the time of the part before the loop as simulated, and extrapolates the loop.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "setup/runs/operations.h"
#include "sim/replay/watch.h"

/** Points 0 to RACE_SETUP are quarters of the set-up; the points from there to RACE_LAST are at 1,
 *  2 and 4 periods of the loop.  Of the points after RACE_LAST only WATCH_POINTS - 1 is used, the
 *  end of the run. */
enum { RACE_SETUP = 3, RACE_LAST = 6 };

/** A run that was simulated to its end. */
struct race_leader {
  double passed_s[WATCH_POINTS];
  double time_s; /**< time predicted from its sample */
};

/** Reference for the comparison of a run. */
struct race {
  const struct race_leader *leader; /**< NULL: no run has ended yet */
  bool alike;     /**< the leader runs the same program, which does the same work between any two
                       points under both mappings */
  double best_s;  /**< least time predicted so far, in s */
  double room;    /**< remaining share of the margins, 0 to 1 */
  uint32_t first; /**< first point that counts: RACE_SETUP + 1 if the set-up is too short */
  uint32_t last;  /**< last point in the sample */
};

/** Periods of the loop at a point after RACE_SETUP. */
uint64_t race_periods(uint32_t point);

/** Sets due[0] to due[WATCH_POINTS - 2] (struct watch) of a rank with @p periods periods in its
 *  loop and @p sample periods in its sample. */
void race_due(const struct operations *o, double periods, uint64_t sample, uint64_t *due);

/** Predicted time of the whole run if it passes the point at @p date_s.  @p setup_s is the date at
 *  which it passed RACE_SETUP, if it has.  NAN if the point allows no prediction. */
double race_predict(const struct race *r, uint32_t point, double setup_s, double date_s);

/** Share by which a prediction at a point may exceed the best. */
double race_margin(const struct race *r, uint32_t point);

/** Latest date at which a run within the margin passes the point; INFINITY if the point allows no
 *  prediction. */
double race_limit(const struct race *r, uint32_t point, double setup_s);
