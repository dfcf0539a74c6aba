/** @file mesh.h
 *  Private to traces/: the ranks as a mesh of two or three dimensions, and what the ranks of a line
 *  of it do: each posts receives from all others, then sends to them one after another.
 */
#ifndef TRACES_COLLECTIVES_MESH_H
#define TRACES_COLLECTIVES_MESH_H

#include "traces/collectives/lower.h"

/** Extents; rank = (z * y_extent + y) * x_extent + x. */
struct mesh {
  uint32_t x, y, z;
};

/** Two dimensions, as square as can be: y <= x, z = 1.  A prime number of ranks is one line (SMPI
 *  refuses those from 5 on). */
struct mesh mesh_of_two(uint32_t ranks);

/** Three dimensions, x = y: the least x from the cube root on whose square divides the ranks; if
 *  there is none, x = y = 1 (SMPI refuses those). */
struct mesh mesh_of_three(uint32_t ranks);

/** The ranks first, first + stride, .. (count of them), in the order from number @p start on. */
struct mesh_line {
  uint32_t first, stride, count, start;
  int32_t tag;
  uint64_t send_bytes, recv_bytes; /**< to and from each */
};

/** What a rank sends to each rank of its line in each dimension, and receives from it: blocks of
 *  l->send_bytes and l->recv_bytes. */
struct mesh_blocks {
  uint64_t blocks[3];
  int32_t tag;
};

/** Steps of a rank in one dimension after another. */
uint64_t mesh_steps(const struct mesh *m);

/** Step @p i of them. */
bool mesh_step(const struct lowering *l, const struct mesh *m, const struct mesh_blocks *b,
               uint64_t i, struct op *op);

/** Steps of a rank of the line. */
uint64_t mesh_line_steps(uint32_t count);

/** Step @p i of rank @p self, which is in the line. */
bool mesh_line_step(const struct mesh_line *line, uint32_t self, uint64_t i, struct op *op);

#endif
