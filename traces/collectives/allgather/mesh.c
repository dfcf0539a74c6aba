/* SimGrid 3.32: src/smpi/colls/allgather/allgather-2dmesh.cpp and allgather-3dmesh.cpp.  Works
 * along one dimension of the mesh after another.  A message carries all blocks that its sender has
 * so far. */
#include "traces/collectives/shapes/mesh.h"

#include "traces/collectives/algorithms.h"

static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct mesh m = mesh_of(l);
  const struct mesh_blocks b = {{1, m.x, (uint64_t)m.x * m.y}, LOWER_TAG_ALLGATHER};
  return mesh_step(l, &b, i, op);
}

const struct lower_algorithm lower_allgather_2dmesh = {
    .row = {"2dmesh", "linear in the rows of a mesh of two dimensions, then in its columns",
            "allgather/allgather-2dmesh.cpp"},
    .steps = mesh_steps,
    .step = step,
    .variant = MESH_TWO};

const struct lower_algorithm lower_allgather_3dmesh = {
    .row = {"3dmesh", "linear in each dimension of a three-dimensional mesh in turn",
            "allgather/allgather-3dmesh.cpp"},
    .steps = mesh_steps,
    .step = step,
    .variant = MESH_THREE};
