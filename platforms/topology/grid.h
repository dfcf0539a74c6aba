/** @file grid.h
 *  Grids: torus, mesh and hypercube, whose hosts have coordinates.  Specs: "torus:8x8x4" and
 *  "mesh:16x16" (1 to 20 sides of 1 or more), "hypercube:9" (1 to 20).
 *
 *  Hosts are numbered X fastest.  A link's id is (host it leaves * dimensions + dimension) * 2 + (1
 *  if it goes down), so that some ids name no link: the wrap-around of a mesh, and on a ring of 2
 *  the second link of each direction.
 */
#ifndef PLATFORMS_TOPOLOGY_GRID_H
#define PLATFORMS_TOPOLOGY_GRID_H

#include "platforms/topology/topology.h"

#define GRID_MAX_DIMS 20

enum grid_kind { GRID_TORUS, GRID_MESH, GRID_HYPERCUBE };

/** Is the topology a grid?  The functions below take grids only. */
bool topology_is_grid(const struct topology *t);

enum grid_kind grid_kind(const struct topology *t);

/** The sides in hosts, *ndims of them (2, 2, ..., 2 for a hypercube), owned by @p t. */
const uint32_t *grid_sides(const struct topology *t, uint32_t *ndims);

/** Side @p dim of the carrier, the torus that SimGrid simulates: 2k-1 for a side k of a mesh, so
 *  that no route wraps around; else the same.  And the index there of host @p h, the K of its name
 *  "node-K". */
uint32_t grid_carrier_side(const struct topology *t, uint32_t dim);
uint32_t grid_carrier_host(const struct topology *t, uint32_t h);

/** The inverse of grid_carrier_host(); false if that host of the carrier is not one of the
 *  topology's. */
bool grid_from_carrier(const struct topology *t, uint32_t carrier, uint32_t *h);

#endif
