/** @file net.h
 *  The cost of a message on the network in SimGrid 3.32: a latency, which loads no link, then a
 *  flow that shares links (NetworkCm02Model::communicate in src/surf/network_cm02.cpp).
 *  Keeps the rates of the flows (maxmin.h); knows no MPI and no dates.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/engine.h"

struct flow_net;
struct maxmin_use;
struct change;

/** A message in transit, filled by flow_net_price().  Hosts are numbered as in the platform. */
struct flow_message {
  double factor; /**< bytes that reach the receiver per byte on the links */
  uint32_t src, dst;
  double latency_s; /**< seconds until its flow starts, with the model's factor */
  double penalty;   /**< penalty of the flow (maxmin.h) */
  double bound;     /**< upper bound of the flow's rate in byte/s, before `factor` */
  double limit;     /**< share of `narrowest` that bounds the rate; 1 without flow-limits */
  double sharing;   /**< SimGrid's sharing penalty: becomes `penalty` when a link changes */
  double narrowest; /**< bandwidth in byte/s of the narrowest link when the message was sent */
  double nominal_s; /**< latency of the route in s, without the factor */
  bool linkless;    /**< the route has no links: the message ends with its latency */
};

/** The platform and effects of @p c must outlive it.  Free *out with flow_net_free(). */
enum status flow_net_new(struct flow_net **out, const struct engine_config *c, struct err *e);

/** Accepts NULL. */
void flow_net_free(struct flow_net *n);

/** Fills the other fields of @p msg, whose src and dst are set, for a message of @p bytes, envelope
 *  included.  Fails if there is no route. */
enum status flow_net_price(struct flow_net *n, double bytes, struct flow_message *msg,
                           struct err *e);

/** Starts or ends the flow of a message whose latency is over.  No other current flow has the
 *  number @p flow.  @p again: the flow was ended only for a change of a link. */
enum status flow_net_start(struct flow_net *n, uint32_t flow, const struct flow_message *msg,
                           bool again, struct err *e);
void flow_net_end(struct flow_net *n, uint32_t flow);

/** The links of the maxmin that a message between two hosts uses on its route and on the reverse
 *  route; *use is valid until the next call of a function of this file. */
enum status flow_net_route(struct flow_net *n, uint32_t src, uint32_t dst,
                           const struct maxmin_use **use, uint32_t *uses, struct err *e);

/** Bandwidth in byte/s of a link of the maxmin. */
double flow_net_bandwidth(const struct flow_net *n, uint32_t link);

/** Sets link[i] to the link of the platform that is link i of the maxmin.  Leaves the entries of
 *  limits besides the links (ports.h) unchanged. */
void flow_net_number(const struct flow_net *n, uint32_t *link);

/** Sets *uses to whether the route of a message, in either direction, uses a link of the
 *  platform. */
enum status flow_net_uses(struct flow_net *n, const struct flow_message *msg, uint32_t link,
                          bool *uses, struct err *e);

/** Effect of a link change on the messages that use the link (NetworkCm02Link::set_bandwidth and
 *  set_latency in src/surf/network_cm02.cpp). */
struct flow_change {
  double sharing;   /**< added to the sharing penalty of a message */
  double latency_s; /**< added to the latency of its route, in s */
  bool reweighs;    /**< the message gets a new penalty and bound */
};

/** Changes a link; no flow in the maxmin may use it at this time. */
enum status flow_net_change(struct flow_net *n, const struct change *c, struct flow_change *out,
                            struct err *e);

/** Applies a link change to a message that uses the link. */
void flow_net_apply(const struct flow_net *n, struct flow_message *msg,
                    const struct flow_change *c);

/** Sets the number of ranks that compute on @p host.  True if a rate may change. */
bool flow_net_compute(struct flow_net *n, uint32_t host, uint32_t running);

/** Brings the rates up to date after flows have started and ended.  Fails when out of memory. */
enum status flow_net_settle(struct flow_net *n, struct err *e);

/** The solver.  A message reaches its receiver at level / penalty * factor byte/s. */
const struct maxmin *flow_net_maxmin(const struct flow_net *n);
