/** @file butterfly.h
 *  Maps graphs of equal hypercubes in which each task has at most one partner outside its own
 *  hypercube.  An example is the traffic of NPB CG: butterflies in rows of processes, and
 *  transposes.  Tasks get binary addresses; a linear map over GF(2) from addresses to slots is
 *  annealed.
 */
#pragma once

#include "mappers/general/placement.h"

/** Improves a placement if the graph has this form and the target is a grid that contains a box
 *  with one slot per task and sides that are powers of 2.  Otherwise leaves the placement
 *  unchanged.
 */
enum status butterfly_map(struct placement *p, uint64_t seed, struct err *e);
