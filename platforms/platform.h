/** @file platform.h
 *  A platform: hosts with names and speeds, joined by a topology or, when the file is one that
 *  haichi cannot express (several zones, routes, ...), by something that only SimGrid knows.
 *  Reads and writes SimGrid 4.1 XML with libxml2; never uses SimGrid itself.
 */
#ifndef PLATFORMS_PLATFORM_H
#define PLATFORMS_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/topology/topology.h"

struct platform;

/** Room for any host or link name of a topology. */
#define PLATFORM_NAME_SIZE 192

/** What a spec leaves open, as text in SimGrid's units; NULL takes the default. */
struct platform_params {
  const char *speed;              /**< "1Gf" */
  const char *bandwidth;          /**< of a link, each way: "1.25GBps" */
  const char *latency;            /**< of a link: "100ns" */
  const char *loopback_bandwidth; /**< "10GBps" */
  const char *loopback_latency;   /**< "50ns" */
  const char *speeds; /**< "1Gf:3,2Gf": dealt to the hosts in turn, 3 of the first, 1 of the second,
                           again; "@FILE": one speed a line, as many as hosts.  Overrides speed */
};

/** Does @p text name a topology ("torus:...") rather than a file? */
bool platform_is_spec(const char *text);

/** Builds the platform of a topology spec.  On success *out is the caller's: platform_free(). */
enum status platform_from_spec(struct platform **out, const char *spec,
                               const struct platform_params *params, struct err *e);

/** Reads a SimGrid XML file.  One torus cluster (alone, or alone in zones) is understood whole,
 *  whoever wrote it; any other well-formed SimGrid platform is "foreign": see
 *  platform_topology() and platform_set_hosts(). */
enum status platform_load(struct platform **out, const char *path, struct err *e);

/** Accepts NULL. */
void platform_free(struct platform *p);

/** Writes SimGrid 4.1 XML; refuses a foreign platform.  All or nothing; "-" is stdout. */
enum status platform_save(const struct platform *p, const char *path, struct err *e);

/** The same on @p f; whether all of it could be written is the caller's to ask. */
enum status platform_print(const struct platform *p, FILE *f, struct err *e);

/** NULL on a foreign platform. */
const struct topology *platform_topology(const struct platform *p);

/** The same, but refuses a foreign platform in one sentence that says what needed it. */
enum status platform_need_topology(const struct platform *p, const char *what,
                                   const struct topology **out, struct err *e);

/** Refuses a foreign platform with parts that change with time (profiles), set SimGrid's options or
 *  are Wi-Fi; the sentence names the first and says that it is beyond
 *  @p what. */
enum status platform_need_static(const struct platform *p, const char *what, struct err *e);

/** Refuses a platform whose file names others, as profiles; @p what says why. */
enum status platform_need_whole(const struct platform *p, const char *what, struct err *e);

/** The file it was loaded from; NULL if it was built from a spec. */
const char *platform_path(const struct platform *p);

/** Hosts of the named topology; of a foreign platform, those given by platform_set_hosts(). */
uint32_t platform_hosts(const struct platform *p);

/** A host of a foreign platform. */
struct platform_host {
  const char *name;
  double speed; /**< of a core, in flop/s */
  uint32_t cores;
};

/** Gives a foreign platform its hosts, in the order in which ranks fill them; copies. */
enum status platform_set_hosts(struct platform *p, const struct platform_host *hosts, uint32_t n,
                               struct err *e);

/** A link of a foreign platform. */
struct platform_link {
  const char *name;
  double bandwidth; /**< in byte/s */
  bool fat;         /**< each flow may take all of it: SimGrid's FATPIPE */
};

/** The links between two hosts of a foreign platform, in order; a link may come twice.  Without
 *  links and latency there is no route. */
struct platform_route {
  const uint32_t *link; /**< the router's, valid until the next call */
  uint32_t links;
  double latency_s;
};

/** What knows the routes of a foreign platform. */
struct platform_router {
  void *data;
  enum status (*route)(void *data, uint32_t src, uint32_t dst, struct platform_route *out,
                       struct err *e);
  const struct platform_link *(*link)(const void *data, uint32_t link); /**< of a route */
  void (*close)(void *data);
};

/** Gives a foreign platform its router, which it closes in the end. */
void platform_set_router(struct platform *p, struct platform_router router);

/** What the router of a foreign platform says. */
enum status platform_route(const struct platform *p, uint32_t src, uint32_t dst,
                           struct platform_route *out, struct err *e);
const struct platform_link *platform_link(const struct platform *p, uint32_t link);

/** The SimGrid name of host @p h, written to @p name (size @p size) if it has to be composed. */
const char *platform_host_name(const struct platform *p, uint32_t h, char *name, size_t size);

/** Finds a host by name: O(1) on a topology, O(log hosts) on a foreign platform. */
bool platform_find_host(const struct platform *p, const char *name, uint32_t *h);

/** SimGrid's name of link @p link of the topology. */
void platform_link_name(const struct platform *p, uint32_t link, char *name, size_t size);

/** Of a core, in flop/s. */
double platform_host_speed(const struct platform *p, uint32_t h);
/** The same before the host's own factor; of a foreign platform, platform_host_speed(). */
double platform_full_speed(const struct platform *p, uint32_t h);
uint32_t platform_host_cores(const struct platform *p, uint32_t h);

/** In byte/s and s; not for a foreign platform. */
double platform_bandwidth(const struct platform *p);
double platform_latency(const struct platform *p);
double platform_loopback_bandwidth(const struct platform *p);
double platform_loopback_latency(const struct platform *p);

#endif
