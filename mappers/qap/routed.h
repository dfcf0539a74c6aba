/** @file routed.h
 *  Costs between slots with messages forwarded by other processes: the sums of round-trip times
 *  along the routes of MC-MPI's bounding graph (Saito, Taura, IPSJ Trans. ACS 2007, 4.2).
 */
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "mappers/mapper.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "traces/matrix/matrix.h"

/** True if @p what, the mapper's option `cost`, is "overlay". */
bool routed_is_cost(const char *what);

struct routed_input {
  const struct platform *platform;
  const struct mapping *slots;  /**< host of each slot; there is a process in each slot */
  const struct matrix *traffic; /**< of a profiling run in which rank r is in slot r */
  struct mapper_overlay overlay;
};

/** Writes the cost from slot k to slot l, in seconds, to cost[k * n + l].  Fails if the graph is
 *  not connected. */
enum status routed_costs(double *cost, const struct routed_input *in, struct err *e);
