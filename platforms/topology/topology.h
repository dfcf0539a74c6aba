/** @file topology.h
 *  Network topologies computed by arithmetic: numbers of hosts and links, hops, and the routes that
 *  SimGrid 3.32 simulates.  Uses no SimGrid.  Only networks that are read from files
 *  (platforms/fabric/) have tables that grow with the hosts.
 *
 *  Hosts are 0..topology_hosts()-1.  Links are directed; their ids are in 0..topology_link_ids()-1,
 *  but an id may name no link.  Loopbacks are not part of a topology.  A topology does not change
 *  once built; threads may share it.  Each kind is one file and one row of topology.c.  Functions
 *  for grids only (sides, coordinates) are in grid.h.
 *
 *  A topology, or the torus that carries a mesh, has at most 2^26 hosts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"

#define TOPOLOGY_MAX_HOSTS (1u << 26)

struct topology;

/** The kinds of topologies, with which specs begin.  Rows are struct topology_kind (kind.h). */
extern const struct registry topologies;

/** An example of a spec of kind @p i, and its line of help.  @p i must be below the number of
 *  kinds. */
const char *topology_example(size_t i);
const char *topology_help(size_t i);

/** True if the spec describes several clusters instead of one topology. */
bool topology_is_multicluster(const char *spec);

/** Refuses topologies that SimGrid cannot simulate: kinds that it lacks, and dragonflies with more
 *  groups than routers in a chassis, for which it reads past the end of its tables. */
enum status topology_check_simgrid(const struct topology *t, struct err *e);

/** Builds the topology of @p spec.  On success the caller owns *out: topology_free(). */
enum status topology_new(struct topology **out, const char *spec, struct err *e);

/** Accepts NULL. */
void topology_free(struct topology *t);

/** The canonical spec, such as "torus:8x8x4", owned by @p t. */
const char *topology_spec(const struct topology *t);

/** Name @p i of the files that the topology was read from, owned by @p t; NULL past the last. */
const char *topology_file(const struct topology *t, size_t i);

/** Number of hosts. */
uint32_t topology_hosts(const struct topology *t);

/** Number of link ids; number of existing links; whether @p link exists. */
uint32_t topology_link_ids(const struct topology *t);
uint32_t topology_links(const struct topology *t);
bool topology_has_link(const struct topology *t, uint32_t link);

/** Number of links of the route between two hosts; 0 between equal hosts.  O(dimensions or levels).
 */
uint32_t topology_hops(const struct topology *t, uint32_t src, uint32_t dst);

/** Number of links of the longest route. */
uint32_t topology_diameter(const struct topology *t);

/** Width of the best bisection that follows the structure of the topology: number of cut links of
 *  standard bandwidth, in both directions; 0 for one host.  Grids: if the number of hosts is odd,
 *  the halves differ by one host.  A cut across an even side crosses all lines along the side in
 *  the middle.  A cut across an odd side passes around the middle layer, which is cut across
 *  another side.  Fat trees: below the top switches.  Dragonflies: between groups, chassis or
 *  routers.  Stars: half of the host links, without the backbone.  NaN for networks read from
 *  files, whose bisection is not known. */
double topology_bisection(const struct topology *t);

/** Writes the links from @p src to @p dst in order and returns their number; 0 between equal hosts.
 *  The route is the one that SimGrid simulates, including ties.  @p links must have room for
 *  topology_diameter() entries.  O(links). */
uint32_t topology_route(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *links);
