/** @file platform.h
 *  A platform: hosts with names and speeds, links, routes between hosts, and what of these
 *  changes with time.  A platform file that haichi cannot express (Wi-Fi, random profiles, ...)
 *  is an opaque platform: only SimGrid understands it.  Reads and writes SimGrid 4.1 XML with
 *  libxml2; never uses SimGrid itself.
 */
#ifndef PLATFORMS_PLATFORM_H
#define PLATFORMS_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/factors.h"
#include "platforms/profile.h"
#include "platforms/topology/topology.h"

struct platform;

/** Buffer size in bytes that fits any host or link name of a topology. */
#define PLATFORM_NAME_SIZE 192

/** Most cores of a host. */
enum { PLATFORM_MOST_CORES = 1 << 20 };

/** Parameters that a spec leaves open, as text in SimGrid's units; NULL takes the default. */
struct platform_params {
  const char *speed;              /**< "1Gf" */
  const char *bandwidth;          /**< of a link, each way: "1.25GBps" */
  const char *latency;            /**< of a link: "100ns" */
  const char *loopback_bandwidth; /**< "10GBps" */
  const char *loopback_latency;   /**< "50ns" */
  uint32_t cores;                 /**< of every host; 0: 1 */
  const char *speeds; /**< "1Gf:3,2Gf": 3 hosts of 1Gf, 1 of 2Gf, and again to the last host;
                           "@FILE": one speed a line, a line for each host.  Overrides speed */
};

/** Does @p text name a topology ("torus:...") or several clusters ("clusters:...") rather than a
 *  file? */
bool platform_is_spec(const char *text);

/** The file that a spec of several clusters names; NULL if @p spec names none. */
const char *platform_spec_file(const char *spec);

/** Builds the platform of a spec; NULL @p params takes all defaults.  Several clusters have
 *  parameters of their own and take none of these.  On success *out is the caller's:
 *  platform_free(). */
enum status platform_from_spec(struct platform **out, const char *spec,
                               const struct platform_params *params, struct err *e);

/** Reads a SimGrid XML file.  A single cluster, in zones or not, has a topology, whoever wrote it;
 *  other zones, hosts and links have none.  What haichi does not understand is opaque: its hosts
 *  come from platform_set_hosts().  On success *out is the caller's: platform_free(). */
enum status platform_load(struct platform **out, const char *path, struct err *e);

/** Accepts NULL. */
void platform_free(struct platform *p);

/** Writes the SimGrid 4.1 XML of a platform that was built from a spec; refuses others, and
 *  topologies that SimGrid cannot simulate.  All or nothing; "-" is stdout. */
enum status platform_save(const struct platform *p, const char *path, struct err *e);

/** The same on @p f; the caller checks @p f for write errors. */
enum status platform_print(const struct platform *p, FILE *f, struct err *e);

/** Writes the file that @p p was loaded from, with a zone around a cluster that is in none. */
enum status platform_print_zoned(const struct platform *p, FILE *f, struct err *e);

/** Factors by message size, which a platform file sets for network model SMPI. */
enum platform_factor { PLATFORM_LATENCY_FACTOR, PLATFORM_BANDWIDTH_FACTOR, PLATFORM_FACTORS };

/** SimGrid's option that sets them: "smpi/lat-factor". */
const char *platform_factor_option(enum platform_factor which);

/** Those of a platform, owned by @p p; a count of 0: the model's own hold. */
const struct factors *platform_factors(const struct platform *p, enum platform_factor which);

/** Replaces them, for platform_save(); copies. */
void platform_set_factors(struct platform *p, enum platform_factor which, const struct factors *x);

/** The topology of a platform that is one cluster, owned by @p p; else NULL. */
const struct topology *platform_topology(const struct platform *p);

/** The same, but refuses what is no grid; the error says that @p what needs one. */
enum status platform_need_grid(const struct platform *p, const char *what,
                               const struct topology **out, struct err *e);

/** Does only SimGrid understand the platform? */
bool platform_is_opaque(const struct platform *p);

/** Refuses such a platform; the error says that @p what needs another. */
enum status platform_need_routes(const struct platform *p, const char *what, struct err *e);

/** Refuses an opaque platform with parts that change with simulated time or Wi-Fi; the error says
 *  that the first of these is beyond @p what. */
enum status platform_need_static(const struct platform *p, const char *what, struct err *e);

/** Refuses an opaque platform whose file names other files, such as profiles; the error gives
 *  @p what as the reason. */
enum status platform_need_whole(const struct platform *p, const char *what, struct err *e);

/** Refuses a platform whose hosts or links fail (state profiles). */
enum status platform_need_lasting(const struct platform *p, struct err *e);

/** File @p i of the profiles that a platform's file names, each once; NULL past the last. */
const char *platform_file(const struct platform *p, size_t i);

/** Number of profiles, and profile @p i, owned by @p p; none on an opaque platform. */
uint32_t platform_profiles(const struct platform *p);
const struct profile *platform_profile(const struct platform *p, uint32_t i);

/** The file it was loaded from, or the spec it was built from. */
const char *platform_name(const struct platform *p);

