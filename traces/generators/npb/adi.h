/** @file adi.h
 *  Private to traces/: the common part of BT and SP.  Each iteration computes a right-hand side,
 *  for which neighbours exchange the faces of their cells, then solves along each of the three
 *  axes, upwards and downwards, slice by slice of a multipartition.  NPB 3.4: adi.f, copy_faces.f,
 *  verify.f and the main programs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "traces/generators/npb/multipartition.h"
#include "traces/generators/npb/npb.h"

/** The cell that a rank works on in one stage of a sweep. */
struct npb_stage {
  int axis;       /**< 0..2 */
  int way;        /**< +1: upwards, elimination; -1: downwards, back substitution */
  uint32_t slice; /**< number of the slice of the axis, from 0 */
  struct multipartition_cell cell;
  uint32_t from, to; /**< ranks of the previous and of the next cell of the sweep */
  bool first, last;  /**< first stage: receives no message; last stage: sends none */
};

struct npb_adi;

/** The parts that differ between BT and SP. */
struct npb_adi_code {
  void (*input)(struct emit *out); /**< broadcasts the input of rank 0 */
  /** Emits one stage of a sweep. */
  void (*stage)(const struct npb_adi *adi, const struct npb_stage *at, struct emit *out);
  /** Operations of an iteration according to NPB: the coefficients of n^3, n^2, n and 1. */
  double flops[4];
  /** Operations per point: right-hand side, solution along one axis, update.  Only their ratios
   *  matter. */
  double rhs, axis, update;
};

struct npb_adi {
  struct generator base;
  const struct npb_adi_code *code;
  struct multipartition cells;
  double operation; /**< flops of one operation at all points of the cube */
};

/** ranks_used() of struct npb_benchmark, for a cube with @p points points along each axis. */
uint32_t npb_adi_ranks_used(uint32_t points, uint32_t ranks);

/** init() of struct npb_benchmark, for a cube with @p points points along each axis.  @p g is the
 *  first member of a struct npb_adi.  @p code must outlive it. */
void npb_adi_init(struct generator *g, const struct npb_job *job, uint32_t points,
                  const struct npb_adi_code *code);

/** The rank's cell in the slice of the previous stage.  Must not be called in the first stage. */
struct multipartition_cell npb_adi_before(const struct npb_adi *adi, const struct npb_stage *at,
                                          uint32_t rank);

/** Emits a computation of @p operations operations at each point of the cell. */
void npb_adi_compute(const struct npb_adi *adi, struct emit *out,
                     const struct multipartition_cell *c, double operations);
