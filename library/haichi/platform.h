/** @file platform.h
 *  A platform: hosts, links, and the routes between hosts.
 */
#ifndef HAICHI_PLATFORM_H
#define HAICHI_PLATFORM_H

#include <stdint.h>

#include <haichi/error.h>

struct haichi_platform;

/** Builds the platform of a spec, such as "torus:8x8x8" (`haichi list topologies`), with the
 *  parameters that `haichi platform` has by default, or reads a SimGrid XML file.  Refuses files
 *  that only SimGrid understands.  Free *out with haichi_platform_free(). */
HAICHI_PUBLIC enum haichi_status haichi_platform_open(struct haichi_platform **out,
                                                      const char *spec_or_path,
                                                      struct haichi_error *e);

/** Accepts NULL. */
HAICHI_PUBLIC void haichi_platform_free(struct haichi_platform *p);

/** Number of hosts, at least 1.  Hosts are numbered from 0. */
HAICHI_PUBLIC uint32_t haichi_platform_hosts(const struct haichi_platform *p);

/** Size in bytes of a buffer for any host name. */
#define HAICHI_NAME_SIZE 192

/** The name of a host: a string of the platform, or written to @p buffer.  @p host is below
 *  haichi_platform_hosts(). */
HAICHI_PUBLIC const char *haichi_platform_host_name(const struct haichi_platform *p, uint32_t host,
                                                    char buffer[HAICHI_NAME_SIZE]);

/** Finds a host by its name. */
HAICHI_PUBLIC enum haichi_status haichi_platform_find_host(const struct haichi_platform *p,
                                                           const char *name, uint32_t *host,
                                                           struct haichi_error *e);

/** Speed of a core in flop/s, and number of cores.  @p host is below haichi_platform_hosts(). */
HAICHI_PUBLIC double haichi_platform_host_speed(const struct haichi_platform *p, uint32_t host);
HAICHI_PUBLIC uint32_t haichi_platform_host_cores(const struct haichi_platform *p, uint32_t host);

/** The route from one host to another. */
struct haichi_route {
  uint32_t links;       /**< 0 only from a host without loopback to itself */
  double latency_s;     /**< sum over the links */
  double bandwidth_Bps; /**< minimum over the links, in byte/s; infinite without links */
};

/** Finds a route.  O(links) in a cluster; a zone with shortest-path routing needs a search. */
HAICHI_PUBLIC enum haichi_status haichi_platform_route(const struct haichi_platform *p,
                                                       uint32_t from, uint32_t to,
                                                       struct haichi_route *out,
                                                       struct haichi_error *e);

#endif
