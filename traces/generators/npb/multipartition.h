/** @file multipartition.h
 *  The multipartition of BT and SP: a cube of n points a side cut into p*p*p cells, p of them a
 *  rank, so that each rank has one cell in every slice of every axis and no rank waits while a
 *  sweep crosses the cube.  NPB 3.4: make_set.f, define.f and copy_faces.f, alike in BT and SP.
 *  Private to traces/.
 */
#ifndef TRACES_GENERATORS_NPB_MULTIPARTITION_H
#define TRACES_GENERATORS_NPB_MULTIPARTITION_H

#include <stdint.h>

#include "traces/generators/emit.h"

enum { MULTIPARTITION_AXES = 3 };

struct multipartition {
  uint32_t points; /**< n, along each axis */
  uint32_t side;   /**< p, the square root of the number of ranks; at least 1 */
  uint32_t size;   /**< points of a slice along its axis, */
  uint32_t longer; /**< and how many slices, the first ones, have one more */
};

struct multipartition_cell {
  uint32_t at[MULTIPARTITION_AXES];  /**< slice of each axis, from 0 */
  int64_t size[MULTIPARTITION_AXES]; /**< points */
};

/** @p ranks is a square, and p at most @p points. */
struct multipartition multipartition_of(uint32_t points, uint32_t ranks);

/** The rank whose cells come next (@p way +1) or before (-1) along @p axis. */
uint32_t multipartition_neighbour(const struct multipartition *m, uint32_t rank, int axis, int way);

/** The cell of @p rank in slice @p slice of @p axis. */
struct multipartition_cell multipartition_cell(const struct multipartition *m, uint32_t rank,
                                               int axis, uint32_t slice);

/** Points of @p size along @p axis without those on the surface of the cube. */
int64_t multipartition_inner(const struct multipartition *m, const struct multipartition_cell *c,
                             int axis);

/** Share of the cube's points that are in the cell, and in all cells of @p rank. */
double multipartition_cell_share(const struct multipartition *m,
                                 const struct multipartition_cell *c);
double multipartition_rank_share(const struct multipartition *m, uint32_t rank);

/** The two outer layers of all cells, of five unknowns a point, to the six neighbours at once. */
void multipartition_halo(const struct multipartition *m, struct emit *out);

#endif
