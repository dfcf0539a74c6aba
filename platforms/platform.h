/** @file platform.h
 *  A platform: hosts with names and speeds, links, routes between hosts, and profiles of values
 *  that change with time.  If haichi cannot represent a platform file (Wi-Fi, random profiles,
 *  ...), the platform is opaque: only SimGrid understands it.  Reads and writes SimGrid 4.1 XML
 *  with libxml2, without SimGrid.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/calibrated.h"
#include "platforms/factors.h"
#include "platforms/profile.h"
#include "platforms/smpi.h"
#include "platforms/topology/topology.h"

struct platform;

/** Size in bytes of a buffer for any host or link name of a topology. */
#define PLATFORM_NAME_SIZE 192

/** Maximum number of cores of a host. */
enum { PLATFORM_MOST_CORES = 1 << 20 };

/** Parameters that are not part of a spec, as text in SimGrid's units.  NULL selects the default.
 */
struct platform_params {
  const char *speed;              /**< of a core; default "1Gf" */
  const char *bandwidth;          /**< of a link, per direction; default "1.25GBps" */
  const char *latency;            /**< of a link; default "100ns" */
  const char *loopback_bandwidth; /**< default "10GBps" */
  const char *loopback_latency;   /**< default "50ns" */
  uint32_t cores;                 /**< cores of every host; 0: 1 */
  /** Speeds of the hosts; override `speed`.  "1Gf:3,2Gf": 3 hosts of 1Gf, then 1 of 2Gf, repeated
   *  up to the last host.  "@FILE": one speed per line and host. */
  const char *speeds;
};

/** True if @p text is the spec of a topology ("torus:...") or of several clusters ("clusters:..."),
 *  not a file name. */
bool platform_is_spec(const char *text);

/** Builds the platform of a spec, SPEC[,node=TEXT][,names=LIST].  TEXT describes the inside of the
 *  nodes (inside/inside.h).  LIST is a host list (mapping/hostlist.h) with the names of the hosts,
 *  or "@FILE", a file with the names in its lines.  @p params NULL selects all defaults; specs of
 *  several clusters have their own parameters and ignore @p params.  On success the caller owns
 *  *out: platform_free(). */
enum status platform_from_spec(struct platform **out, const char *spec,
                               const struct platform_params *params, struct err *e);

/** The text of platform @p text with the inside @p node of its hosts (--node) and with the host
 *  names in the lines of the file @p names (--names).  Each may be NULL: not given.  Refuses what
 *  @p text gives too.  The caller frees the text with free().  Returns NULL and fills @p e on
 *  failure. */
char *platform_text(const char *text, const char *node, const char *names, struct err *e);

/** Reads a SimGrid XML file.  The path may end in ",node=..." and ",names=...", as a spec.  A
 *  platform that is a single cluster, inside zones or not, has a topology; other platforms have
 *  none.  The platform is opaque if haichi cannot represent the file; the caller then sets its
 *  hosts with platform_set_hosts().  On success the caller owns *out: platform_free(). */
enum status platform_load(struct platform **out, const char *path, struct err *e);

/** Accepts NULL. */
void platform_free(struct platform *p);

/** True if platform_save() can write the platform: it was built from a spec, and SimGrid can
 *  simulate its topology. */
bool platform_savable(const struct platform *p);

/** Writes a platform that was built from a spec as SimGrid 4.1 XML.  Refuses other platforms, and
 *  topologies that SimGrid cannot simulate.  Leaves no partial file on failure.  "-" is standard
 *  output. */
enum status platform_save(const struct platform *p, const char *path, struct err *e);

/** Like platform_save(), to @p f.  The caller checks @p f for write errors. */
enum status platform_print(const struct platform *p, FILE *f, struct err *e);

/** Writes the XML of @p p with a zone around a cluster that is outside any zone. */
enum status platform_print_zoned(const struct platform *p, FILE *f, struct err *e);

/** Factors by message size that a platform file sets for the SMPI network model. */
enum platform_factor { PLATFORM_LATENCY_FACTOR, PLATFORM_BANDWIDTH_FACTOR, PLATFORM_FACTORS };

/** The SimGrid option of a factor, such as "smpi/lat-factor". */
const char *platform_factor_option(enum platform_factor which);

