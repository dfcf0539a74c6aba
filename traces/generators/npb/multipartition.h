/** @file multipartition.h
 *  Private to traces/: the multipartition of BT and SP.  A cube with n points along each axis is
 *  divided into p*p*p cells, p for each of p*p ranks.  Each rank has one cell in every slice of
 *  every axis, so that all ranks work during each stage of a sweep.  NPB 3.4: make_set.f, define.f
 *  and copy_faces.f, which are equal in BT and SP.
 */
#pragma once

#include <stdint.h>

#include "traces/generators/emit.h"

enum { MULTIPARTITION_AXES = 3 };

struct multipartition {
  uint32_t points; /**< n, along each axis */
  uint32_t side;   /**< p, the square root of the number of ranks; at least 1 */
  uint32_t size;   /**< thickness of a slice in points */
  uint32_t longer; /**< the first `longer` slices have one more point */
};

/** One of the p*p*p cells. */
struct multipartition_cell {
  uint32_t at[MULTIPARTITION_AXES];  /**< slice on each axis, from 0 */
  int64_t size[MULTIPARTITION_AXES]; /**< points */
};

/** Divides a cube.  @p ranks is p squared; p is at most @p points. */
struct multipartition multipartition_of(uint32_t points, uint32_t ranks);

/** The rank that has the next (@p way +1) or previous (-1) cells along @p axis, periodic. */
uint32_t multipartition_neighbour(const struct multipartition *m, uint32_t rank, int axis, int way);

/** The cell of @p rank in slice number @p slice of @p axis. */
struct multipartition_cell multipartition_cell(const struct multipartition *m, uint32_t rank,
                                               int axis, uint32_t slice);

/** Number of points of the cell along @p axis that are not on the surface of the cube. */
int64_t multipartition_inner(const struct multipartition *m, const struct multipartition_cell *c,
                             int axis);

/** Share of the cube's points in the cell, 0..1. */
double multipartition_cell_share(const struct multipartition *m,
                                 const struct multipartition_cell *c);

/** Share of the cube's points in all cells of @p rank, 0..1. */
double multipartition_rank_share(const struct multipartition *m, uint32_t rank);

/** Emits the exchange of the two outer layers of all cells, five unknowns per point, with all six
 *  neighbours at once. */
void multipartition_halo(const struct multipartition *m, struct emit *out);
