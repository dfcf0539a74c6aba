/** @file grid.h
 *  Grids: torus, mesh and hypercube, whose hosts have coordinates.  Specs: "torus:8x8x4" and
 *  "mesh:16x16" (1 to 20 sides of at least 1 host), "hypercube:9" (1 to 20 dimensions).
 *
 *  Hosts are numbered with X varying fastest.  A link id is (start host * dimensions + dimension) *
 *  2 + (1 if downward).  Some ids name no link: the wrap-around of a mesh, and the second link of
 *  each direction on a ring of 2.
 */
#pragma once

#include "platforms/topology/topology.h"

#define GRID_MAX_DIMS 20

enum grid_kind { GRID_TORUS, GRID_MESH, GRID_HYPERCUBE };

/** True if the topology is a grid.  The functions below accept only grids. */
bool topology_is_grid(const struct topology *t);

enum grid_kind grid_kind(const struct topology *t);

/** The *ndims sides in hosts (2, 2, ..., 2 for a hypercube), owned by @p t. */
const uint32_t *grid_sides(const struct topology *t, uint32_t *ndims);

/** The carrier is the torus on which SimGrid simulates the grid.  A side k of a mesh becomes a side
 *  2k-1, so that no route wraps around; other sides are unchanged.  grid_carrier_host() is the
 *  number of host @p h in the carrier, the K in its name "node-K". */
uint32_t grid_carrier_host(const struct topology *t, uint32_t h);

/** Number of hosts of the carrier; of other topologies, their number of hosts. */
uint32_t grid_carrier_hosts(const struct topology *t);

/** The inverse of grid_carrier_host().  False if the host of the carrier is not in the grid. */
bool grid_from_carrier(const struct topology *t, uint32_t carrier, uint32_t *h);