/** The factors set by the platform, owned by @p p.  If their count is 0, the network model uses its
 *  own. */
const struct factors *platform_factors(const struct platform *p, enum platform_factor which);

/** Further options of SMPI that the platform file sets, owned by @p p. */
const struct smpi_options *platform_smpi(const struct platform *p);

/** Replaces the factors that platform_save() writes.  Copies @p x. */
void platform_set_factors(struct platform *p, enum platform_factor which, const struct factors *x);

/** The messages that the platform was calibrated with, owned by @p p; zeroed if it does not state
 *  them. */
const struct calibrated *platform_calibrated(const struct platform *p);

/** Sets the range that platform_save() writes, as the property haichi.calibrated. */
void platform_set_calibrated(struct platform *p, const struct calibrated *x);

/** The topology of a platform that is one cluster, owned by @p p; NULL for other platforms. */
const struct topology *platform_topology(const struct platform *p);

/** Like platform_topology(), but fails if the topology is not a grid.  The error says that @p what
 *  needs a grid. */
enum status platform_need_grid(const struct platform *p, const char *what,
                               const struct topology **out, struct err *e);

/** True if only SimGrid understands the platform. */
bool platform_is_opaque(const struct platform *p);

/** Fails on an opaque platform.  The error says that @p what needs another platform. */
enum status platform_need_routes(const struct platform *p, const char *what, struct err *e);

/** Fails on an opaque platform with Wi-Fi or with parts that change over simulated time.  The error
 *  names the first such part and says that it is beyond @p what. */
enum status platform_need_static(const struct platform *p, const char *what, struct err *e);

/** Fails on an opaque platform whose file names other files, such as profiles.  The error gives @p
 *  what as the reason. */
enum status platform_need_whole(const struct platform *p, const char *what, struct err *e);

/** Refuses a platform whose hosts or links can fail (state profiles). */
enum status platform_need_lasting(const struct platform *p, struct err *e);

/** Name @p i of the distinct files that the platform was read from, besides platform_path():
 *  profiles, the file of a spec, a file of names; NULL past the last. */
const char *platform_file(const struct platform *p, size_t i);

/** Number of profiles, and profile @p i, owned by @p p.  Opaque platforms have none. */
uint32_t platform_profiles(const struct platform *p);
const struct profile *platform_profile(const struct platform *p, uint32_t i);

/** The file or spec of the platform. */
const char *platform_name(const struct platform *p);

/** The file of the platform; NULL if it was built from a spec. */
const char *platform_path(const struct platform *p);

/** True if a cluster refuses connections from other clusters (property haichi.inbound). */
bool platform_has_firewalls(const struct platform *p);

/** True if the platform file has a cluster outside any zone.  SimGrid 4.0 crashes on such a file;
 *  platform_print_zoned() writes one that works. */
bool platform_is_bare(const struct platform *p);

struct inside;

/** The inside of the nodes (platforms/inside/inside.h), owned by @p p; NULL if they have none. With
 *  an inside, the hosts of a platform are the cores of its nodes: host h is core h % cores of node
 *  h / cores, and is named NODE.CORE.  The hosts have one core each. */
const struct inside *platform_inside(const struct platform *p);

/** The platform whose hosts are the nodes, without their inside, owned by @p p; @p p itself if the
 *  nodes have none.  Its hosts have the cores of a node.  It has the topology of the network. */
const struct platform *platform_nodes(const struct platform *p);

/** The node of host @p h; @p h itself if nodes have no inside. */
uint32_t platform_node(const struct platform *p, uint32_t h);

/** True if the link is inside a node.  Such links have the highest ids. */
bool platform_is_inside(const struct platform *p, uint32_t link);

/** Number of hosts; on an opaque platform, as set by platform_set_hosts(). */
uint32_t platform_hosts(const struct platform *p);

/** A host of an opaque platform. */
struct platform_host {
  const char *name;
  double speed; /**< speed of a core in flop/s */
  uint32_t cores;
};

/** Sets the hosts of an opaque platform, in the order in which ranks fill them.  Copies @p hosts.
 *  Refuses equal names.  @p p is unchanged on failure. */
enum status platform_set_hosts(struct platform *p, const struct platform_host *hosts, uint32_t n,
                               struct err *e);