/** The file it was loaded from; NULL if it was built from a spec. */
const char *platform_path(const struct platform *p);

/** True if a cluster refuses connections from other clusters (property haichi.inbound). */
bool platform_has_firewalls(const struct platform *p);

/** Does its file have a cluster that is in no zone?  SimGrid 4.0 crashes on such a file;
 *  platform_print_zoned() writes another. */
bool platform_is_bare(const struct platform *p);

/** Number of hosts; on an opaque platform, of those given by platform_set_hosts(). */
uint32_t platform_hosts(const struct platform *p);

/** A host of an opaque platform. */
struct platform_host {
  const char *name;
  double speed; /**< of a core, in flop/s */
  uint32_t cores;
};

/** Gives an opaque platform its hosts, in the order in which ranks fill them; copies.  Refuses
 *  equal names; @p p is untouched on failure. */
enum status platform_set_hosts(struct platform *p, const struct platform_host *hosts, uint32_t n,
                               struct err *e);

/** A link. */
struct platform_link {
  const char *name; /**< on an opaque platform; platform_link_name() is for all */
  double bandwidth; /**< in byte/s */
  double latency_s; /**< unknown (0) on an opaque platform */
  bool fat;         /**< not shared: each flow has all of it (SimGrid's FATPIPE) */
};

/** The route between two hosts, its links in order; a link may occur twice.  No links and a latency
 *  of 0 mean that there is no route. */
struct platform_route {
  const uint32_t *link; /**< valid until the next call */
  uint32_t links;
  double latency_s; /**< sum over the links, in SimGrid's order of additions */
};

/** The source of an opaque platform's routes; its functions are as platform_route() and
 *  platform_link(). */
struct platform_router {
  void *data;
  enum status (*route)(void *data, uint32_t src, uint32_t dst, struct platform_route *out,
                       struct err *e);
  const struct platform_link *(*link)(const void *data, uint32_t link); /**< of a route */
  void (*close)(void *data);
};

/** Gives an opaque platform its router, which platform_free() closes. */
void platform_set_router(struct platform *p, struct platform_router router);

/** Finds routes; one for each thread. */
struct platform_finder;

/** @p p outlives it.  On success *out is the caller's: platform_finder_free(). */
enum status platform_finder_new(struct platform_finder **out, const struct platform *p,
                                struct err *e);

/** Accepts NULL. */
void platform_finder_free(struct platform_finder *f);

/** The route from @p src to @p dst, which may be the same host.  O(links) in clusters and routes
 *  that the file lists; zones of shortest paths search once from each source. */
enum status platform_route(struct platform_finder *f, uint32_t src, uint32_t dst,
                           struct platform_route *out, struct err *e);

/** The same for two hosts that must have a route: fails, with their names, if there is none. */
enum status platform_route_needed(struct platform_finder *f, uint32_t src, uint32_t dst,
                                  struct platform_route *out, struct err *e);

/** A link of a route; any link if the platform is not opaque. */
struct platform_link platform_link(const struct platform *p, uint32_t link);

/** Number of link ids, which link exists, and whether it is a loopback, which leads from a host to
 *  itself only; not for an opaque platform.  Links of the topology of a platform that is one
 *  cluster have the topology's ids. */
uint32_t platform_link_ids(const struct platform *p);
bool platform_has_link(const struct platform *p, uint32_t link);
bool platform_is_loopback(const struct platform *p, uint32_t link);

/** The SimGrid name of host @p h, composed in @p name (@p size bytes, PLATFORM_NAME_SIZE is enough)
 *  or a string of the platform's. */
const char *platform_host_name(const struct platform *p, uint32_t h, char *name, size_t size);

/** Writes the group of each host to @p group, platform_hosts() entries, and their number to
 *  *count.  Hosts of one group are alike: their routes to all others have equal latencies and
 *  hops, as those of one switch of a fat tree.  The platform is not opaque.  O(hosts log
 *  clusters). */
enum status platform_groups(const struct platform *p, uint32_t *group, uint32_t *count,
                            struct err *e);

/** Finds a host by name: O(clusters), or O(log hosts) on an opaque platform. */
bool platform_find_host(const struct platform *p, const char *name, uint32_t *h);

/** SimGrid's name of a link, composed in @p name (@p size bytes, PLATFORM_NAME_SIZE is enough) or a
 *  string of the platform's. */
const char *platform_link_name(const struct platform *p, uint32_t link, char *name, size_t size);

/** Speed of a core, in flop/s. */
double platform_host_speed(const struct platform *p, uint32_t h);
/** The same without the factor of a profile; on an opaque platform, platform_host_speed(). */
double platform_full_speed(const struct platform *p, uint32_t h);
/** Cores of host @p h. */
uint32_t platform_host_cores(const struct platform *p, uint32_t h);

/** Of each link and of each host's loopback, in byte/s and s; only where the platform is one
 *  cluster.
 */
double platform_bandwidth(const struct platform *p);
double platform_latency(const struct platform *p);
double platform_loopback_bandwidth(const struct platform *p);
double platform_loopback_latency(const struct platform *p);

#endif
