/** @file routed.h
 *  Costs between slots whose messages go through other processes: the sums of round-trip times
 *  along the routes of MC-MPI's bounding graph (Saito, Taura, IPSJ Trans. ACS 2007, 4.2).
 */
#ifndef MAPPERS_QAP_ROUTED_H
#define MAPPERS_QAP_ROUTED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/mapper.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "traces/matrix/matrix.h"

/** Does @p what, as given to the mapper, name these costs? */
bool routed_is(const char *what);

struct routed_input {
  const struct platform *platform;
  const struct mapping *slots;  /**< a process on each: its host */
  const struct matrix *traffic; /**< of a profiling run, in which rank r is in slot r */
  struct mapper_overlay overlay;
};

/** Writes the cost from slot k to slot l, in seconds, to cost[k * n + l].  Refuses a graph that is
 *  not connected. */
enum status routed_costs(double *cost, const struct routed_input *in, struct err *e);

#endif
