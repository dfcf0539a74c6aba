/** @file routes.h
 *  The links between two hosts, as links of a maxmin.  Links join the maxmin when a route first
 *  uses them.  Routes of up to 4096 pairs of hosts are remembered, as most messages go where others
 *  went before.
 */
#ifndef SIM_FLOW_ROUTES_H
#define SIM_FLOW_ROUTES_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/flow/maxmin.h"

struct flow_routes;

struct flow_route {
  const uint32_t *link; /**< of the maxmin, in order; a link may come twice */
  uint32_t links;
  double latency_s;
};

/** @p p and @p m must outlive it; on success *out is the caller's: flow_routes_free(). */
enum status flow_routes_new(struct flow_routes **out, const struct platform *p, struct maxmin *m,
                            struct err *e);

/** Accepts NULL. */
void flow_routes_free(struct flow_routes *r);

/** The route between two hosts of the platform, which may be the same.  No links and no latency
 *  mean that there is no route.  *out is valid until the next call.  O(links). */
enum status flow_routes_find(struct flow_routes *r, uint32_t src, uint32_t dst,
                             struct flow_route *out, struct err *e);

/** Sets the bandwidth (byte/s) or latency (s) of a link of the platform from now on, and returns
 *  what it was.  No flow uses the link in the maxmin.  Fails when memory is short. */
enum status flow_routes_set_bandwidth(struct flow_routes *r, uint32_t link, double value,
                                      double *before, struct err *e);
enum status flow_routes_set_latency(struct flow_routes *r, uint32_t link, double value,
                                    double *before, struct err *e);

/** Does the route between two hosts, there or back, use a link of the platform? */
enum status flow_routes_use(struct flow_routes *r, uint32_t src, uint32_t dst, uint32_t link,
                            bool *uses, struct err *e);

/** Bandwidth in byte/s of a link of the maxmin that a route uses. */
double flow_routes_bandwidth(const struct flow_routes *r, uint32_t link);

#endif
