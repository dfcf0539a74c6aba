/** @file adi.h
 *  Private to traces/: the common part of BT and SP.  Each iteration computes a right-hand side,
 *  for which neighbours exchange the faces of their cells, then solves along each of the three
 *  axes, upwards and downwards, slice by slice of a multipartition.  NPB 3.4: adi.f, copy_faces.f,
 *  verify.f and the main programs.
 */
#ifndef TRACES_GENERATORS_NPB_ADI_H
#define TRACES_GENERATORS_NPB_ADI_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/generators/npb/multipartition.h"
#include "traces/generators/npb/npb.h"

/** The cell that a rank works on in one stage of a sweep. */
struct npb_stage {
  int axis, way;  /**< axis 0..2; way: +1 elimination, -1 back substitution */
  uint32_t slice; /**< of the axis, from 0 */
  struct multipartition_cell cell;
  uint32_t from, to; /**< ranks of the previous and the next cell of the sweep */
  bool first, last;  /**< no message comes in; none goes out */
};

struct npb_adi;

/** The part that differs between BT and SP. */
struct npb_adi_code {
  void (*input)(struct emit *out); /**< broadcasts the input that rank 0 has read */
  /** Emits one stage of a sweep. */
  void (*stage)(const struct npb_adi *adi, const struct npb_stage *at, struct emit *out);
  /** NPB's operations an iteration: the coefficients of n^3, n^2, n and 1. */
  double flops[4];
  /** Operations at each point, of which only the ratio matters: the right-hand side, the solution
   *  along one axis, the update. */
  double rhs, axis, update;
};

struct npb_adi {
  struct generator base;
  const struct npb_adi_code *code;
  struct multipartition cells;
  double operation; /**< flops that one operation at all points of the cube counts for */
};

/** As ranks_used() of npb.h, for a cube of @p points a side. */
uint32_t npb_adi_ranks_used(uint32_t points, uint32_t ranks);

/** As open() of npb.h, for a cube of @p points a side; @p code must outlive *out. */
enum status npb_adi_open(struct generator **out, const struct npb_job *job, uint32_t points,
                         const struct npb_adi_code *code, struct err *e);

/** The rank's cell in the slice of the previous stage; not to be called in the first stage. */
struct multipartition_cell npb_adi_before(const struct npb_adi *adi, const struct npb_stage *at,
                                          uint32_t rank);

/** Emits a computation of @p operations at each point of the cell. */
void npb_adi_compute(const struct npb_adi *adi, struct emit *out,
                     const struct multipartition_cell *c, double operations);

#endif
