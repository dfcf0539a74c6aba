#include "mappers/general/recognise/mds.h"

#include <math.h>
#include <string.h>

#include "common/arena.h"

enum { MOST_PIVOTS = 64, ROUNDS = 60 };

struct mds {
  const struct graph *g;
  const uint8_t *drop;
  uint32_t pivots;
  uint16_t *path;  /* by pivot and task: length of the shortest path */
  uint16_t *least; /* by task: length of the shortest path to a pivot so far */
  uint32_t *queue;
  float *centred; /* by task and pivot: squared lengths, centred, times -0.5 */
  double matrix[MOST_PIVOTS][MOST_PIVOTS]; /* product of centred with itself */
};

/* Measures paths from @p root by breadth-first search.  path[] is UINT16_MAX before; longer paths
 * count as UINT16_MAX - 1.  Returns the longest. */
static uint16_t measure_from(struct mds *m, uint32_t root, uint16_t *path)
{
  const struct graph *g = m->g;
  uint32_t count = 1;
  m->queue[0] = root;
  path[root] = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t v = m->queue[i];
    const uint16_t next = path[v] + 1 < UINT16_MAX ? (uint16_t)(path[v] + 1) : path[v];
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t to = g->to[a];
      const bool is_new = (path[to] == UINT16_MAX) & !m->drop[a]; /* no branch: often
                                                                     mispredicted */
      path[to] = is_new ? next : path[to];
      m->queue[count] = to;
      count += is_new;
    }
  }
  return path[m->queue[count - 1]];
}

/* Measures paths from all pivots.  Each pivot is the task farthest from the earlier ones. */
static void measure(struct mds *m, uint32_t root)
{
  const uint32_t n = m->g->n;
  memset(m->path, 0xff, (size_t)n * m->pivots * sizeof *m->path);
  memset(m->least, 0xff, (size_t)n * sizeof *m->least);
  for (uint32_t p = 0; p < m->pivots; p++) {
    uint16_t *path = m->path + (size_t)n * p;
    const uint32_t longest = measure_from(m, root, path), far = 2 * longest + 2;
    uint32_t farthest = 0;
    for (uint32_t v = 0; v < n; v++) {
      if (path[v] == UINT16_MAX)
        path[v] = (uint16_t)(far < UINT16_MAX ? far : UINT16_MAX);
      m->least[v] = path[v] < m->least[v] ? path[v] : m->least[v];
      farthest = m->least[v] > m->least[farthest] ? v : farthest;
    }
    root = farthest;
  }
}

static double square(uint16_t length)
{
  return (double)length * length;
}

/* Fills centred[]. */
static void centre(struct mds *m)
{
  const uint32_t n = m->g->n, k = m->pivots;
  double column[MOST_PIVOTS] = {0}, all = 0;
  for (uint32_t p = 0; p < k; p++) {
    for (uint32_t v = 0; v < n; v++)
      column[p] += square(m->path[(size_t)p * n + v]);
    all += column[p];
  }
  for (uint32_t v = 0; v < n; v++) {
    double row = 0;
    for (uint32_t p = 0; p < k; p++)
      row += square(m->path[(size_t)p * n + v]);
    for (uint32_t p = 0; p < k; p++) {
      const double d = square(m->path[(size_t)p * n + v]);
      m->centred[(size_t)v * k + p] = (float)(-0.5 * (d - row / k - column[p] / n + all / n / k));
    }
  }
}

/* Adds the products of four rows to the lower triangle of the matrix. */
static void add_rows(struct mds *m, const float *const row[4])
{
  float sum[MOST_PIVOTS];
  for (uint32_t p = 0; p < m->pivots; p++) {
    const float a = row[0][p], b = row[1][p], c = row[2][p], d = row[3][p];
    for (uint32_t q = 0; q <= p; q++)
      sum[q] = a * row[0][q] + b * row[1][q] + (c * row[2][q] + d * row[3][q]);
    for (uint32_t q = 0; q <= p; q++)
      m->matrix[p][q] += sum[q];
  }
}

static void multiply(struct mds *m)
{
  const float none[MOST_PIVOTS] = {0};
  const float *row[4];
  const uint32_t k = m->pivots;
  for (uint32_t p = 0; p < k; p++)
    memset(m->matrix[p], 0, sizeof m->matrix[p]);
  for (uint32_t v = 0; v < m->g->n; v += 4) {
    for (uint32_t i = 0; i < 4; i++)
      row[i] = v + i < m->g->n ? m->centred + (size_t)(v + i) * k : none;
    add_rows(m, row);
  }
  for (uint32_t p = 0; p < k; p++)
    for (uint32_t q = p + 1; q < k; q++)
      m->matrix[p][q] = m->matrix[q][p];
}

