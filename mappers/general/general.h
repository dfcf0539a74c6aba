/** @file general.h
 *  Maps a graph onto a machine.  On a grid, connected parts are packed into boxes, and each part is
 *  mapped as a butterfly, a product or a stencil if it is one; any other part is mapped by geometry
 *  or, if its tasks have many partners, by bisection.  On other machines, products, stencils and
 *  bisection are tried.  The whole placement is then annealed.
 */
#pragma once

#include "mappers/general/placement.h"
#include "mappers/general/problem.h"

struct general_plan {
  double effort; /**< factor of the annealing work; 0: no annealing */
  uint64_t seed;
  bool quick; /**< after a structure gave slots: no bisection and no geometry, no comparison with
                 the mapper greedy, and annealing on grids only */
};

/** Fills p->slot.  The mapping has at most the hop-bytes of the mapper xyz and, unless the plan is
 *  quick, of the mapper greedy. */
enum status general_map(struct problem *p, const struct general_plan *plan, struct err *e);

/** Maps the ranks of @p in.  The caller frees *out with mapping_clear(). */
enum status general_mapping(struct mapping *out, const struct mapper_input *in,
                            const struct general_plan *plan, struct err *e);

/** Maps one connected part onto a grid. */
enum status general_part(struct placement *p, const struct general_plan *plan, struct err *e);
