/* SimGrid 3.32: alltoall-2dmesh.cpp and alltoall-3dmesh.cpp in src/smpi/colls/alltoall.  All blocks
 * of a rank move along its line, then all blocks of the line along the next dimension.  Only the
 * last dimension omits blocks that the receiver does not need. */
#include "traces/collectives/shapes/mesh.h"

#include "traces/collectives/algorithms.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct mesh m = mesh_of(l);
  const uint64_t n = l->ranks, plane = (uint64_t)m.x * m.y;
  const bool two = l->algorithm->variant == MESH_TWO;
  const struct mesh_blocks b = {{n, two ? m.x : n * m.x, plane}, LOWER_TAG_ALLTOALL};
  return mesh_step(l, &b, i, op);
}

const struct lower_algorithm lower_alltoall_2dmesh = {
    .row = {"2dmesh", "all blocks in the rows of a mesh, then the needed blocks in the columns",
            "alltoall/alltoall-2dmesh.cpp"},
    .steps = mesh_steps,
    .step = step,
    .variant = MESH_TWO};

const struct lower_algorithm lower_alltoall_3dmesh = {
    .row = {"3dmesh", "all blocks in two dimensions of a mesh, then the needed blocks in the third",
            "alltoall/alltoall-3dmesh.cpp"},
    .steps = mesh_steps,
    .step = step,
    .variant = MESH_THREE};
