#include "common/numeric/regression.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/stats.h"

/* --- rank correlations ------------------------------------------------------------------------ */

struct pair {
  double x, y;
};

static int by_x_then_y(const void *a, const void *b)
{
  const struct pair *p = a, *q = b;
  return RISING(p->x, q->x) ?: RISING(p->y, q->y);
}

static int by_index(const void *a, const void *b, void *values)
{
  const double *v = values;
  return RISING(v[*(const size_t *)a], v[*(const size_t *)b]);
}

static enum status rank_all(const double *x, size_t n, double *rank, struct err *e)
{
  OWNED size_t *order = mem_array(n, sizeof *order, e);
  if (order == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  qsort_r(order, n, sizeof *order, by_index, (void *)x);
  for (size_t i = 0, k; i < n; i = k) {
    for (k = i; k < n && stats_alike(x[order[k]], x[order[i]]); k++)
      ;
    for (size_t j = i; j < k; j++)
      rank[order[j]] = (double)(i + k - 1) / 2;
  }
  return OK;
}

static double mean_of(const double *x, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum / (double)n;
}

static double pearson(const double *x, const double *y, size_t n)
{
  const double mx = mean_of(x, n), my = mean_of(y, n);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < n; i++) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy)))) : NAN;
}

enum status rank_spearman(const double *x, const double *y, size_t n, double *out, struct err *e)
{
  OWNED double *ranks = mem_array(2 * n, sizeof *ranks, e);
  if (ranks == NULL)
    return FAIL;
  const enum status s = rank_all(x, n, ranks, e) == OK ? rank_all(y, n, ranks + n, e) : FAIL;
  if (s == OK)
    *out = pearson(ranks, ranks + n, n);
  return s;
}

/* Sorts by y with a bottom-up merge sort.  Returns the number of inversions. */
static uint64_t count_swaps(struct pair *p, struct pair *room, size_t n)
{
  uint64_t swaps = 0;
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t low = 0; low < n; low += 2 * width) {
      const size_t middle = low + width < n ? low + width : n;
      const size_t high = middle + width < n ? middle + width : n;
      for (size_t i = low, k = middle, to = low; to < high; to++) {
        const bool right = i == middle || (k < high && p[k].y < p[i].y);
        swaps += right ? middle - i : 0;
        room[to] = right ? p[k++] : p[i++];
      }
    }
    for (size_t i = 0; i < n; i++)
      p[i] = room[i];
  }
  return swaps;
}

/* Number of pairs of the sorted values that are equal in x, if @p by_x, and in y, if @p by_y. */
static uint64_t count_ties(const struct pair *p, size_t n, bool by_x, bool by_y)
{
  uint64_t ties = 0, run = 0;
  for (size_t i = 1; i < n; i++) {
    const bool tie = (!by_x || p[i].x == p[i - 1].x) && (!by_y || p[i].y == p[i - 1].y);
    run = tie ? run + 1 : 0;
    ties += run;
  }
  return ties;
}

enum status rank_kendall(const double *x, const double *y, size_t n, double *out, struct err *e)
{
  OWNED struct pair *p = mem_array(2 * n, sizeof *p, e);
  OWNED double *ranks = p == NULL ? NULL : mem_array(2 * n, sizeof *ranks, e);
  if (ranks == NULL || rank_all(x, n, ranks, e) != OK || rank_all(y, n, ranks + n, e) != OK)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    p[i] = (struct pair){ranks[i], ranks[n + i]};
  qsort(p, n, sizeof *p, by_x_then_y);
  const uint64_t all = n < 2 ? 0 : (uint64_t)n * (n - 1) / 2;
  const uint64_t in_x = count_ties(p, n, true, false), in_both = count_ties(p, n, true, true);
  const uint64_t swaps = count_swaps(p, p + n, n), in_y = count_ties(p, n, false, true);
  const double even = (double)(all - in_x - in_y + in_both) - 2 * (double)swaps;
  const double scale = sqrt((double)(all - in_x)) * sqrt((double)(all - in_y));
  *out = scale > 0 ? even / scale : NAN;
  return OK;
}

