#include "traces/multipartition.h"

enum { UNKNOWNS = 5, LAYERS = 2 };

/* NPB's tags: of what travels to the east, and so on. */
static const int32_t TAG_UP[MULTIPARTITION_AXES] = {2000, 4000, 7000};   /* EAST NORTH TOP */
static const int32_t TAG_DOWN[MULTIPARTITION_AXES] = {3000, 5000, 6000}; /* WEST SOUTH BOTTOM */

/* a + b modulo n; a < n, |b| <= n. */
static uint32_t add(uint32_t a, int64_t b, uint32_t n)
{
  return (uint32_t)((a + n + b) % n);
}

uint32_t multipartition_neighbour(const struct multipartition *m, uint32_t rank, int axis, int way)
{
  const uint32_t p = m->side, i = rank % p, j = rank / p;
  switch (axis) {
  case 0:
    return add(i, way, p) + p * j;
  case 1:
    return i + p * add(j, way, p);
  default: /* the diagonal */
    return add(i, -way, p) + p * add(j, way, p);
  }
}

/* The first slices are longer by one point. */
static int64_t slice_points(const struct multipartition *m, uint32_t slice)
{
  return m->points / m->side + (slice < m->points % m->side);
}

struct multipartition_cell multipartition_cell(const struct multipartition *m, uint32_t rank,
                                               int axis, uint32_t slice)
{
  const uint32_t p = m->side, i = rank % p, j = rank / p;
  /* NPB numbers a rank's cells by their z. */
  const uint32_t z = axis == 0   ? add(slice, -(int64_t)i, p)
                     : axis == 1 ? add(j, -(int64_t)slice, p)
                                 : slice;
  struct multipartition_cell c = {.at = {add(i, z, p), add(j, -(int64_t)z, p), z}};
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
  return (double)c->size[0] / n * ((double)c->size[1] / n) * ((double)c->size[2] / n);
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

/* Values that a rank sends up and down each axis: the faces of its cells that are not on the
 * surface of the cube. */
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
