/** @file net.h
 *  What a message costs on the network in SimGrid 3.32: a latency, which loads no link, then a flow
 *  that shares links (NetworkCm02Model::communicate in src/surf/network_cm02.cpp).
 *  Keeps the rates of the flows (maxmin.h); knows no MPI and no dates.
 */
#ifndef SIM_FLOW_NET_H
#define SIM_FLOW_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/engine.h"

struct flow_net;
struct change;

/** One message on its way, from flow_net_price(); hosts are the platform's. */
struct flow_message {
  double factor; /**< bytes that reach the receiver for each byte on the links */
  uint32_t src, dst;
  double latency_s; /**< until its flow starts, in s, the model's factor included */
  double penalty;   /**< of the flow: maxmin.h */
  double bound;     /**< of the flow's rate in byte/s, before `factor` */
  double sharing;   /**< SimGrid's sharing penalty: `penalty`, or what it becomes with a change */
  double narrowest; /**< bandwidth of the narrowest link when it was sent */
  double nominal_s; /**< latency of the route, without factor */
  bool linkless;    /**< the route has no links: the message ends with its latency */
};

/** The platform and model of @p c must outlive it; on success *out is the caller's:
 *  flow_net_free(). */
enum status flow_net_new(struct flow_net **out, const struct engine_config *c, struct err *e);

/** Accepts NULL. */
void flow_net_free(struct flow_net *n);

/** Fills the rest of @p msg, whose hosts are set, for a message of @p bytes, envelope included;
 *  fails if there is no route. */
enum status flow_net_price(struct flow_net *n, double bytes, struct flow_message *msg,
                           struct err *e);

/** Starts or ends the flow of a message whose latency is over, under a number that no other current
 *  flow has. */
enum status flow_net_start(struct flow_net *n, uint32_t flow, const struct flow_message *msg,
                           struct err *e);
void flow_net_end(struct flow_net *n, uint32_t flow);

/** Does a message's route, there or back, use a link of the platform? */
enum status flow_net_uses(struct flow_net *n, const struct flow_message *msg, uint32_t link,
                          bool *uses, struct err *e);

/** What a change of a link does to the messages that use it (NetworkCm02Link::set_bandwidth and
 *  set_latency in src/surf/network_cm02.cpp). */
struct flow_change {
  double sharing;   /**< added to the sharing penalty */
  double latency_s; /**< added to the route's latency */
  bool reweighs;    /**< the penalty is set anew */
};

/** Changes a link, which no flow uses in the maxmin now. */
enum status flow_net_change(struct flow_net *n, const struct change *c, struct flow_change *out,
                            struct err *e);

/** Applies it to a message. */
void flow_net_apply(struct flow_message *msg, const struct flow_change *c);

/** Brings the rates up to date after flows have started and ended. */
void flow_net_settle(struct flow_net *n);

/** The solver.  A message reaches its receiver at level / penalty * factor byte/s. */
const struct maxmin *flow_net_maxmin(const struct flow_net *n);

#endif
