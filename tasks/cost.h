/** @file cost.h
 *  Sums and dependence costs of a task network (4.3.2 of the paper): how much work and data must
 *  pass before each element can start, on equal hosts.  Not times: hosts are not known.
 */
#ifndef TASKS_COST_H
#define TASKS_COST_H

#include "tasks/tasknet.h"

/** Dependence costs.  Owned: dependence_clear(). */
struct dependence {
  double *start; /**< D, by element */
  double *first; /**< by lane: the least D_first of its producers */
  double *all;   /**< by lane: the greatest D_all of its producers */
};

/** Computes them: O(elements + ends + lanes).  With O what an element writes to the lane, a
 *  producer of pattern A or D has D_first = D_all = D + C + O; one of pattern B or C has
 *  D_first = D + (C + O) / L and D_all = D + C + O / L.  A consumer of pattern A or C has D =
 *  the lane's `all`, one of pattern B or D the lane's `first`; one with several streams, on
 *  which the paper is silent, needs something from each: the greatest over its streams.  One
 *  without has D = 0. */
enum status dependence_costs(struct dependence *out, const struct tasknet *n, struct err *e);

void dependence_clear(struct dependence *d);

/** Sums over all elements of an array, and over all lanes of a stream. */
struct tasknet_cost tasknet_array_sum(const struct tasknet *n, uint32_t array); /**< loops: most */
double tasknet_stream_volume(const struct tasknet *n, uint32_t stream);

/** The greatest sum of C along a path of dependences: no schedule on equal hosts is shorter, unless
 *  streams are pipelined. */
enum status tasknet_critical_path(const struct tasknet *n, double *out, struct err *e);

#endif
