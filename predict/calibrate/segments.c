#include "predict/calibrate/segments.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

/* Relative error assumed for a time that was measured without any spread. */
#define LEAST_ERROR 1e-4

/* Least share of y of each of the two parts of a line, at_zero and slope * x. */
#define LEAST_PART 1e-5

/* Parameters of a segment: two of its line, and its begin. */
#define PARAMETERS 3

/* Weighted moments of the points of a segment, kept as means and centred sums, so that a line
 * through points without noise loses no digits. */
struct moments {
  double weight, x, y; /* sum of the weights; means */
  double xx, xy, yy;   /* sums of weighted products of the distances from the means */
  double first_x, last_x, first_y, last_y;
};

/* A point with its weight in sums of squares, 1 / variance. */
struct weighted {
  double x, y, weight;
};

static void add_point(struct moments *m, const struct weighted *p)
{
  const double weight = p->weight;
  const double dx = p->x - m->x, dy = p->y - m->y, all = m->weight + weight;
  if (m->weight == 0) {
    m->first_x = p->x;
    m->first_y = p->y;
  }
  m->x += dx * weight / all;
  m->y += dy * weight / all;
  m->xx += weight * dx * (p->x - m->x);
  m->xy += weight * dx * (p->y - m->y);
  m->yy += weight * dy * (p->y - m->y);
  m->weight = all;
  m->last_x = p->x;
  m->last_y = p->y;
}

struct line {
  double at_zero, slope;
};

/* The weighted sum of squared errors of a line. */
static double cost_of(const struct moments *m, struct line l)
{
  const double away = m->y - l.at_zero - l.slope * m->x;
  const double sum = m->yy - 2 * l.slope * m->xy + l.slope * l.slope * m->xx;
  return fmax(sum, 0) + m->weight * away * away;
}

/* The best line of which both parts, at_zero and slope, are at least LEAST_PART of y: the overall
 * optimum, or a line on the border, since the cost is convex. */
static struct line best_line(const struct moments *m, double *cost)
{
  const double least_zero = LEAST_PART * m->first_y;
  const double least_slope = m->last_x > 0 ? LEAST_PART * m->last_y / m->last_x : 0;
  struct line l = {.slope = m->xx > 0 ? m->xy / m->xx : least_slope};
  l.at_zero = m->y - l.slope * m->x;
  if (l.slope >= least_slope && l.at_zero >= least_zero) {
    *cost = cost_of(m, l);
    return l;
  }
  const struct line flat = {fmax(m->y - least_slope * m->x, least_zero), least_slope};
  const double squares = m->xx + m->weight * m->x * m->x;
  const double products = m->xy + m->weight * m->x * (m->y - least_zero);
  const struct line steep = {least_zero, fmax(squares > 0 ? products / squares : 0, least_slope)};
  const double flat_cost = cost_of(m, flat), steep_cost = cost_of(m, steep);
  *cost = fmin(flat_cost, steep_cost);
  return steep_cost < flat_cost ? steep : flat;
}

/* Row k, column i: the first i points in k segments. */
struct table {
  size_t n, most;
  double *cost;   /* least criterion; INFINITY: impossible */
  uint32_t *from; /* begin of the last of these segments */
};

static size_t cell(const struct table *t, size_t k, size_t i)
{
  return k * (t->n + 1) + i;
}

static void clear_table(struct table *t)
{
  free(t->cost);
  free(t->from);
}

static enum status new_table(struct table *t, size_t n, size_t most, struct err *e)
{
  *t = (struct table){.n = n, .most = most};
  t->cost = mem_array((most + 1) * (n + 1), sizeof *t->cost, e);
  t->from = t->cost == NULL ? NULL : mem_array((most + 1) * (n + 1), sizeof *t->from, e);
  if (t->from == NULL) {
    clear_table(t);
    return FAIL;
  }
  for (size_t i = 0; i < (most + 1) * (n + 1); i++)
    t->cost[i] = INFINITY;
  t->cost[cell(t, 0, 0)] = 0;
  return OK;
}

/* Contribution of a segment of @p points points to the criterion.  Each segment has its own
 * variance, which includes the expected variance of its points.  So a segment that no line fits
 * does not outweigh the others. */
static double criterion(const struct table *t, double cost, double points)
{
  return points * log1p(cost / points) + PARAMETERS * log((double)t->n);
}

/* Extends the table by all segments that begin at point @p first, after the best cuts of the points
 * before @p first. */
