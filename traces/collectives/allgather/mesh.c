/* SimGrid 3.32: src/smpi/colls/allgather/allgather-2dmesh.cpp and allgather-3dmesh.cpp.  A line of
 * the mesh after another, each time with all blocks that a rank has by then. */
#include "traces/collectives/mesh.h"

#include "traces/collectives/allgather/allgather.h"

/* The line of dimension @p d through the rank. */
static struct mesh_line line_of(const struct lowering *l, const struct mesh *m, uint32_t d)
{
  const uint32_t plane = m->x * m->y, column = l->rank % m->x, floor = l->rank / plane;
  const struct mesh_line LINE[] = {
      {.first = l->rank - column, .stride = 1, .count = m->x},
      {.first = floor * plane + column, .stride = m->x, .count = m->y},
      {.first = l->rank % plane, .stride = plane, .count = m->z, .start = floor},
  };
  const uint64_t blocks[] = {1, m->x, plane};
  struct mesh_line line = LINE[d];
  line.tag = LOWER_TAG_ALLGATHER;
  line.send_bytes = blocks[d] * l->send_bytes;
  line.recv_bytes = blocks[d] * l->recv_bytes;
  return line;
}

static bool mesh_step(const struct lowering *l, const struct mesh *m, uint64_t i, struct op *op)
{
  uint32_t d = 0;
  const uint32_t count[] = {m->x, m->y, m->z};
  for (; i >= mesh_line_steps(count[d]); d++)
    i -= mesh_line_steps(count[d]);
  const struct mesh_line line = line_of(l, m, d);
  return mesh_line_step(&line, l->rank, i, op);
}

static uint64_t mesh_steps(const struct mesh *m)
{
  return mesh_line_steps(m->x) + mesh_line_steps(m->y) + mesh_line_steps(m->z);
}

static uint64_t steps_of_two(const struct lowering *l)
{
  const struct mesh m = mesh_of_two(l->ranks);
  return mesh_steps(&m);
}

static bool step_of_two(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct mesh m = mesh_of_two(l->ranks);
  return mesh_step(l, &m, i, op);
}

static uint64_t steps_of_three(const struct lowering *l)
{
  const struct mesh m = mesh_of_three(l->ranks);
  return mesh_steps(&m);
}

static bool step_of_three(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct mesh m = mesh_of_three(l->ranks);
  return mesh_step(l, &m, i, op);
}

const struct lower_algorithm lower_allgather_2dmesh = {
    .row = {"2dmesh", "linear in the rows of a mesh of two dimensions, then in its columns"},
    .steps = steps_of_two,
    .step = step_of_two};

const struct lower_algorithm lower_allgather_3dmesh = {
    .row = {"3dmesh", "linear in each dimension in turn of a mesh of three"},
    .steps = steps_of_three,
    .step = step_of_three};
