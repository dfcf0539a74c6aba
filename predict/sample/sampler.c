#include "predict/sample/sampler.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "predict/sample/forecast.h"
#include "traces/action.h"

/* Periods before a sample may end, and how narrow its interval must be then, by its mean. */
enum { FEWEST_PERIODS = 5 };
#define SETTLED 1e-3

struct sampler {
  struct sample_plan plan;
  struct replay_loop loop;
  struct sample_mark *mark;
  size_t room, marks;
  size_t *next;         /* by rank: its next mark */
  double *slept;        /* by rank */
  uint64_t simulated;   /* iterations that marks cover, those that jump left out */
  uint32_t group;       /* that is simulated, from 0 */
  double *length;       /* of the periods that all ranks have passed */
  size_t lengths, look; /* how many; of which it is next asked whether they have settled */
};

static struct replay_jump passed(void *state, uint32_t rank, uint64_t iteration, double now_s);

enum status sampler_new(struct sampler **out, const struct sample_plan *plan, struct err *e)
{
  struct sampler *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  *s = (struct sampler){.plan = *plan, .loop = {s, passed}, .look = FEWEST_PERIODS};
  /* An iteration has a mark, a jump another one, and so has the end. */
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

/* Iterations that the groups up to the one at hand have together. */
static uint64_t due(const struct sampler *s)
{
  const struct sample_plan *p = &s->plan;
  const uint64_t periods = p->most / p->period * (s->group + 1) / p->groups;
  return (periods == 0 ? 1 : periods) * p->period;
}

/* Iterations to leave out from @p iteration on, in whole periods: a share of what the groups that
 * follow will not simulate. */
static uint64_t gap(const struct sampler *s, uint64_t iteration)
{
  const struct sample_plan *p = &s->plan;
  const uint64_t rest = p->iterations + 1 - p->last_differs - iteration;
  const bool last = s->group + 1 == p->groups;
  const uint64_t others = last ? 0 : p->most / p->period * p->period - s->simulated;
  return rest <= others ? 0 : (rest - others) / (p->groups - s->group) / p->period * p->period;
}

/* Seconds that an iteration takes, by the later half of what is known: not all ranks have passed
 * the last mark. */
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

/* Takes the periods that the last rank has left by now, as long as none is left out. */
static void take_lengths(struct sampler *s)
{
  for (;; s->lengths++) {
    const size_t begin = s->lengths * s->plan.period, end = begin + s->plan.period;
    if (end >= s->marks || s->mark[end].passed < s->plan.ranks)
      return;
    s->length[s->lengths] = s->mark[end].last_s - s->mark[begin].last_s;
  }
}

/* Is the mean known well enough?  It is asked ever more seldom, as the answer takes time. */
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

/* The first rank to come decides what all do. */
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
  m->sleep_s = s->plan.groups > 1 ? length_so_far(s) * (double)n : 0;
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