struct platform_link {
  const char *name; /**< set on opaque platforms only; platform_link_name() works on all */
  double bandwidth; /**< in byte/s */
  double latency_s; /**< 0 (unknown) on an opaque platform */
  bool fat;         /**< not shared: each flow has the full bandwidth (SimGrid's FATPIPE) */
};

/** The route between two hosts: its links in order.  A link may occur twice.  No links and latency
 *  0 mean that there is no route. */
struct platform_route {
  const uint32_t *link; /**< valid until the next call */
  uint32_t links;
  double latency_s; /**< sum over the links, added in SimGrid's order */
};

/** The source of routes of an opaque platform.  Its functions correspond to platform_route() and
 *  platform_link(). */
struct platform_router {
  void *data;
  enum status (*route)(void *data, uint32_t src, uint32_t dst, struct platform_route *out,
                       struct err *e);
  const struct platform_link *(*link)(const void *data, uint32_t link); /**< of a returned route */
  void (*close)(void *data);
};

/** Sets the router of an opaque platform.  platform_free() closes it. */
void platform_set_router(struct platform *p, struct platform_router router);

/** Finds routes.  Each thread needs its own finder. */
struct platform_finder;

/** @p p must outlive *out.  On success the caller owns *out: platform_finder_free(). */
enum status platform_finder_new(struct platform_finder **out, const struct platform *p,
                                struct err *e);

/** Accepts NULL. */
void platform_finder_free(struct platform_finder *f);

/** The route from @p src to @p dst, which may be the same host.  O(links) in clusters and for
 *  routes listed in the file.  Zones with shortest-path routing need one search per source. */
enum status platform_route(struct platform_finder *f, uint32_t src, uint32_t dst,
                           struct platform_route *out, struct err *e);

/** Like platform_route(), but fails if there is no route.  The error names both hosts. */
enum status platform_route_needed(struct platform_finder *f, uint32_t src, uint32_t dst,
                                  struct platform_route *out, struct err *e);

/** A link.  On an opaque platform, only a link of a returned route. */
struct platform_link platform_link(const struct platform *p, uint32_t link);

/** Number of link ids; whether a link exists; whether it is a loopback, which leads from a host to
 *  itself.  Not for opaque platforms.  If the platform is a single cluster, topology links have the
 *  ids of the topology. */
uint32_t platform_link_ids(const struct platform *p);
bool platform_has_link(const struct platform *p, uint32_t link);
bool platform_is_loopback(const struct platform *p, uint32_t link);

/** The name of host @p h: a string owned by the platform, or written to @p name of @p size
 *  bytes (PLATFORM_NAME_SIZE is enough). */
const char *platform_host_name(const struct platform *p, uint32_t h, char *name, size_t size);

/** Like platform_host_name() and platform_find_host(), with the names that SimGrid knows: without
 *  names given by ",names=" or by a property of the file. */
const char *platform_simgrid_host(const struct platform *p, uint32_t h, char *name, size_t size);
bool platform_find_simgrid_host(const struct platform *p, const char *name, uint32_t *h);

/** Finds a host by name.  O(clusters), or O(log hosts) on an opaque platform. */
bool platform_find_host(const struct platform *p, const char *name, uint32_t *h);

/** The SimGrid name of a link: a string owned by the platform, or written to @p name of @p size
 *  bytes (PLATFORM_NAME_SIZE is enough). */
const char *platform_link_name(const struct platform *p, uint32_t link, char *name, size_t size);

/** Speed of a core in flop/s. */
double platform_host_speed(const struct platform *p, uint32_t h);
/** Speed of a core in flop/s without a constant profile factor; on an opaque platform the same as
 *  platform_host_speed(). */
double platform_full_speed(const struct platform *p, uint32_t h);
/** Cores of host @p h. */
uint32_t platform_host_cores(const struct platform *p, uint32_t h);

/** Bandwidth in byte/s and latency in s of each link and of each loopback.  Only for a platform
 *  that is one cluster. */
double platform_bandwidth(const struct platform *p);
double platform_latency(const struct platform *p);
double platform_loopback_bandwidth(const struct platform *p);
double platform_loopback_latency(const struct platform *p);
