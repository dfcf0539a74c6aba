/** @file mesh.h
 *  Private to traces/: the ranks as a mesh of two or three dimensions.  Along a line of the mesh,
 *  each rank posts receives from all others, then sends to them one after another.
 */
#pragma once

#include "traces/collectives/lower.h"

/** Extents; rank = (z * y_extent + y) * x_extent + x. */
struct mesh {
  uint32_t x, y, z;
};

/** Values of lower_algorithm.variant. */
enum {
  /** Two dimensions, as square as possible: y <= x, z = 1.  A prime number of ranks is one line (an
   *  error in SMPI from 5 ranks on). */
  MESH_TWO,
  /** Three dimensions with x = y: the least x >= floor(cbrt(ranks)) for which x^2 divides the
   *  number of ranks.  If there is none, x = y = 1 (an error in SMPI). */
  MESH_THREE
};

/** The mesh of the variant of l->algorithm. */
struct mesh mesh_of(const struct lowering *l);

/** By dimension: number of blocks, of l->send_bytes or l->recv_bytes, in each message to or from a
 *  rank of the line. */
struct mesh_blocks {
  uint64_t blocks[3];
  int32_t tag;
};

/** Number of steps of a rank in all dimensions. */
uint64_t mesh_steps(const struct lowering *l);

/** Step @p i, below mesh_steps(). */
bool mesh_step(const struct lowering *l, const struct mesh_blocks *b, uint64_t i, struct op *op);
