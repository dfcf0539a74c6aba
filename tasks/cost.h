/** @file cost.h
 *  Sums and dependence costs of a task network.  A dependence cost (4.3.2 of the paper) is the
 *  amount of work and data that precedes the start of an element on equal hosts.  It is not a time,
 *  since the hosts are unknown.
 */
#pragma once

#include "tasks/tasknet.h"

/** Dependence costs.  Owned: dependence_clear(). */
struct dependence {
  double *start; /**< by element: D, the cost before it can start */
  double *first; /**< by lane: minimum D_first of its producers, the cost of the first output */
  double *all;   /**< by lane: maximum D_all of its producers, the cost of the whole output */
};

/** Computes the dependence costs.  O is the output of an element to the lane.  A producer of
 *  pattern A or D has D_first = D_all = D + C + O.  A producer of pattern B or C has D_first = D +
 *  (C + O) / L and D_all = D + C + O / L.  For a consumer of pattern A or C, D is `all` of its
 *  lane; for pattern B or D, `first`.  The paper does not define D of a consumer with several
 *  streams; here it is the maximum over the streams, since the consumer needs data from each.
 *  Without streams D = 0.  O(elements + ends + lanes). */
enum status dependence_costs(struct dependence *out, const struct tasknet *n, struct err *e);

void dependence_clear(struct dependence *d);

/** Sums of the costs of all elements of an array; `loops` is their maximum. */
struct tasknet_cost tasknet_array_sum(const struct tasknet *n, uint32_t array);

/** Sum of the volumes of all lanes of a stream. */
double tasknet_stream_volume(const struct tasknet *n, uint32_t stream);

/** The maximum sum of C along a path of dependences.  A lower bound of the makespan on equal hosts,
 *  unless streams are pipelined. */
enum status tasknet_critical_path(const struct tasknet *n, double *out, struct err *e);