static void extend(struct table *t, const struct weighted *point, size_t first)
{
  struct moments m = {0};
  for (size_t end = first + 1; end <= t->n; end++) {
    double cost;
    add_point(&m, &point[end - 1]);
    if (end - first < SEGMENTS_FEWEST)
      continue;
    best_line(&m, &cost);
    cost = criterion(t, cost, (double)(end - first));
    for (size_t k = 0; k < t->most; k++) {
      const double sum = t->cost[cell(t, k, first)] + cost;
      const size_t at = cell(t, k + 1, end);
      if (sum < t->cost[at]) {
        t->cost[at] = sum;
        t->from[at] = (uint32_t)first;
      }
    }
  }
}

static size_t best_count(const struct table *t)
{
  size_t best = 1;
  for (size_t k = 2; k <= t->most; k++)
    if (t->cost[cell(t, k, t->n)] < t->cost[cell(t, best, t->n)])
      best = k;
  return best;
}

static struct segment make(const struct weighted *point, size_t first, size_t end)
{
  struct moments m = {0};
  double cost, sum = 0;
  for (size_t i = first; i < end; i++)
    add_point(&m, &point[i]);
  const struct line l = best_line(&m, &cost);
  for (size_t i = first; i < end; i++) {
    const double error = (l.at_zero + l.slope * point[i].x) / point[i].y - 1;
    sum += error * error;
  }
  return (struct segment){.first = first,
                          .end = end,
                          .at_zero = l.at_zero,
                          .slope = l.slope,
                          .error = sqrt(sum / (double)(end - first))};
}

/* --- expected errors -------------------------------------------------------------------------- */

/* Distance of the point from the line through its neighbours, relative to y. */
static double departure(const struct segments_point *p)
{
  const double share = (p->x - p[-1].x) / (p[1].x - p[-1].x);
  return fabs((p[-1].y + share * (p[1].y - p[-1].y)) / p->y - 1);
}

/* The relative error of points whose error is not known, from the median of the departures, which
 * steps hardly affect.  The median of absolute normal values is 0.6745 standard deviations.  A
 * departure is computed from three points and has 1.5 times their variance.  @p room has n
 * entries. */
static double common_error(const struct segments_point *point, size_t n, double *room)
{
  for (size_t i = 1; i + 1 < n; i++)
    room[i - 1] = departure(&point[i]);
  qsort(room, n - 2, sizeof *room, rising_double);
  return room[(n - 2) / 2] / 0.6745 / sqrt(1.5);
}

static struct weighted *weigh(const struct segments_point *point, size_t n, struct err *e)
{
  OWNED double *room = mem_array(n, sizeof *room, e);
  struct weighted *made = room == NULL ? NULL : mem_array(n, sizeof *made, e);
  const double common = made == NULL ? 0 : common_error(point, n, room);
  for (size_t i = 0; made != NULL && i < n; i++) {
    const double error = isnan(point[i].error) ? common : point[i].error;
    const double variance = (error * error + LEAST_ERROR * LEAST_ERROR) * point[i].y * point[i].y;
    made[i] = (struct weighted){point[i].x, point[i].y, 1 / variance};
  }
  return made;
}

static void fit(struct segment *out, size_t *count, const struct weighted *point, struct table *t)
{
  for (size_t first = 0; first < t->n; first++)
    extend(t, point, first);
  *count = best_count(t);
  for (size_t k = *count, end = t->n; k > 0; k--) {
    const size_t first = t->from[cell(t, k, end)];
    out[k - 1] = make(point, first, end);
    end = first;
  }
}

enum status segments_fit(struct segment *out, size_t *count, const struct segments_point *point,
                         size_t n, size_t most, struct err *e)
{
  struct table t;
  if (n < SEGMENTS_FEWEST)
    return err_set(e, "%zu sizes are too few for a line, which needs %d", n, SEGMENTS_FEWEST);
  if (n > SEGMENTS_POINTS)
    return err_set(e, "%zu sizes are above the maximum of %d", n, SEGMENTS_POINTS);
  most = most < n / SEGMENTS_FEWEST ? most : n / SEGMENTS_FEWEST;
  OWNED struct weighted *weighted = weigh(point, n, e);
  const enum status s = weighted == NULL ? FAIL : new_table(&t, n, most, e);
  if (s == OK) {
    fit(out, count, weighted, &t);
    clear_table(&t);
  }
  return s;
}
