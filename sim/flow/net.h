/** @file flow_net.h
 *  What a message costs on the network, as SimGrid 3.32 has it: a time of latency without load,
 *  then a flow that shares links (NetworkCm02Model::communicate in src/surf/network_cm02.cpp).
 *  Keeps the rates of the flows (maxmin.h); knows no MPI and no dates.
 */
#ifndef SIM_FLOW_NET_H
#define SIM_FLOW_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/engine.h"

struct flow_net;

/** One message on its way, from flow_net_price(); hosts are the platform's. */
struct flow_message {
  double factor; /**< what reaches the receiver of the rate on the links */
  uint32_t src, dst;
  double latency_s; /**< until its flow starts, the model's factor included */
  double penalty;   /**< of the flow: maxmin.h */
  double bound;     /**< of the flow's rate in byte/s, before `factor` */
  bool linkless;    /**< over when the latency is */
};

/** @p c must outlive it. */
enum status flow_net_new(struct flow_net **out, const struct engine_config *c, struct err *e);

/** Accepts NULL. */
void flow_net_free(struct flow_net *n);

/** Fills the rest of @p msg, whose hosts are set, for a message of @p bytes, the envelope among
 *  them. */
enum status flow_net_price(struct flow_net *n, double bytes, struct flow_message *msg,
                           struct err *e);

/** Starts or ends the flow of a message that has paid its latency; @p flow is a number that no
 *  other one has meanwhile. */
enum status flow_net_start(struct flow_net *n, uint32_t flow, const struct flow_message *msg,
                           struct err *e);
void flow_net_end(struct flow_net *n, uint32_t flow);

/** Brings the rates up to date after flows have started and ended. */
void flow_net_settle(struct flow_net *n);

/** The rates themselves.  What a message's flow carries for the receiver is its level divided by
 *  its penalty, times its factor. */
const struct maxmin *flow_net_maxmin(const struct flow_net *n);

#endif
