/** @file solve.h
 *  Mapping of a whole graph onto a machine: connected parts are packed into boxes, each is mapped
 *  by its structure, else by geometry or bisection, and all of it is annealed.
 */
#ifndef MAPPERS_GENERAL_SOLVE_H
#define MAPPERS_GENERAL_SOLVE_H

#include "mappers/general/placement.h"
#include "mappers/general/problem.h"

struct solve_plan {
  double effort; /**< factor of the work of annealing; 0: none */
  uint64_t seed;
};

/** Fills p->slot. */
enum status solve(struct problem *p, const struct solve_plan *plan, struct err *e);

/** Maps one connected part onto a grid. */
enum status solve_part(struct placement *p, const struct solve_plan *plan, struct err *e);

#endif
