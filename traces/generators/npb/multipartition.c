#include "traces/generators/npb/multipartition.h"

#include <stdbool.h>

enum { UNKNOWNS = 5, LAYERS = 2 };

/* NPB's tags, named after the direction in which a message travels. */
static const int32_t TAG_UP[MULTIPARTITION_AXES] = {2000, 4000, 7000};   /* EAST NORTH TOP */
static const int32_t TAG_DOWN[MULTIPARTITION_AXES] = {3000, 5000, 6000}; /* WEST SOUTH BOTTOM */

struct multipartition multipartition_of(uint32_t points, uint32_t ranks)
{
  struct multipartition m = {.points = points, .side = 1};
  while (m.side * m.side < ranks)
    m.side++;
  m.size = points / m.side;
  m.longer = points % m.side;
  return m;
}

/* a + b and a - b modulo n, for a and b below n. */
static uint32_t plus(uint32_t a, uint32_t b, uint32_t n)
{
  return a + b < n ? a + b : a + b - n;
}

static uint32_t minus(uint32_t a, uint32_t b, uint32_t n)
{
  return a >= b ? a - b : a + n - b;
}

uint32_t multipartition_neighbour(const struct multipartition *m, uint32_t rank, int axis, int way)
{
  const uint32_t p = m->side, i = rank % p, j = rank / p, one = p > 1;
  const uint32_t next_j = way > 0 ? plus(j, one, p) : minus(j, one, p);
  const bool east = axis == 0 ? way > 0 : way < 0; /* Z is on the diagonal */
  const uint32_t next_i = east ? plus(i, one, p) : minus(i, one, p);
  return (axis == 1 ? i : next_i) + p * (axis == 0 ? j : next_j);
}

/* Number of points; the first slices have one more. */
static int64_t slice_points(const struct multipartition *m, uint32_t slice)
{
  return m->size + (slice < m->longer);
}

struct multipartition_cell multipartition_cell(const struct multipartition *m, uint32_t rank,
                                               int axis, uint32_t slice)
{
  const uint32_t p = m->side, i = rank % p, j = rank / p;
  /* NPB numbers a rank's cells by their z. */
  const uint32_t z = axis == 0 ? minus(slice, i, p) : axis == 1 ? minus(j, slice, p) : slice;
  struct multipartition_cell c = {.at = {plus(i, z, p), minus(j, z, p), z}};
  for (int a = 0; a < MULTIPARTITION_AXES; a++)
    c.size[a] = slice_points(m, c.at[a]);
  return c;
}

int64_t multipartition_inner(const struct multipartition *m, const struct multipartition_cell *c,
                             int axis)
{
  return c->size[axis] - (c->at[axis] == 0) - (c->at[axis] + 1 == m->side);
}

double multipartition_cell_share(const struct multipartition *m,
                                 const struct multipartition_cell *c)
{
  const double n = m->points;
  return (double)(c->size[0] * c->size[1] * c->size[2]) / (n * n * n);
}

double multipartition_rank_share(const struct multipartition *m, uint32_t rank)
{
  double share = 0;
  for (uint32_t z = 0; z < m->side; z++) {
    const struct multipartition_cell c = multipartition_cell(m, rank, 2, z);
    share += multipartition_cell_share(m, &c);
  }
  return share;
}

/* Number of values that a rank sends upwards and downwards along each axis: two layers of all faces
 * of its cells that are not on the surface of the cube. */
struct faces {
  int64_t up[MULTIPARTITION_AXES], down[MULTIPARTITION_AXES];
};

static struct faces faces_of(const struct multipartition *m, uint32_t rank)
{
  struct faces f = {{0}, {0}};
  for (uint32_t z = 0; z < m->side; z++) {
    const struct multipartition_cell c = multipartition_cell(m, rank, 2, z);
    for (int a = 0; a < MULTIPARTITION_AXES; a++) {
      const int64_t face = UNKNOWNS * LAYERS * c.size[(a + 1) % MULTIPARTITION_AXES] *
                           c.size[(a + 2) % MULTIPARTITION_AXES];
      f.up[a] += c.at[a] + 1 < m->side ? face : 0;
      f.down[a] += c.at[a] > 0 ? face : 0;
    }
  }
  return f;
}

void multipartition_halo(const struct multipartition *m, struct emit *out)
{
  if (m->side == 1)
    return;
  const struct faces f = faces_of(m, out->rank);
  for (int a = 0; a < MULTIPARTITION_AXES; a++) {
    emit_irecv(out, multipartition_neighbour(m, out->rank, a, +1), TAG_DOWN[a], f.up[a],
               EMIT_DOUBLE);
    emit_irecv(out, multipartition_neighbour(m, out->rank, a, -1), TAG_UP[a], f.down[a],
               EMIT_DOUBLE);
  }
  for (int a = 0; a < MULTIPARTITION_AXES; a++) {
    emit_isend(out, multipartition_neighbour(m, out->rank, a, +1), TAG_UP[a], f.up[a], EMIT_DOUBLE);
    emit_isend(out, multipartition_neighbour(m, out->rank, a, -1), TAG_DOWN[a], f.down[a],
               EMIT_DOUBLE);
  }
  emit_waitall(out, 4 * MULTIPARTITION_AXES);
}
