/* SimGrid 3.32: src/smpi/colls/allgather/allgather-2dmesh.cpp and allgather-3dmesh.cpp.  One
 * dimension of the mesh after another; a message has all blocks that the rank has by then. */
#include "traces/collectives/shapes/mesh.h"

#include "traces/collectives/allgather/allgather.h"

static bool blocks_step(const struct lowering *l, const struct mesh *m, uint64_t i, struct op *op)
{
  const struct mesh_blocks b = {{1, m->x, (uint64_t)m->x * m->y}, LOWER_TAG_ALLGATHER};
  return mesh_step(l, m, &b, i, op);
}

static uint64_t steps_of_two(const struct lowering *l)
{
  const struct mesh m = mesh_of_two(l->ranks);
  return mesh_steps(&m);
}

static bool step_of_two(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct mesh m = mesh_of_two(l->ranks);
  return blocks_step(l, &m, i, op);
}

static uint64_t steps_of_three(const struct lowering *l)
{
  const struct mesh m = mesh_of_three(l->ranks);
  return mesh_steps(&m);
}

static bool step_of_three(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct mesh m = mesh_of_three(l->ranks);
  return blocks_step(l, &m, i, op);
}

const struct lower_algorithm lower_allgather_2dmesh = {
    .row = {"2dmesh", "linear in the rows of a mesh of two dimensions, then in its columns",
            "allgather/allgather-2dmesh.cpp"},
    .steps = steps_of_two,
    .step = step_of_two};

const struct lower_algorithm lower_allgather_3dmesh = {
    .row = {"3dmesh", "linear in each dimension in turn of a mesh of three",
            "allgather/allgather-3dmesh.cpp"},
    .steps = steps_of_three,
    .step = step_of_three};