/* --- the largest eigenvectors ----------------------------------------------------------------- */

typedef double vectors[MDS_COMPONENTS][MOST_PIVOTS];

static double dot(const double *a, const double *b, uint32_t k)
{
  double sum = 0;
  for (uint32_t i = 0; i < k; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Makes each vector orthogonal to the vectors before it and of length 1.  A vector that vanishes
 * becomes 0. */
static void orthonormalise(vectors v, uint32_t k)
{
  for (int c = 0; c < MDS_COMPONENTS; c++) {
    const double before = sqrt(dot(v[c], v[c], k));
    for (int b = 0; b < c; b++) {
      const double part = dot(v[c], v[b], k);
      for (uint32_t i = 0; i < k; i++)
        v[c][i] -= part * v[b][i];
    }
    const double length = sqrt(dot(v[c], v[c], k));
    for (uint32_t i = 0; i < k; i++)
      v[c][i] = length > 1e-9 * before ? v[c][i] / length : 0;
  }
}

static void find_vectors(const struct mds *m, vectors v)
{
  const uint32_t k = m->pivots;
  for (int c = 0; c < MDS_COMPONENTS; c++)
    for (uint32_t i = 0; i < k; i++)
      v[c][i] = cos((c + 1) * (i + 0.5) * 1.7) + (i % MDS_COMPONENTS == (uint32_t)c);
  orthonormalise(v, k);
  for (int round = 0; round < ROUNDS; round++) {
    vectors next;
    for (int c = 0; c < MDS_COMPONENTS; c++)
      for (uint32_t i = 0; i < k; i++)
        next[c][i] = dot(m->matrix[i], v[c], k);
    memcpy(v, next, sizeof next);
    orthonormalise(v, k);
  }
}

static void project(const struct mds *m, vectors v, double *x)
{
  const uint32_t k = m->pivots;
  for (uint32_t t = 0; t < m->g->n; t++)
    for (int c = 0; c < MDS_COMPONENTS; c++) {
      double sum = 0;
      for (uint32_t i = 0; i < k; i++)
        sum += m->centred[(size_t)t * k + i] * v[c][i];
      x[(size_t)t * MDS_COMPONENTS + c] = sum;
    }
}

enum status mds_compute(const struct graph *g, const uint8_t *drop, uint32_t pivots, uint32_t first,
                        double *x, struct err *e)
{
  ARENA(mem, e);
  const size_t n = g->n, k = pivots < MOST_PIVOTS ? pivots : MOST_PIVOTS;
  vectors v;
  struct mds *m = arena_array(&mem, 1, sizeof *m);
  if (m == NULL)
    return FAIL;
  *m = (struct mds){.g = g,
                    .drop = drop,
                    .pivots = (uint32_t)k,
                    .path = arena_array(&mem, n * k, sizeof *m->path),
                    .least = arena_array(&mem, n, sizeof *m->least),
                    .queue = arena_array(&mem, n + 1, sizeof *m->queue),
                    .centred = arena_array(&mem, n * k, sizeof *m->centred)};
  if (arena_status(&mem) != OK)
    return FAIL;
  measure(m, first);
  centre(m);
  multiply(m);
  find_vectors(m, v);
  project(m, v, x);
  return OK;
}

static void smooth(const struct graph *g, const uint8_t *drop, const double *x, double *out)
{
  for (uint32_t v = 0; v < g->n; v++) {
    double sum[MDS_COMPONENTS] = {0};
    uint32_t count = 0;
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const double *other = x + (size_t)g->to[a] * MDS_COMPONENTS;
      if (drop[a])
        continue;
      count++;
      for (int c = 0; c < MDS_COMPONENTS; c++)
        sum[c] += other[c];
    }
    for (int c = 0; c < MDS_COMPONENTS; c++) {
      const size_t i = (size_t)v * MDS_COMPONENTS + c;
      out[i] = count == 0 ? x[i] : (x[i] + sum[c] / count) / 2;
    }
  }
}

void mds_smooth(const struct graph *g, const uint8_t *drop, uint32_t steps, double *x, double *room)
{
  for (uint32_t i = 0; i < steps; i++) {
    smooth(g, drop, x, room);
    memcpy(x, room, (size_t)g->n * MDS_COMPONENTS * sizeof *x);
  }
}
