/** @file metrics.h
 *  Static metrics of a mapping: hops of the traffic and loads of the links, by arithmetic on the
 *  routes that SimGrid simulates, without simulated time.
 *
 *  Messages between ranks of one host cross no link and have dilation 0; those of a rank to itself
 *  count nowhere.
 */
#ifndef MAPPERS_METRICS_H
#define MAPPERS_METRICS_H

#include <stdint.h>

#include "common/column.h"
#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "traces/matrix/matrix.h"

struct metrics {
  uint64_t pairs;               /**< directed pairs of different ranks that communicate */
  uint64_t bytes;               /**< that they exchange */
  uint64_t hop_bytes;           /**< sum of bytes * hops */
  double dilation_mean;         /**< mean hops of a pair's route; 0 without pairs */
  uint32_t dilation_max;        /**< hops */
  uint64_t max_link_load_bytes; /**< on the most loaded directed link */
  double mean_link_load_bytes;  /**< over all links but loopbacks; 0 without links */
  uint64_t cardinality;   /**< undirected pairs of ranks whose hosts are neighbours: the arcs mapped
                               onto links (Horiike's cardinality, after Bokhari); 0 where no link
                               joins two hosts, as on fat trees */
  double max_link_load_s; /**< bytes over bandwidth of the link where that is largest */
  double mean_latency_s;  /**< of the routes, weighted by their bytes */
};

/** The figures that score a mapping; pairs and bytes are the traffic's. */
extern const struct column metrics_columns[];

/** The platform is not opaque.  Time: the sum of the routes' hops.  Memory: one counter a link.
 *  Fails if hop-bytes reach 2^63 or if the matrix names a rank that the mapping does not have. */
enum status metrics_compute(struct metrics *out, const struct platform *p, const struct mapping *m,
                            const struct matrix *traffic, struct err *e);

#endif
