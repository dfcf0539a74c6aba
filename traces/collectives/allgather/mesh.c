/* SimGrid 3.32: src/smpi/colls/allgather/allgather-2dmesh.cpp and allgather-3dmesh.cpp.  One
 * dimension of the mesh after another; a message has all blocks that the rank has by then. */
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
    .row = {"3dmesh", "linear in each dimension in turn of a mesh of three",
            "allgather/allgather-3dmesh.cpp"},
    .steps = mesh_steps,
    .step = step,
    .variant = MESH_THREE};
