/** @file topology.h
 *  Network topologies as pure arithmetic: numbers of hosts and links, hops, and the routes that
 *  SimGrid 3.32 simulates.  No SimGrid, no I/O and no table that grows with the hosts.
 *
 *  Hosts are 0..topology_hosts()-1.  Links are directed; ids lie in 0..topology_link_ids()-1, and
 *  some of them may name no link.  Loopbacks are no links of a topology.  A topology does not
 *  change once built; threads may share one.  Each kind is one file and one row of topology.c; what
 *  only grids have (sides, coordinates) is in grid.h.
 *
 *  A topology, and the torus that carries a mesh, has at most 2^26 hosts.
 */
#ifndef PLATFORMS_TOPOLOGY_TOPOLOGY_H
#define PLATFORMS_TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"

#define TOPOLOGY_MAX_HOSTS (1u << 26)

struct topology;

/** Of struct topology_kind (kind.h): the kinds, with whose names specs begin. */
extern const struct registry topologies;

/** An example of a spec of kind @p i, and one line about it; i is below the number of kinds. */
const char *topology_example(size_t i);
const char *topology_help(size_t i);

/** Does @p text begin with the name of a kind and a colon? */
bool topology_is_spec(const char *text);

/** Does the spec name several clusters, which are no one topology? */
bool topology_is_multicluster(const char *spec);

/** Refuses a topology that SimGrid cannot simulate: a kind that it does not have, and a dragonfly
 *  of more groups than a chassis has routers, for which it reads past the end of its tables. */
enum status topology_check_simgrid(const struct topology *t, struct err *e);

/** Builds the topology that @p spec names.  On success *out is the caller's: topology_free(). */
enum status topology_new(struct topology **out, const char *spec, struct err *e);

/** Accepts NULL. */
void topology_free(struct topology *t);

/** The canonical spec, e.g. "torus:8x8x4", owned by @p t. */
const char *topology_spec(const struct topology *t);

/** Number of hosts. */
uint32_t topology_hosts(const struct topology *t);

/** Number of link ids, number of links that exist, and whether link @p link exists. */
uint32_t topology_link_ids(const struct topology *t);
uint32_t topology_links(const struct topology *t);
bool topology_has_link(const struct topology *t, uint32_t link);

/** Hops of the route between two hosts: its links; 0 between equal hosts.  O(dimensions or levels).
 */
uint32_t topology_hops(const struct topology *t, uint32_t src, uint32_t dst);

/** Hops of the longest route. */
uint32_t topology_diameter(const struct topology *t);

/** Width of the best cut between two equal halves that follows the structure of the topology, both
 *  ways, in links of the usual bandwidth; 0 for one host.
 *  Grids: hosts one apart where the number is odd; across an even side a cut crosses the middle of
 *  all lines, across an odd one it leaves the middle layer, which is cut across another side.
 *  Fat trees: below the top switches.  Dragonflies: between groups, chassis or routers.  Stars:
 *  half the hosts' links, without the backbone. */
double topology_bisection(const struct topology *t);

/** Writes the links from @p src to @p dst in order and returns their number; none between equal
 *  hosts.  The route is the one that SimGrid simulates, ties included.  @p links holds at least
 *  topology_diameter() entries.  O(links). */
uint32_t topology_route(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *links);

#endif
