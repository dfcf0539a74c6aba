#include "mappers/general/mds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

enum { MOST_PIVOTS = 64, ROUNDS = 60 };

struct mds {
  const struct graph *g;
  const uint8_t *drop;
  uint32_t pivots;
  uint16_t *path;  /* by task and pivot */
  uint16_t *least; /* by task, to any pivot so far */
  uint32_t *queue;
  float *centred; /* by task and pivot: half of the negative squares, centred */
  double matrix[MOST_PIVOTS][MOST_PIVOTS]; /* the product of centred with itself */
};

/* Breadth-first from @p root; path lengths are UINT16_MAX beforehand.  Returns the last task. */
static uint32_t search(struct mds *m, uint32_t root, uint32_t pivot)
{
  const uint32_t k = m->pivots;
  uint32_t count = 1;
  m->queue[0] = root;
  m->path[(size_t)root * k + pivot] = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t v = m->queue[i];
    const uint16_t next = (uint16_t)(m->path[(size_t)v * k + pivot] + 1);
    for (uint32_t a = m->g->first[v]; a < m->g->first[v + 1]; a++) {
      uint16_t *path = &m->path[(size_t)m->g->to[a] * k + pivot];
      if (*path != UINT16_MAX || (m->drop != NULL && m->drop[a]))
        continue;
      *path = next;
      m->queue[count++] = m->g->to[a];
    }
  }
  return m->path[(size_t)m->queue[count - 1] * k + pivot];
}

/* Each pivot is the task that is farthest from those before it. */
static void measure(struct mds *m, uint32_t root)
{
  const uint32_t n = m->g->n, k = m->pivots;
  memset(m->path, 0xff, (size_t)n * k * sizeof *m->path);
  memset(m->least, 0xff, (size_t)n * sizeof *m->least);
  for (uint32_t p = 0; p < k; p++) {
    const uint32_t longest = search(m, root, p);
    uint32_t farthest = 0;
    for (uint32_t v = 0; v < n; v++) {
      uint16_t *path = &m->path[(size_t)v * k + p];
      if (*path == UINT16_MAX)
        *path = (uint16_t)(2 * longest + 2 < UINT16_MAX ? 2 * longest + 2 : UINT16_MAX);
      m->least[v] = *path < m->least[v] ? *path : m->least[v];
      farthest = m->least[v] > m->least[farthest] ? v : farthest;
    }
    root = farthest;
  }
}

static void centre(struct mds *m)
{
  const uint32_t n = m->g->n, k = m->pivots;
  double column[MOST_PIVOTS] = {0}, all = 0;
  for (uint32_t v = 0; v < n; v++) {
    double row = 0;
    for (uint32_t p = 0; p < k; p++) {
      const double d = m->path[(size_t)v * k + p];
      row += d * d;
      column[p] += d * d;
    }
    all += row;
    for (uint32_t p = 0; p < k; p++) {
      const double d = m->path[(size_t)v * k + p];
      m->centred[(size_t)v * k + p] = (float)(d * d - row / k);
    }
  }
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t p = 0; p < k; p++)
      m->centred[(size_t)v * k + p] =
          (float)(-0.5 * (m->centred[(size_t)v * k + p] - column[p] / n + all / n / k));
}

static void multiply(struct mds *m)
{
  const uint32_t k = m->pivots;
  float sum[MOST_PIVOTS];
  for (uint32_t p = 0; p < k; p++)
    memset(m->matrix[p], 0, sizeof m->matrix[p]);
  for (uint32_t v = 0; v < m->g->n; v++) {
    const float *row = m->centred + (size_t)v * k;
    for (uint32_t p = 0; p < k; p++) {
      for (uint32_t q = 0; q <= p; q++)
        sum[q] = row[p] * row[q];
      for (uint32_t q = 0; q <= p; q++)
        m->matrix[p][q] += sum[q];
    }
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

/* Makes each vector orthogonal to those before it, of length 1; one that vanishes is 0. */
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

static enum status alloc(struct mds *m, struct err *e)
{
  const uint32_t n = m->g->n;
  if ((m->path = mem_array((size_t)n * m->pivots, sizeof *m->path, e)) == NULL ||
      (m->centred = mem_array((size_t)n * m->pivots, sizeof *m->centred, e)) == NULL ||
      (m->least = mem_array(n, sizeof *m->least, e)) == NULL ||
      (m->queue = mem_array(n, sizeof *m->queue, e)) == NULL)
    return FAIL;
  return OK;
}

enum status mds_compute(const struct graph *g, const uint8_t *drop, uint32_t pivots, uint32_t first,
                        double *x, struct err *e)
{
  vectors v;
  struct mds *m = mem_array(1, sizeof *m, e);
  enum status s = FAIL;
  if (m != NULL) {
    *m = (struct mds){.g = g, .drop = drop, .pivots = pivots < MOST_PIVOTS ? pivots : MOST_PIVOTS};
    s = alloc(m, e);
  }
  if (s == OK) {
    measure(m, first);
    centre(m);
    multiply(m);
    find_vectors(m, v);
    project(m, v, x);
  }
  if (m != NULL) {
    free(m->path);
    free(m->centred);
    free(m->least);
    free(m->queue);
  }
  free(m);
  return s;
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
