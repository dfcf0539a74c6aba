#include "predict/sweep/race.h"

#include <math.h>

/* Margins by point: the errors of the predictions of choices that can win, plus a reserve.
 * OTHER_MARGIN is for a leader that is a run of another program: only the shares of its set-up and
 * loop predict the choice, so it has no margin at points within the set-up. */
static const double ALIKE_MARGIN[] = {0.5, 0.4, 0.3, 0.25, 0.1, 0.05, 0.03},
                    OTHER_MARGIN[] = {0, 0, 0, 1, 0.25, 0.25, 0.25};

uint64_t race_periods(uint32_t point)
{
  return UINT64_C(1) << (point - RACE_SETUP - 1);
}

static uint64_t rounded_up(double x)
{
  return (uint64_t)ceil(x);
}

void race_due(const struct operations *o, double periods, uint64_t sample, uint64_t *due)
{
  for (uint32_t k = 0; k + 1 < WATCH_POINTS; k++)
    if (k <= RACE_SETUP)
      due[k] = rounded_up((double)o->before * (k + 1) / (RACE_SETUP + 1));
    else if (k <= RACE_LAST && race_periods(k) <= sample)
      due[k] = o->before + rounded_up((double)o->loop * (double)race_periods(k) / periods);
    else
      due[k] = UINT64_MAX;
}

static bool tells(const struct race *r, uint32_t point)
{
  return r->leader != NULL && point >= r->first && point <= r->last &&
         (r->alike || point >= RACE_SETUP) &&
         r->leader->passed_s[point] > (point > RACE_SETUP ? r->leader->passed_s[RACE_SETUP] : 0);
}

/* Time of the leader after its set-up, relative to the time of its loop up to the point. */
static double stretch(const struct race *r, uint32_t point)
{
  const double *at = r->leader->passed_s;
  return (r->leader->time_s - at[RACE_SETUP]) / (at[point] - at[RACE_SETUP]);
}

double race_predict(const struct race *r, uint32_t point, double setup_s, double date_s)
{
  if (!tells(r, point))
    return NAN;
  if (point <= RACE_SETUP)
    return r->leader->time_s * (date_s / r->leader->passed_s[point]);
  return setup_s + (date_s - setup_s) * stretch(r, point);
}

double race_margin(const struct race *r, uint32_t point)
{
  return (r->alike ? ALIKE_MARGIN : OTHER_MARGIN)[point] * r->room;
}

/* Dates with a smaller relative difference are equal. */
static const double TIE = 1e-9;

double race_limit(const struct race *r, uint32_t point, double setup_s)
{
  if (!tells(r, point))
    return INFINITY;
  const double most_s = r->best_s * (1 + race_margin(r, point)) * (1 + TIE);
  if (point <= RACE_SETUP)
    return r->leader->passed_s[point] * (most_s / r->leader->time_s);
  return setup_s + (most_s - setup_s) / stretch(r, point);
}
