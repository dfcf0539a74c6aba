/** @file cluster.h
 *  A cluster: a topology with names, speeds and link attributes, as built by SimGrid's <cluster>
 *  (src/surf/sg_platf.cpp of 3.32).  Stores nothing per host.  For platforms/ only.
 *
 *  Hosts are 0..hosts-1; on a star, the next number is the router.  Links are numbered from 0: the
 *  links of the topology, a loopback for each host, then a limiter for each host and for each
 *  switch.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/topology/kind.h"

/** Maximum length of an id, prefix or suffix in bytes.  Keeps every name within PLATFORM_NAME_SIZE.
 */
#define CLUSTER_PART_MAX 60

/** Host names with the numbers first..last belong to the hosts from @p host on. */
struct cluster_range {
  uint32_t first, last, host;
};

struct cluster {
  struct topology *topology; /**< owned */
  char id[CLUSTER_PART_MAX + 1];
  char prefix[CLUSTER_PART_MAX + 1], suffix[CLUSTER_PART_MAX + 1]; /**< parts of host names */
  char router[3 * CLUSTER_PART_MAX + 8]; /**< name of the router; "": none */
  struct cluster_range *range;           /**< owned; NULL: host h has the number h */
  uint32_t ranges;
  double speed; /**< of a core, in flop/s */
  uint32_t cores;
  double bandwidth, latency; /**< bandwidth and latency of topology links */
  bool split; /**< each cable is two links, one per direction; if false, one link for both */
  double loopback_bandwidth, loopback_latency; /**< a bandwidth of 0: no loopbacks */
  double limiter;                              /**< bandwidth of the limiters; 0: no limiters */
  bool no_inbound;                             /**< refuses connections from other clusters */
};

struct link_info {
  double bandwidth; /**< byte/s */
  double latency;   /**< s */
  bool fat;         /**< each flow has the full bandwidth (SimGrid's FATPIPE) */
};

/** The factor by which SimGrid multiplies @p fastest to get exactly @p speed, or the nearest factor
 *  if none is exact.  0 if the ratio is too small for a double. */
double cluster_scale(double speed, double fastest);

/** Frees the topology and the ranges. */
void cluster_clear(struct cluster *c);

/** Number of link ids. */
uint32_t cluster_links(const struct cluster *c);

/** True if the link exists.  If each cable is one link for both directions, only the upward link
 *  exists. */
bool cluster_has_link(const struct cluster *c, uint32_t link);

/** True if the link is a loopback. */
bool cluster_is_loopback(const struct cluster *c, uint32_t link);

struct link_info cluster_link(const struct cluster *c, uint32_t link);
void cluster_link_name(const struct cluster *c, uint32_t link, char *name, size_t size);

/** Writes the group of a link in pictures, such as "level 1 up". */
void cluster_link_group(const struct cluster *c, uint32_t link, char *name, size_t size);

/** Writes the name PREFIX K SUFFIX of a host; finds a host by this name, false if there is none. */
void cluster_host_name(const struct cluster *c, uint32_t host, char *name, size_t size);
bool cluster_find_host(const struct cluster *c, const char *name, uint32_t *host);

/** True if @p name names a host of the torus that carries a mesh, even if the mesh lacks the host.
 */
bool cluster_carries(const struct cluster *c, const char *name);

/** Appends the route from @p src to @p dst (hosts or the router) to @p p.  Adds its latency to
 *  *latency_s in SimGrid's order.  @p p must have room for topology_longest() entries.  Appends
 *  nothing if SimGrid has no route. */
void cluster_route(const struct cluster *c, uint32_t src, uint32_t dst, struct topology_path *p,
                   double *latency_s);
