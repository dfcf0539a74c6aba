/** @file cluster.h
 *  A cluster: a topology with names, speeds and the attributes of its links, as SimGrid's <cluster>
 *  makes it (src/surf/sg_platf.cpp of 3.32).  Nothing is stored for a host.  For platforms/ only.
 *
 *  Hosts are 0..hosts-1; the number after the last is the router, where there is one (stars).
 *  Links are numbered from 0: the topology's, then a loopback for each host, then limiters, one for
 *  each host and then for each switch.
 */
#ifndef PLATFORMS_NETWORK_CLUSTER_H
#define PLATFORMS_NETWORK_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/topology/kind.h"

/** Longest id, prefix or suffix, in bytes; keeps every name within PLATFORM_NAME_SIZE. */
#define CLUSTER_PART_MAX 60

/** Numbers first..last in the names of hosts, the first of them of host @p host. */
struct cluster_range {
  uint32_t first, last, host;
};

struct cluster {
  struct topology *topology; /**< owned */
  char id[CLUSTER_PART_MAX + 1];
  char prefix[CLUSTER_PART_MAX + 1], suffix[CLUSTER_PART_MAX + 1]; /**< of host names */
  char router[3 * CLUSTER_PART_MAX + 8]; /**< name of the router; "": none */
  struct cluster_range *range;           /**< owned; NULL: host h has number h */
  uint32_t ranges;
  double speed; /**< of a core, in flop/s */
  uint32_t cores;
  double bandwidth, latency; /**< of the topology's links */
  bool split;                /**< a cable is two links, one a direction; else one for both */
  double loopback_bandwidth, loopback_latency; /**< bandwidth 0: no loopbacks */
  double limiter;                              /**< bandwidth; 0: no limiters */
  bool no_inbound;                             /**< takes no connections from other clusters */
};

struct link_info {
  double bandwidth; /**< byte/s */
  double latency;   /**< s */
  bool fat;         /**< each flow has all of it (SimGrid's FATPIPE) */
};

/** The factor with which SimGrid gets exactly @p speed from @p fastest, where one exists; else the
 *  nearest.  0: they are too far apart. */
double cluster_scale(double speed, double fastest);

/** Frees what the cluster owns. */
void cluster_clear(struct cluster *c);

/** Number of link ids. */
uint32_t cluster_links(const struct cluster *c);

/** Does the link exist?  Where cables are one link for both ways, only the one that goes up. */
bool cluster_has_link(const struct cluster *c, uint32_t link);

/** Is the link a host's loopback? */
bool cluster_is_loopback(const struct cluster *c, uint32_t link);

struct link_info cluster_link(const struct cluster *c, uint32_t link);
void cluster_link_name(const struct cluster *c, uint32_t link, char *name, size_t size);

/** The group of a link in pictures, as "level 1 up". */
void cluster_link_group(const struct cluster *c, uint32_t link, char *name, size_t size);

/** The name PREFIX K SUFFIX of a host, and back; false if no host has it. */
void cluster_host_name(const struct cluster *c, uint32_t host, char *name, size_t size);
bool cluster_find_host(const struct cluster *c, const char *name, uint32_t *host);

/** Is it the name of a host of the torus that carries a mesh, whether the mesh has it or not? */
bool cluster_carries(const struct cluster *c, const char *name);

/** Appends the route from @p src to @p dst, hosts or the router, to @p p, and adds its latency to
 *  *latency_s in SimGrid's order of additions.  @p p has topology_longest() entries left.  Nothing
 *  is appended where SimGrid has no route. */
void cluster_route(const struct cluster *c, uint32_t src, uint32_t dst, struct topology_path *p,
                   double *latency_s);

#endif
