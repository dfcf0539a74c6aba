/** @file butterfly.h
 *  Mapping of graphs made of hypercubes, such as CG's: butterflies in rows, and at most one
 *  partner of each task elsewhere.  Tasks get addresses of bits, and a linear map over GF(2) of
 *  addresses to positions is annealed.
 */
#ifndef MAPPERS_GENERAL_BUTTERFLY_H
#define MAPPERS_GENERAL_BUTTERFLY_H

#include "mappers/general/placement.h"

/** Improves a placement, if the graph is made so and the target is a grid of as many hosts as there
 *  are tasks, with sides that are powers of 2; else leaves it as it is. */
enum status butterfly_map(struct placement *p, uint64_t seed, struct err *e);

#endif
