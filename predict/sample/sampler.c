#include "predict/sample/sampler.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "predict/sample/forecast.h"
#include "traces/action.h"

/* A sample has at least FEWEST_PERIODS periods.  It ends when half the width of the interval is at
 * most SETTLED of the mean. */
enum { FEWEST_PERIODS = 5 };
#define SETTLED 1e-3

struct sampler {
  struct sample_plan plan;
  struct replay_loop loop;
  struct sample_mark *mark;
  size_t room, marks;
  size_t *next;         /* by rank: its next mark */
  double *slept;        /* by rank */
  uint64_t simulated;   /* iterations with marks, without skipped ones */
  uint32_t group;       /* current group, from 0 */
  double *length;       /* lengths in s of the periods that all ranks have passed */
  size_t lengths, look; /* number of lengths; number at which the next settling check is due */
};

static struct replay_jump passed(void *state, uint32_t rank, uint64_t iteration, double now_s);

enum status sampler_new(struct sampler **out, const struct sample_plan *plan, struct err *e)
{
  struct sampler *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  *s = (struct sampler){.plan = *plan, .loop = {s, passed}, .look = FEWEST_PERIODS};
  /* One mark per iteration, one more per jump, and one for the end. */
  s->room = (size_t)(plan->most < plan->iterations ? plan->most : plan->iterations) +
            (size_t)(plan->groups + plan->period) + 3;
  if ((s->mark = mem_array(s->room, sizeof *s->mark, e)) == NULL ||
      (s->length = mem_array(s->room, sizeof *s->length, e)) == NULL ||
      (s->next = mem_array(plan->ranks, sizeof *s->next, e)) == NULL ||
      (s->slept = mem_array(plan->ranks, sizeof *s->slept, e)) == NULL) {
    sampler_free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void sampler_free(struct sampler *s)
{
  if (s == NULL)
    return;
  free(s->mark);
  free(s->length);
  free(s->next);
  free(s->slept);
  free(s);
}

const struct replay_loop *sampler_loop(const struct sampler *s)
{
  return &s->loop;
}

const struct sample_mark *sampler_marks(const struct sampler *s, size_t *count)
{
  *count = s->marks;
  return s->mark;
}

double sampler_slept(const struct sampler *s)
{
  double sum = 0;
  for (size_t i = 0; i < s->marks; i++)
    sum += s->mark[i].sleep_s;
  return sum;
}

/* Total number of iterations of the groups up to the current one. */
static uint64_t due(const struct sampler *s)
{
  const struct sample_plan *p = &s->plan;
  const uint64_t periods = p->most / p->period * (s->group + 1) / p->groups;
  return (periods == 0 ? 1 : periods) * p->period;
}

/* Number of iterations to skip from @p iteration on, in whole periods: an equal share of the
 * iterations that the following groups will not simulate. */
static uint64_t gap(const struct sampler *s, uint64_t iteration)
{
  const struct sample_plan *p = &s->plan;
  const uint64_t rest = p->iterations + 1 - p->last_differs - iteration;
  const bool last = s->group + 1 == p->groups;
  const uint64_t others = last ? 0 : p->most / p->period * p->period - s->simulated;
  const uint64_t gaps = p->groups - s->group - p->trend;
  return rest <= others || gaps == 0 ? 0 : (rest - others) / gaps / p->period * p->period;
}

/* Mean length of an iteration in s over the later half of the marks, without the last mark, which
 * not all ranks have passed. */
static double length_so_far(const struct sampler *s)
{
  double sum = 0;
  size_t n = 0;
  if (s->marks < 3)
    return 0;
  for (size_t i = (s->marks - 2) / 2; i + 2 < s->marks; i++)
    if (s->mark[i].to == 0) {
      sum += s->mark[i + 1].last_s - s->mark[i].last_s;
      n++;
    }
  return n == 0 || sum < 0 ? 0 : sum / (double)n;
}

/* Adds the periods that all ranks have passed.  No iteration may have been skipped. */
static void take_lengths(struct sampler *s)
{
  for (;; s->lengths++) {
    const size_t begin = s->lengths * s->plan.period, end = begin + s->plan.period;
    if (end >= s->marks || s->mark[end].passed < s->plan.ranks)
      return;
    s->length[s->lengths] = s->mark[end].last_s - s->mark[begin].last_s;
  }
}

/* True if the mean is known well enough.  Checks at growing intervals, as a check takes time. */
static bool has_settled(struct sampler *s)
{
  if (s->plan.groups > 1 || s->simulated % s->plan.period != 0)
    return false;
  take_lengths(s);
  if (s->lengths < s->look)
    return false;
  s->look = s->lengths + 1 + s->lengths / 8;
  const struct settled mean = forecast_mean(&s->plan, s->length, s->lengths);
  const double half = settle_half_interval(mean.error, mean.degree);
  return half <= SETTLED * mean.mean;
}

/* Adds a mark.  The first rank that reaches an iteration decides for all ranks. */
static struct sample_mark *add_mark(struct sampler *s, uint64_t iteration)
{
  struct sample_mark *m = &s->mark[s->marks++];
  uint64_t n = 0;
  *m = (struct sample_mark){.iteration = iteration};
  if (iteration > s->plan.iterations)
    return m;
  if (s->group < s->plan.groups && (s->simulated >= due(s) || has_settled(s))) {
    n = gap(s, iteration);
    s->group++;
  }
  if (n == 0) {
    s->simulated++;
    return m;
  }
  m->to = iteration + n;
  m->sleep_s = s->plan.groups > 1 && !s->plan.trend ? length_so_far(s) * (double)n : 0;
  return m;
}

static struct replay_jump passed(void *state, uint32_t rank, uint64_t iteration, double now_s)
{
  struct sampler *s = state;
  const uint64_t at = iteration == ACTION_MARK_END ? s->plan.iterations + 1 : iteration;
  const size_t i = s->next[rank]++;
  struct sample_mark *m = i == s->marks ? add_mark(s, at) : &s->mark[i];
  const double t = now_s - s->slept[rank];
  m->last_s = fmax(m->last_s, t);
  m->mean_s += (t - m->mean_s) / ++m->passed;
  if (m->to == 0)
    return (struct replay_jump){.jump = false};
  s->slept[rank] += m->sleep_s;
  const uint64_t to = m->to > s->plan.iterations ? (uint64_t)ACTION_MARK_END : m->to;
  return (struct replay_jump){.jump = true, .to = to, .sleep_s = m->sleep_s};
}
