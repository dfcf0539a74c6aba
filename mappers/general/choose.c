#include "mappers/general/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mappers/general/candidates.h"
#include "mappers/tune/trials.h"

enum {
  MOST_SIMULATED = 8, /* candidates with the least estimates, besides the mappings of mappers */
  FINALISTS = 3       /* the last comparison must have the budget for that number of candidates */
};

/* Rounds in which candidates are dropped take up to ROUNDS_ITERATIONS iterations, but at most
 * ROUNDS_MOST of the work and at least ROUNDS_LEAST of it. */
enum { ROUNDS_ITERATIONS = 10 };
#define ROUNDS_LEAST 0.4
#define ROUNDS_MOST  0.9

/* The finalists are behind the best one by at most this share of the time.  A difference counts in
 * proportion to the simulated share of an iteration, because the rest of it is the estimate's. */
#define FINAL_MARGIN 0.05

/* Limit of the simulated work: of the sum over phases of the square of their messages, about 25 s
 * of CPU time.  A program with a phase above MOST_PHASE is not simulated, as a prefix of it saves
 * nothing. */
#define MOST_COST  5e10
#define MOST_PHASE 2e10

/* The shortest time of a part of the program, as a share of the estimate: the first operations may
 * take none. */
#define LEAST_TIME 1e-3

/* Estimates of one phase that differ by less decide nothing. */
#define ESTIMATE_ERROR 0.01

/* A given mapping is replaced by a later one, which has more bytes, only if that is faster by more
 * than this share. */
#define GIVEN_MARGIN 0.01

static int by_value(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static int by_time(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  if (x->time_s != y->time_s)
    return x->time_s < y->time_s ? -1 : 1;
  return by_value(a, b);
}

/* The iterations of the main loop before a point; at most 1. */
static double iterations_before(const struct mapper_input *in, uint32_t point)
{
  return fmin(ldexp((double)in->simulator->iterations, (int)point - TRIALS_END), 1);
}

/* Simulates the first @p n candidates up to a point, and sets their times.  The messages of a part
 * of an iteration are not the program's, so the estimate counts for the rest of the iteration. */
static enum status simulate(struct candidates *c, struct trials *t, uint32_t n, uint32_t point,
                            struct err *e)
{
  const double share = iterations_before(t->in, point);
  for (uint32_t i = 0; i < n;) {
    const uint32_t first = i;
    for (; i < n && i < first + TRIALS_BATCH; i++)
      trials_add_hosts(t, c->candidate[i].host, point);
    if (trials_run(t, e) != OK)
      return FAIL;
    for (uint32_t k = first; k < i; k++) {
      struct candidate *x = &c->candidate[k];
      const double time_s = fmax(trials_time(t, k - first), LEAST_TIME * x->value);
      x->time_s = pow(time_s, share) * pow(x->value, 1 - share);
    }
  }
  qsort(c->candidate, n, sizeof *c->candidate, by_time);
  for (uint32_t i = n; i-- > 0;)
    c->candidate[i].behind = share * (c->candidate[i].time_s / c->candidate[0].time_s - 1);
  return OK;
}

/* The longest part of the program that @p n candidates may simulate with @p work. */
static uint32_t point_of(uint64_t work, uint32_t n)
{
  uint32_t point = 0;
  while (point < TRIALS_END && ((uint64_t)n << (point + 1)) <= work)
    point++;
  return point;
}

/* Drops candidates by exchanges with large estimates.  The order by value stays. */
static void drop_slow(struct candidates *c)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->count; i++)
    if (i < MOST_SIMULATED || !candidate_is_changed(&c->candidate[i]))
      c->candidate[n++] = c->candidate[i];
  c->count = n;
}

static double messages_of(const struct phases *p, uint32_t phase)
{
  double n = 0;
  for (size_t i = p->first[phase]; i < p->first[phase + 1]; i++)
    n += p->message[i].messages;
  return n;
}

/* Sets *runs to the number of simulations of the whole program that the budget, in iterations, and
 * MOST_COST allow. */
static enum status count_runs(const struct mapper_input *in, double budget, double *runs,
                              struct err *e)
{
  const struct phases *p;
  double cost = 0;
  if (mapper_phases(in, &p, e) != OK)
    return FAIL;
  *runs = budget / (double)in->simulator->iterations;
  for (size_t i = 0; p != NULL && i < p->steps; i++) {
    const double n = messages_of(p, p->step[i].phase);
    cost += (double)p->step[i].times * n * n;
    if (n * n > MOST_PHASE)
      *runs = 0;
  }
  if (cost > 0)
    *runs = fmin(*runs, MOST_COST / cost);
  return OK;
}

static uint64_t rounds_work(const struct mapper_input *in, uint64_t work)
{
  const double iteration = (double)TRIALS_RUN / (double)in->simulator->iterations;
  const double most = fmin(ROUNDS_ITERATIONS * iteration, ROUNDS_MOST * (double)work);
  return (uint64_t)fmax(ROUNDS_LEAST * (double)work, most);
}

/* Orders the candidates by their times: half of the work for all, a quarter for the better half,
 * and so on.  Sets *done to the number of points at which the first two were compared. */
