/* The rows that panels exchange.  Pivots are drawn uniformly, as in a random matrix, or found by
 * factoring HPL's own matrix.  Only the rows of few panels are kept: the ranks' positions in their
 * streams are close. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "traces/generators/hpl/hpl.h"

enum { KEPT = 64 /* panels */ };

struct hpl_pivots {
  uint32_t *pivot; /* row of each column; NULL: random */
  uint32_t *drawn; /* of a panel, in rising order */
  struct hpl_rows kept[KEPT];
  uint32_t *memory; /* of kept[] */
};

void hpl_pivots_free(struct hpl_pivots *p)
{
  if (p == NULL)
    return;
  free(p->pivot);
  free(p->drawn);
  free(p->memory);
  free(p);
}

/* --- the pivots of HPL's matrix --------------------------------------------------------------- */

/* The entries in order of columns: a linear congruential generator modulo 2^64 with HPL's
 * multiplier and seed, whose states become numbers in (-0.5, 0.5]. */
static void fill_matrix(double *m, uint32_t n)
{
  uint64_t state = 100;
  for (size_t i = 0; i < (size_t)n * n; i++) {
    state = state * UINT64_C(6364136223846793005) + 1;
    const double low = (double)(state & UINT32_MAX), high = (double)(state >> 32);
    m[i] = 0.5 - (low / 2147483648.0 * 0.5 + high) / 2147483648.0 * 0.5;
  }
}

static uint32_t largest(const double *column, uint32_t from, uint32_t n)
{
  uint32_t best = from;
  for (uint32_t i = from + 1; i < n; i++)
    if (fabs(column[i]) > fabs(column[best]))
      best = i;
  return best;
}

static void exchange(double *column, uint32_t i, uint32_t j)
{
  const double x = column[i];
  column[i] = column[j];
  column[j] = x;
}

/* Factors the matrix column by column. */
static void factor_matrix(double *m, uint32_t n, uint32_t *pivot)
{
  for (uint32_t j = 0; j < n; j++) {
    double *column = m + (size_t)j * n;
    for (uint32_t k = 0; k < j; k++)
      exchange(column, k, pivot[k]);
    for (uint32_t k = 0; k < j; k++) {
      const double *l = m + (size_t)k * n;
      for (uint32_t i = k + 1; i < n; i++)
        column[i] -= l[i] * column[k];
    }
    pivot[j] = largest(column, j, n);
    for (uint32_t k = 0; k <= j; k++)
      exchange(m + (size_t)k * n, j, pivot[j]);
    for (uint32_t i = j + 1; i < n; i++)
      column[i] /= column[j];
  }
}

static enum status find_pivots(struct hpl_pivots *p, uint32_t n, struct err *e)
{
  double *matrix = mem_array((size_t)n * n, sizeof *matrix, e);
  p->pivot = mem_array(n, sizeof *p->pivot, e);
  if (matrix != NULL && p->pivot != NULL) {
    fill_matrix(matrix, n);
    factor_matrix(matrix, n, p->pivot);
  }
  free(matrix);
  return matrix == NULL || p->pivot == NULL ? FAIL : OK;
}

enum status hpl_pivots_new(struct hpl_pivots **out, const struct hpl *h, struct err *e)
{
  const size_t rows = h->o.p, each = 5 * (rows + 1);
  struct hpl_pivots *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  p->drawn = mem_array(h->o.nb, sizeof *p->drawn, e);
  p->memory = mem_array(KEPT * each, sizeof *p->memory, e);
  if (p->drawn == NULL || p->memory == NULL ||
      (h->o.pivots == HPL_MATRIX && find_pivots(p, h->o.n, e) != OK)) {
    hpl_pivots_free(p);
    return FAIL;
  }
  for (int i = 0; i < KEPT; i++) {
    uint32_t *m = p->memory + (size_t)i * each;
    p->kept[i] = (struct hpl_rows){.panel = UINT32_MAX,
                                   .pivots = m,
                                   .before = m + rows + 1,
                                   .order = m + 2 * (rows + 1),
                                   .place = m + 3 * (rows + 1),
                                   .start = m + 4 * (rows + 1)};
  }
  *out = p;
  return OK;
}

