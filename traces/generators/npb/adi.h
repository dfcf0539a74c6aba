/** @file npb_adi.h
 *  What BT and SP have in common: each iteration computes a right-hand side, for which neighbours
 *  exchange the faces of their cells, and solves along the three axes, up and down each, slice by
 *  slice of a multipartition.  NPB 3.4: adi.f, copy_faces.f, verify.f and the main programs.
 *  Private to traces/.
 */
#ifndef TRACES_GENERATORS_NPB_ADI_H
#define TRACES_GENERATORS_NPB_ADI_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/generators/npb/multipartition.h"
#include "traces/generators/npb/npb.h"

/** The cell that a rank works on in one stage of a sweep. */
struct npb_stage {
  int axis, way;  /**< way: +1 elimination, -1 back substitution */
  uint32_t slice; /**< of the axis, from 0 */
  struct multipartition_cell cell;
  uint32_t from, to; /**< ranks with the cells before and after */
  bool first, last;  /**< nothing comes in; nothing goes on */
};

struct npb_adi;

/** What a benchmark adds. */
struct npb_adi_code {
  void (*input)(struct emit *out); /**< broadcasts what rank 0 has read */
  void (*stage)(const struct npb_adi *adi, const struct npb_stage *at, struct emit *out);
  /** NPB's operations an iteration: the coefficients of n^3, n^2, n and 1. */
  double flops[4];
  /** Operations a point, of which only the ratio counts: the right-hand side, an axis in all,
   *  the update of the solution. */
  double rhs, axis, update;
};

struct npb_adi {
  struct generator base;
  const struct npb_adi_code *code;
  struct multipartition cells;
  double operation; /**< flops of one operation at all points of the cube */
};

/** As ranks_used() of npb.h, for a cube of @p points a side. */
uint32_t npb_adi_ranks_used(uint32_t points, uint32_t ranks);

enum status npb_adi_open(struct generator **out, const struct npb_job *job, uint32_t points,
                         const struct npb_adi_code *code, struct err *e);

/** The rank's cell in the slice before the one at hand; not in the first stage. */
struct multipartition_cell npb_adi_before(const struct npb_adi *adi, const struct npb_stage *at,
                                          uint32_t rank);

/** Computes @p operations at each point of the cell. */
void npb_adi_compute(const struct npb_adi *adi, struct emit *out,
                     const struct multipartition_cell *c, double operations);

#endif
