/** @file metrics.h
 *  Static metrics of a mapping: hops of the traffic and loads of the links, computed from the
 *  routes that SimGrid simulates, without simulated time.
 *
 *  Hops and link loads in bytes count only links between nodes: messages between ranks on one host,
 *  or between cores of one node, cross no link and have dilation 0.  Links inside nodes count only
 *  in max_link_load_s.  Messages of a rank to itself are not counted.
 */
#pragma once

#include <stdint.h>

#include "common/column.h"
#include "common/err.h"
#include "platforms/inside/inside.h"
#include "platforms/mapping/mapping.h"
#include "traces/matrix/matrix.h"

struct metrics {
  uint64_t pairs;               /**< directed pairs of different ranks that communicate */
  uint64_t bytes;               /**< exchanged by these pairs */
  uint64_t hop_bytes;           /**< sum of bytes * hops */
  double dilation_mean;         /**< mean hops of a pair; 0 without pairs */
  uint32_t dilation_max;        /**< most hops of a pair */
  uint64_t max_link_load_bytes; /**< load of the most loaded directed link */
  double mean_link_load_bytes;  /**< mean load of the links; 0 without links */
  uint64_t cardinality;         /**< undirected pairs of ranks on neighbouring hosts (Horiike's
                                     cardinality, after Bokhari); 0 if no link joins two hosts, as
                                     on fat trees */
  double max_link_load_s;       /**< largest quotient of bytes and bandwidth of a link */
  double mean_latency_s;        /**< mean latency of the routes, weighted by bytes */
  double estimated_time_s;      /**< by estimate.h; set by the caller, not by metrics_compute() */
  uint64_t level_bytes[INSIDE_MOST_LEVELS]; /**< of nodes with an inside: [l] is the bytes between
                                     different objects of level l; [0]: between nodes */
};

/** The metrics that score a mapping.  Pairs and bytes depend on the traffic alone and are not
 *  listed. */
extern const struct column metrics_columns[];

/** @p p must not be opaque.  Time: the sum of the hops of all routes.  Memory: one counter per
 *  link.  Fails if hop-bytes reach 2^63 or if the matrix names a rank that the mapping does not
 *  have. */
enum status metrics_compute(struct metrics *out, const struct platform *p, const struct mapping *m,
                            const struct matrix *traffic, struct err *e);