/* --- the rows of a panel ---------------------------------------------------------------------- */

/* Counts the different pivots below the diagonal block. */
static void count_pivots(const struct hpl *h, const struct hpl_panel *x, struct hpl_rows *r)
{
  struct hpl_pivots *p = h->pivots;
  struct rng rng = rng_new(h->o.seed, (UINT64_C(1) << 63) + x->index);
  const uint32_t end = x->first + x->width;
  memset(r->pivots, 0, h->o.p * sizeof *r->pivots);
  for (uint32_t i = 0; i < x->width; i++) {
    const uint32_t column = x->first + i;
    p->drawn[i] =
        p->pivot != NULL ? p->pivot[column] : column + (uint32_t)rng_below(&rng, h->o.n - column);
  }
  qsort(p->drawn, x->width, sizeof *p->drawn, rising_u32);
  for (uint32_t i = 0; i < x->width; i++)
    if (p->drawn[i] >= end && (i == 0 || p->drawn[i] != p->drawn[i - 1]))
      r->pivots[(p->drawn[i] / h->o.nb + h->o.p - x->prow) % h->o.p]++;
}

static void sum_pivots(const struct hpl *h, struct hpl_rows *r)
{
  const uint32_t power = hpl_power(h->o.p);
  r->before[0] = 0;
  for (uint32_t d = 0; d < power; d++) {
    const uint32_t folded = d > 0 && d + power < h->o.p ? r->pivots[d + power] : 0;
    r->before[d + 1] = r->before[d] + r->pivots[d] + folded;
  }
}

/* Orders the ring of the long swap: a rank that comes later in the tree of the spread has no more
 * rows than its ancestors (HPL_logsort). */
static void order_ring(const struct hpl *h, const struct hpl_panel *x, struct hpl_rows *r)
{
  const uint32_t p = h->o.p;
  uint32_t sum = 0, most = 0;
  uint32_t *rows = r->start;
  for (uint32_t d = 0; d < p; d++) {
    r->order[d] = d;
    rows[d] = r->pivots[d];
    sum += d > 0 ? r->pivots[d] : 0;
    most = (uint32_t)__builtin_popcount(d) > most ? (uint32_t)__builtin_popcount(d) : most;
  }
  rows[0] = x->width - sum;
  for (uint32_t level = 1; level <= most; level++)
    for (uint32_t j = 1; j < p; j++)
      for (uint32_t i = 2; (uint32_t)__builtin_popcount(j) == level && i < p; i++)
        if (level < (uint32_t)__builtin_popcount(i) && rows[j] < rows[i]) {
          const uint32_t swapped = rows[i], rank = r->order[i];
          rows[i] = rows[j];
          r->order[i] = r->order[j];
          rows[j] = swapped;
          r->order[j] = rank;
        }
  uint32_t at = 0;
  for (uint32_t i = 0; i <= p; i++) {
    const uint32_t n = i < p ? rows[i] : 0;
    r->start[i] = at;
    at += n;
  }
  for (uint32_t i = 0; i < p; i++) {
    r->order[i] = hpl_after(x->prow, r->order[i], p);
    r->place[r->order[i]] = i;
  }
}

const struct hpl_rows *hpl_rows_of(const struct hpl_at *a, const struct hpl_panel *x)
{
  struct hpl_rows *r = &a->h->pivots->kept[x->index % KEPT];
  if (r->panel == x->index)
    return r;
  r->panel = x->index;
  count_pivots(a->h, x, r);
  sum_pivots(a->h, r);
  if (a->h->o.swap != HPL_SWAP_EXCHANGE)
    order_ring(a->h, x, r);
  return r;
}
