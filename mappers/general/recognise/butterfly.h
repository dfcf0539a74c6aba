/** @file butterfly.h
 *  Maps graphs made of hypercubes, such as the traffic of NPB CG: butterflies in rows, and at most
 *  one partner of each task elsewhere.  Tasks get binary addresses; a linear map over GF(2) from
 *  addresses to positions is annealed.
 */
#ifndef MAPPERS_GENERAL_RECOGNISE_BUTTERFLY_H
#define MAPPERS_GENERAL_RECOGNISE_BUTTERFLY_H

#include "mappers/general/placement.h"

/** Improves a placement if the graph has this form and the target is a grid that contains a box
 *  with one slot per task and sides that are powers of 2.  If not, leaves the placement unchanged.
 */
enum status butterfly_map(struct placement *p, uint64_t seed, struct err *e);

#endif
