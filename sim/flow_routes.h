/** @file flow_routes.h
 *  The links between two hosts, as links of a maxmin, and the hosts themselves: from a topology's
 *  arithmetic, or from SimGrid for a foreign platform, which is asked once for each pair of hosts
 *  that communicates.  Links join the maxmin when a route first uses them.
 */
#ifndef SIM_FLOW_ROUTES_H
#define SIM_FLOW_ROUTES_H

#include <stdint.h>

#include "common/err.h"
#include "sim/engine.h"
#include "sim/maxmin.h"

struct flow_routes;

struct flow_route {
  const uint32_t *link; /**< of the maxmin, in order; a link may come twice */
  uint32_t links;
  double latency_s;
};

/** @p c and @p m must outlive it.  Loads a foreign platform into SimGrid. */
enum status flow_routes_new(struct flow_routes **out, const struct engine_config *c,
                            struct maxmin *m, struct err *e);

/** Accepts NULL. */
void flow_routes_free(struct flow_routes *r);

/** The route between two hosts of the platform, which may be the same; *out is valid until the
 *  next call.  O(links), on a foreign platform after the first time. */
enum status flow_routes_find(struct flow_routes *r, uint32_t src, uint32_t dst,
                             struct flow_route *out, struct err *e);

/** Of a link of the maxmin that is a route's, in byte/s. */
double flow_routes_bandwidth(const struct flow_routes *r, uint32_t link);

/** A host's cores, and the speed of one in flop/s: as it is, and before the host's own factor. */
struct flow_host {
  uint32_t cores;
  double speed, full_speed;
};

struct flow_host flow_routes_host(const struct flow_routes *r, uint32_t h);

#endif