/* --- least squares ---------------------------------------------------------------------------- */

/* The orthonormal basis q of the centred predictors x = mean + q r. */
struct basis {
  size_t n, k;
  double *q[LEAST_SQUARES_MOST];
  double mean[LEAST_SQUARES_MOST], r[LEAST_SQUARES_MOST][LEAST_SQUARES_MOST]; /* [of q][of x] */
};

static double product(const double *a, const double *b, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Adds predictor @p j.  False if it is constant or depends linearly on the earlier predictors. */
static bool add_predictor(struct basis *b, const double *x, size_t j)
{
  double *q = b->q[j];
  b->mean[j] = mean_of(x, b->n);
  for (size_t i = 0; i < b->n; i++)
    q[i] = x[i] - b->mean[j];
  const double length = sqrt(product(q, q, b->n));
  for (int twice = 0; twice < 2; twice++) /* twice, to remove rounding errors of the first pass */
    for (size_t l = 0; l < j; l++) {
      const double part = product(b->q[l], q, b->n);
      b->r[l][j] += part;
      for (size_t i = 0; i < b->n; i++)
        q[i] -= part * b->q[l][i];
    }
  b->r[j][j] = sqrt(product(q, q, b->n));
  /* A residual below these bounds is only a rounding error of x. */
  if (!(b->r[j][j] > 1e-9 * length) ||
      !(b->r[j][j] > 1e-13 * fabs(b->mean[j]) * sqrt((double)b->n)))
    return false;
  for (size_t i = 0; i < b->n; i++)
    q[i] /= b->r[j][j];
  return true;
}

static void solve(const struct basis *b, const double *y, double my, struct least_squares *out)
{
  double part[LEAST_SQUARES_MOST];
  double all = 0, rest = 0, left = 0;
  for (size_t j = 0; j < b->k; j++)
    part[j] = product(b->q[j], y, b->n);
  for (size_t i = 0; i < b->n; i++) {
    double error = y[i] - my, weight = 1 / (double)b->n;
    all += error * error;
    for (size_t j = 0; j < b->k; j++) {
      error -= part[j] * b->q[j][i];
      weight += b->q[j][i] * b->q[j][i];
    }
    rest += error * error;
    /* A value with leverage 1 determines a slope alone: the other values cannot predict it. */
    left += weight < 1 - 1e-12 ? error * error / ((1 - weight) * (1 - weight)) : NAN;
  }
  out->at_zero = my;
  for (size_t j = b->k; j-- > 0;) {
    out->slope[j] = part[j];
    for (size_t l = j + 1; l < b->k; l++)
      out->slope[j] -= b->r[j][l] * out->slope[l];
    out->slope[j] /= b->r[j][j];
    out->at_zero -= out->slope[j] * b->mean[j];
  }
  out->r2 = fmax(0, 1 - rest / all);
  out->left = sqrt(left / (double)b->n);
}

static bool is_constant(const double *y, size_t n)
{
  size_t i = 0;
  while (i < n && y[i] == y[0])
    i++;
  return i == n;
}

enum status least_squares_fit(struct least_squares *out, const double *const *x, size_t k,
                              const double *y, size_t n, struct err *e)
{
  struct basis b = {.n = n, .k = k};
  struct least_squares fit = {NAN, {NAN, NAN}, NAN, NAN};
  OWNED double *room = mem_array(k * n, sizeof *room, e);
  if (room == NULL)
    return FAIL;
  bool determined = n >= k + 2 && !is_constant(y, n);
  for (size_t j = 0; j < k && determined; j++) {
    b.q[j] = room + j * n;
    determined = add_predictor(&b, x[j], j);
  }
  if (determined)
    solve(&b, y, mean_of(y, n), &fit);
  *out = fit;
  return OK;
}

double least_squares_at(const struct least_squares *f, const double *const *x, size_t k, size_t i)
{
  double y = f->at_zero;
  for (size_t j = 0; j < k; j++)
    y += f->slope[j] * x[j][i];
  return y;
}
