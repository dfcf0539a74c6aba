#include "predict/sample/trend.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

/* The iterations of a group that count: their middle, mean time and its standard error. */
struct group {
  double middle, mean_s, error_s;
};

/* The group of the marks from..to, which have no gap; mark `to` only ends the last iteration. */
static struct group group_of(const struct sample_mark *mark, size_t from, size_t to)
{
  const size_t begin = from + (to - from) / 3, n = to - begin;
  const double mean = (mark[to].last_s - mark[begin].last_s) / (double)n;
  double squares = 0;
  for (size_t i = begin; i < to; i++)
    squares += pow(mark[i + 1].last_s - mark[i].last_s - mean, 2);
  return (struct group){.middle =
                            ((double)mark[begin].iteration + (double)mark[to].iteration - 1) / 2,
                        .mean_s = mean,
                        .error_s = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0};
}

/* Lists the groups.  A mark that skips iterations ends a group. */
static size_t list_groups(const struct sample_mark *mark, size_t count, struct group *out)
{
  size_t groups = 0, from = 0;
  for (size_t i = 0; i < count; i++) {
    if (mark[i].to == 0 && i + 1 < count)
      continue;
    if (i > from)
      out[groups++] = group_of(mark, from, i);
    from = i + 1;
  }
  return groups;
}

/* Weights of the groups first..first+n-1 in the polynomial through them, at @p x. */
static void weights(const struct group *g, size_t n, double x, double *w)
{
  for (size_t i = 0; i < n; i++) {
    w[i] = 1;
    for (size_t j = 0; j < n; j++)
      if (j != i)
        w[i] *= (x - g[j].middle) / (g[i].middle - g[j].middle);
  }
}

/* Adds the weights of the groups for iteration @p x, in the polynomial through the @p points groups
 * around @p x. */
static void add_weights(const struct group *g, size_t groups, double x, size_t points, double *sum)
{
  double w[4];
  size_t first = 0;
  if (points > groups)
    points = groups;
  while (first + points < groups && g[first + points / 2].middle < x)
    first++;
  weights(g + first, points, x, w);
  for (size_t i = 0; i < points; i++)
    sum[first + i] += w[i];
}

static double total(const struct group *g, size_t groups, const double *w)
{
  double sum = 0;
  for (size_t i = 0; i < groups; i++)
    sum += w[i] * g[i].mean_s;
  return sum;
}

/* The time of all skipped iterations.  The interval covers the errors of the means, and the
 * difference between cubics and parabolas. */
static void interpolate(const struct group *g, size_t groups, const struct sample_mark *mark,
                        size_t count, double *room, struct forecast *out)
{
  double *cubic = room, *parabola = room + groups, squares = 0;
  for (size_t i = 0; i < count; i++)
    for (uint64_t k = mark[i].iteration; k < mark[i].to; k++) {
      add_weights(g, groups, (double)k, 4, cubic);
      add_weights(g, groups, (double)k, 3, parabola);
    }
  const double time_s = total(g, groups, cubic);
  for (size_t i = 0; i < groups; i++)
    squares += pow(cubic[i] * g[i].error_s, 2);
  out->half_s = 2 * sqrt(squares) + fabs(time_s - total(g, groups, parabola));
  out->time_s += time_s;
  out->iteration_s = time_s / (double)(out->iterations - out->simulated);
  out->settled_from = 1;
}

enum status trend_forecast(const struct sample_plan *plan, const struct sample_mark *mark,
                           size_t count, struct forecast *out, struct err *e)
{
  struct group *g = mem_array((size_t)plan->groups + 1, sizeof *g, e);
  double *room = mem_array(2 * ((size_t)plan->groups + 1), sizeof *room, e);
  enum status s = g == NULL || room == NULL ? FAIL : OK;
  const size_t groups = s == OK ? list_groups(mark, count, g) : 0;
  if (s == OK && groups < 2)
    s = err_set(e, "a sample of fewer than two groups of iterations");
  if (s == OK)
    interpolate(g, groups, mark, count, room, out);
  free(g);
  free(room);
  return s;
}
