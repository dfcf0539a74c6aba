/** @file general.h
 *  Mapping of a whole graph onto a machine: connected parts are packed into boxes, each is mapped
 *  by its structure, else by geometry or bisection, and all of it is annealed.
 */
#ifndef MAPPERS_GENERAL_GENERAL_H
#define MAPPERS_GENERAL_GENERAL_H

#include "mappers/general/placement.h"
#include "mappers/general/problem.h"

struct general_plan {
  double effort; /**< factor of the work of annealing; 0: none */
  uint64_t seed;
};

/** Fills p->slot; its hop-bytes are at most those of xyz and of greedy. */
enum status general_map(struct problem *p, const struct general_plan *plan, struct err *e);

/** Maps one connected part onto a grid. */
enum status general_part(struct placement *p, const struct general_plan *plan, struct err *e);

#endif
