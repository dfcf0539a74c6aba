/** @file metrics.h
 *  Static metrics of a mapping, computed from the routes without simulation.
 */
#ifndef HAICHI_METRICS_H
#define HAICHI_METRICS_H

#include <stdint.h>

#include <haichi/mapping.h>
#include <haichi/traffic.h>

/** Messages between ranks of one host cross no link.  Messages of a rank to itself do not count.
 *  In C++, too, the type is `struct haichi_metrics`: the function below has the same name. */
struct haichi_metrics {
  uint64_t hop_bytes;           /**< sum of bytes * links of the route */
  double dilation_mean;         /**< mean links of the routes of all pairs that communicate */
  uint32_t dilation_max;        /**< maximum links of such a route */
  uint64_t max_link_load_bytes; /**< bytes over the most loaded directed link */
  double mean_link_load_bytes;  /**< mean over all links */
  double max_link_load_s;       /**< maximum quotient of bytes and bandwidth of a link, in s */
  double mean_latency_s;        /**< mean latency of the routes, weighted by bytes, in s */
};

/** Computes the metrics of @p m.  O(links of all routes).  Fails if the traffic has more ranks than
 *  the mapping. */
HAICHI_PUBLIC enum haichi_status haichi_metrics(struct haichi_metrics *out,
                                                const struct haichi_platform *p,
                                                const struct haichi_traffic *traffic,
                                                const struct haichi_mapping *m,
                                                struct haichi_error *e);

#endif