static enum status run_rounds(struct candidates *c, struct trials *t, uint64_t work, uint32_t *done,
                              struct err *e)
{
  *done = 0;
  for (uint32_t n = c->count; n > 1 && *done < TRIALS_END + 1; n = (n + 1) / 2) {
    const uint32_t point = point_of(n > 2 ? work / 2 : work, n);
    if (point + 1 <= *done)
      continue;
    if (simulate(c, t, n, point, e) != OK)
      return FAIL;
    work -= t->work < work ? t->work : work;
    t->work = 0;
    *done = point + 1;
  }
  return OK;
}

/* The number of candidates, the first ones, of which each may be the fastest; at most @p most. */
static uint32_t count_finalists(const struct candidates *c, uint64_t most)
{
  uint32_t n = 1;
  while (n < most && n < c->count && c->candidate[n].behind <= FINAL_MARGIN)
    n++;
  return n;
}

/* Of the first @p n candidates whose times differ from the least one by chaos only, the best by
 * value. */
static uint32_t fastest(const struct candidates *c, uint32_t n)
{
  uint32_t best = 0;
  for (uint32_t i = 1; i < n; i++)
    if (c->candidate[i].behind <= TRIALS_CHAOS && c->candidate[i].value < c->candidate[best].value)
      best = i;
  return best;
}

/* Finds the fastest candidate.  The first iterations of a program may favour another one, so the
 * rest of the work is for comparing the best ones if their times differ little. */
static enum status race(struct candidates *c, const struct mapper_input *in, uint64_t work,
                        uint32_t *best, struct err *e)
{
  struct trials t;
  uint32_t done;
  if (trials_new(&t, in, e) != OK)
    return FAIL;
  enum status s = run_rounds(c, &t, rounds_work(in, work), &done, e);
  const uint64_t rest = work - rounds_work(in, work);
  const uint32_t point = point_of(rest, FINALISTS);
  const uint32_t passed = point < done ? 2 : 1; /* candidates that are already compared there */
  uint32_t n = s == OK ? count_finalists(c, rest >> point) : 1;
  if (n > passed && point + 1 >= done)
    s = simulate(c, &t, n, point, e);
  else
    n = n < passed ? n : passed;
  *best = fastest(c, n);
  trials_clear(&t);
  return s;
}

static bool is_better(const struct candidates *c, const struct candidate *x,
                      const struct candidate *y)
{
  const bool few = (uint64_t)x->load <= c->most_hop_bytes;
  const bool other = (uint64_t)y->load <= c->most_hop_bytes;
  return few != other ? few : x->load < y->load;
}

/* A matrix alone is one phase.  Its estimate is mostly the load of the cable of a host, which no
 * mapping changes.  Therefore, of the candidates with nearly the least estimate, those without too
 * many hop-bytes come first, then the load of the fullest link that a mapping changes, then
 * hop-bytes. */
static uint32_t least_loaded(const struct candidates *c)
{
  uint32_t best = 0;
  for (uint32_t i = 1; i < c->count; i++)
    if (c->candidate[i].value <= c->candidate[0].value * (1 + ESTIMATE_ERROR) &&
        is_better(c, &c->candidate[i], &c->candidate[best]))
      best = i;
  return best;
}

static enum status choose(struct candidates *c, const struct mapper_input *in,
                          const struct choose_plan *plan, uint32_t *best, struct err *e)
{
  const enum objective by = plan->by == CHOOSE_TIME ? OBJECTIVE_TIME : OBJECTIVE_BLEND;
  double runs;
  *best = 0;
  if (candidates_make(c, in, &plan->general, by, e) != OK)
    return FAIL;
  qsort(c->candidate, c->count, sizeof *c->candidate, by_value);
  if (c->by_load)
    *best = least_loaded(c);
  if (plan->by != CHOOSE_TIME || in->simulator == NULL)
    return OK;
  if (count_runs(in, plan->budget, &runs, e) != OK)
    return FAIL;
  const uint64_t work = (uint64_t)(runs * (double)TRIALS_RUN);
  drop_slow(c);
  if (rounds_work(in, work) < c->count)
    return OK;
  return race(c, in, work, best, e);
}

enum status choose_mapping(struct mapping *out, const struct mapper_input *in,
                           const struct choose_plan *plan, struct err *e)
{
  struct candidates c;
  uint32_t best;
  enum status s = choose(&c, in, plan, &best, e);
  if (s == OK)
    s = mapping_new(out, in->ranks, e);
  if (s == OK)
    memcpy(out->host, c.candidate[best].host, in->ranks * sizeof *out->host);
  candidates_clear(&c);
  return s;
}

enum status choose_fastest(const struct mapper_input *in, const uint32_t *const *host, uint32_t n,
                           double budget, uint32_t *best, struct err *e)
{
  struct trials t;
  double runs;
  *best = 0;
  if (count_runs(in, budget, &runs, e) != OK)
    return FAIL;
  const uint64_t work = (uint64_t)(runs * (double)TRIALS_RUN);
  if (work < n)
    return OK;
  if (trials_new(&t, in, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    trials_add_hosts(&t, host[i], point_of(work, n));
  const enum status s = trials_run(&t, e);
  for (uint32_t i = 1; s == OK && i < n; i++)
    if (trials_time(&t, i) * (1 + GIVEN_MARGIN) < trials_time(&t, *best))
      *best = i;
  trials_clear(&t);
  return s;
}
