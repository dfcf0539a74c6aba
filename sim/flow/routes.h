/** @file routes.h
 *  The route between two hosts as links of the max-min solver.  A link is added to the solver when
 *  a route first uses it.  Most messages repeat a pair of hosts: a cache holds up to 4096 routes of
 *  up to 10 links.  It is dropped if it misses too often, or when a latency changes.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/flow/maxmin.h"

struct flow_routes;

struct flow_route {
  const uint32_t *link; /**< numbers in the solver, in order; a link may occur twice */
  uint32_t links;
  double latency_s;
};

/** @p p and @p m must outlive it.  The caller frees *out with flow_routes_free(). */
enum status flow_routes_new(struct flow_routes **out, const struct platform *p, struct maxmin *m,
                            struct err *e);

/** Accepts NULL. */
void flow_routes_free(struct flow_routes *r);

/** The route between two hosts of the platform, which may be equal.  If no route exists, it has no
 *  links and no latency.  *out is valid until the next call.  O(links). */
enum status flow_routes_find(struct flow_routes *r, uint32_t src, uint32_t dst,
                             struct flow_route *out, struct err *e);

/** Sets the bandwidth (byte/s) or latency (s) of a link of the platform from now on; *before
 *  receives the old value.  No flow may use the link.  Fails if out of memory. */
enum status flow_routes_set_bandwidth(struct flow_routes *r, uint32_t link, double value,
                                      double *before, struct err *e);
enum status flow_routes_set_latency(struct flow_routes *r, uint32_t link, double value,
                                    double *before, struct err *e);

/** Sets *uses to true if the route from @p src to @p dst or, if @p both, the route back contains a
 *  link of the platform. */
enum status flow_routes_contains(struct flow_routes *r, uint32_t src, uint32_t dst, bool both,
                                 uint32_t link, bool *uses, struct err *e);

/** See flow_net_number().  O(links of the platform). */
void flow_routes_platform_links(const struct flow_routes *r, uint32_t *link);

/** Bandwidth in byte/s of a link of the solver that a route uses. */
double flow_routes_bandwidth(const struct flow_routes *r, uint32_t link);
