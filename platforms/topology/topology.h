/** @file topology.h
 *  Network topologies as pure arithmetic: numbering of hosts and links, hops and dimension-order
 *  routes.  No SimGrid, no I/O and no table that grows with the hosts.
 *
 *  Hosts are 0..topology_hosts()-1, X fastest.  Links are directed; a link's id is
 *  (host it leaves * dimensions + dimension) * 2 + (1 if it goes down), so ids lie in
 *  0..topology_link_ids()-1 and some of them name no link: the wrap-around of a mesh, and on a
 *  ring of 2 the second link of each direction.  A topology does not change once built; threads
 *  may share one.
 *
 *  Specs: "torus:8x8x4" and "mesh:16x16" (1 to 8 sides of 1 or more), "hypercube:9" (1 to 20).
 *  A topology, and the torus that carries a mesh, has at most 2^26 hosts.
 */
#ifndef PLATFORMS_TOPOLOGY_TOPOLOGY_H
#define PLATFORMS_TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"

#define TOPOLOGY_MAX_DIMS  20
#define TOPOLOGY_MAX_HOSTS (1u << 26)

enum topology_kind { TOPOLOGY_TORUS, TOPOLOGY_MESH, TOPOLOGY_HYPERCUBE };

struct topology;

/** Of the kinds, with whose names specs begin. */
extern const struct registry topologies;

/** Does @p text begin with the name of a kind and a colon? */
bool topology_is_spec(const char *text);

/** Builds the topology that @p spec names.  On success *out is the caller's: topology_free(). */
enum status topology_new(struct topology **out, const char *spec, struct err *e);

/** Accepts NULL. */
void topology_free(struct topology *t);

/** The canonical spec, e.g. "torus:8x8x4", owned by @p t; and the kind. */
const char *topology_spec(const struct topology *t);
enum topology_kind topology_kind(const struct topology *t);

/** The sides in hosts, *ndims of them (2, 2, ..., 2 for a hypercube), owned by @p t. */
const uint32_t *topology_sides(const struct topology *t, uint32_t *ndims);

/** Number of hosts. */
uint32_t topology_hosts(const struct topology *t);

/** Number of link ids, number of links that exist, and whether link @p link exists. */
uint32_t topology_link_ids(const struct topology *t);
uint32_t topology_links(const struct topology *t);
bool topology_has_link(const struct topology *t, uint32_t link);

/** Hops of the route between two hosts; 0 iff they are equal. */
uint32_t topology_hops(const struct topology *t, uint32_t src, uint32_t dst);

/** Hops of the longest route. */
uint32_t topology_diameter(const struct topology *t);

/** Directed links, both ways, between two equal halves (one host apart where the number is odd),
 *  for the best cut along whole dimensions.  A cut across an even side crosses the middle of all
 *  lines; across an odd one it leaves the middle layer, which is cut across another side; the best
 *  order of the sides counts.  0 for one host. */
uint64_t topology_bisection(const struct topology *t);

/** Writes the links from @p src to @p dst in order and returns their number.  The route is the one
 *  that SimGrid simulates, ties included: TorusZone::get_local_route in
 *  src/kernel/routing/TorusZone.cpp.  @p links holds at least topology_diameter() entries. */
uint32_t topology_route(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *links);

/** Side @p dim of the carrier, the torus that SimGrid simulates: 2k-1 for a side k of a mesh, so
 *  that no route wraps around; else the same.  And the index there of host @p h, the K of its name
 *  "node-K". */
uint32_t topology_carrier_side(const struct topology *t, uint32_t dim);
uint32_t topology_carrier_host(const struct topology *t, uint32_t h);

/** The inverse of topology_carrier_host(); false if that host of the carrier is not one of the
 *  topology's. */
bool topology_from_carrier(const struct topology *t, uint32_t carrier, uint32_t *h);

#endif
