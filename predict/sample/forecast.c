#include "predict/sample/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "predict/sample/trend.h"

/* Lengths in s of the periods that were simulated without a gap, in order, and their first
 * iterations. */
struct lengths {
  double *s;           /* owned */
  uint64_t *iteration; /* owned */
  size_t count;
};

/* True if the period that begins with the mark was simulated without a gap. */
static bool is_whole(const struct sample_plan *p, const struct sample_mark *m, size_t left)
{
  const uint64_t end = p->iterations + 1 - p->last_differs;
  if (left <= p->period || m[p->period].iteration > end)
    return false;
  for (size_t i = 0; i < p->period; i++)
    if (m[i].to != 0)
      return false;
  return true;
}

/* Widens the interval, as the values are few. settle_find() leaves out the start that makes the
 * error least; the error of all values but the first is used if it is larger.  The autocorrelation
 * is hardly known, so the degrees of freedom are halved. */
static void widen(struct settled *s, const double *length, size_t count)
{
  const struct settled all = settle_mean(length + 1, count - 1);
  if (s->start >= 2 && all.error > s->error) {
    s->error = all.error;
    s->degree = all.degree;
  }
  if (s->degree > 0)
    s->degree = fmax(s->degree / 2, 1);
}

static enum status list_lengths(const struct sample_plan *p, const struct sample_mark *m,
                                size_t count, struct lengths *out, struct err *e)
{
  if ((out->s = mem_array(count, sizeof *out->s, e)) == NULL ||
      (out->iteration = mem_array(count, sizeof *out->iteration, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < count;) {
    if (!is_whole(p, m + i, count - i)) {
      i++;
      continue;
    }
    out->s[out->count] = m[i + p->period].last_s - m[i].last_s;
    out->iteration[out->count++] = m[i].iteration;
    i += p->period;
  }
  return OK;
}

/* Groups are spread over the run because it varies, so only the first one has an unsettled
 * start. */
struct settled forecast_mean(const struct sample_plan *p, const double *length, size_t count)
{
  struct settled s = settle_find(length, count);
  if (p->groups > 1 && s.start > 1) {
    s = settle_mean(length + 1, count - 1);
    s.start = 1;
  }
  widen(&s, length, count);
  return s;
}

static void extrapolate(const struct lengths *l, uint64_t left_out, const struct sample_plan *p,
                        struct forecast *out)
{
  const struct settled s = forecast_mean(p, l->s, l->count);
  const double periods = (double)left_out / (double)p->period;
  const double n = (double)(l->count - s.start);
  /* The skipped periods vary like the simulated ones, so the error of the mean of the skipped
   * periods is added to the error of the sample mean. */
  const double error = s.error * sqrt(1 + n / periods);
  out->iteration_s = s.mean / (double)p->period;
  out->settled_from = l->iteration[s.start];
  out->time_s += periods * s.mean;
  /* The simulator does not distinguish dates closer than the precision. */
  const double half = periods * settle_half_interval(error, s.degree);
  out->half_s = isnan(half) ? NAN : fmax(half, (double)left_out * p->precision_s);
}

enum status forecast_run(const struct sample_plan *plan, const struct sample_mark *mark,
                         size_t count, double end_s, struct forecast *out, struct err *e)
{
  struct lengths l = {0};
  uint64_t left_out = 0;
  enum status s = list_lengths(plan, mark, count, &l, e);
  for (size_t i = 0; i < count; i++)
    left_out += mark[i].to == 0 ? 0 : mark[i].to - mark[i].iteration;
  *out = (struct forecast){.time_s = end_s,
                           .iterations = plan->iterations,
                           .simulated = plan->iterations - left_out,
                           .settled_from = 1};
  if (s == OK && left_out > 0 && plan->trend)
    s = trend_forecast(plan, mark, count, out, e);
  else if (s == OK && left_out > 0)
    extrapolate(&l, left_out, plan, out);
  free(l.s);
  free(l.iteration);
  return s;
}
