#define _GNU_SOURCE
#include "predict/sweep/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/batch.h"
#include "common/mem.h"
#include "predict/sample/sample.h"
#include "sim/replay/watch.h"

/* All choices race to the point where an eighth of PERIODS periods of the main loop is over, which
 * is before the end of the first period; those predicted to be slower than the best by more than a
 * margin are stopped on the way.  Of the others a share of all choices is sampled.  They are
 * stopped if they have fallen behind the one that led the race at a quarter and at a half of that;
 * those of other programs, or where loads vary, only if by more, as programs are not equally fast
 * all the time. */
enum { PERIODS = 8, RACE = WATCH_POINTS - 4, QUARTER, HALF, FIRST_BATCH = 8 };
static const double RACE_MARGIN = 0.25, SHARE = 0.15, QUARTER_MARGIN = 0.05, HALF_MARGIN = 0.025,
                    WIDE_MARGIN = 0.05;
/* Dates in the race that differ by less are equal. */
static const double TIE = 1e-9;

/* A choice to simulate, and how far. */
struct run {
  size_t choice;
  uint64_t most; /* iterations of its sample */
  struct watch watch;
};

struct answer {
  bool ok;
  struct forecast forecast;
  double passed_s[WATCH_POINTS];
  uint64_t begun;
  struct err e;
};

struct search {
  struct sweep_space *space;
  const struct sweep_options *options;
  const struct platform *platform;
  struct sweep_found *found;
  bool varies;           /* something besides the program changes with time */
  uint64_t **operations; /* by program, by rank: of PERIODS periods, about */
  size_t *anchor;        /* by program: the choice that its predictions relate to */
  size_t *order;         /* of choices */
  struct run *run;       /* these three have room for all choices */
  struct answer *answer;
  FILE *blocked; /* nobody reads it */
};

/* --- simulations ------------------------------------------------------------------------------ */

static struct sweep_program *program_of(const struct search *s, size_t choice)
{
  return &s->space->program[s->space->choice[choice].program];
}

/* Of all ranks, from end to end. */
static double operations_of(const struct sweep_program *g)
{
  double sum = 0;
  for (uint32_t r = 0; r < g->ranks; r++)
    sum += (double)g->operations[r];
  return sum;
}

static enum status simulate_all(const struct sample_run *r, struct forecast *out, struct err *e)
{
  struct sim_result result;
  if (sim_run(r->options, r->job, r->jobs, r->platform, r->blocked, &result, e) != OK)
    return FAIL;
  *out = (struct forecast){.time_s = result.simulated_time_s,
                           .simulated = r->loop->iterations,
                           .iterations = r->loop->iterations,
                           .settled_from = 1};
  return OK;
}

static enum status simulate(const struct search *s, const struct run *x, struct answer *a)
{
  struct sweep_program *g = program_of(s, x->choice);
  struct sim_options o = *s->options->sim;
  struct sim_job job = {.collectives = &g->trace.reading->collectives,
                        .mapping = &s->space->choice[x->choice].mapping};
  const struct sample_run run = {.options = &o,
                                 .platform = s->platform,
                                 .job = &job,
                                 .jobs = 1,
                                 .loop = &g->loop,
                                 .most = x->most,
                                 .blocked = s->blocked};
  struct watch w = x->watch;
  o.watch = &w;
  if (input_trace_open(&g->trace, &job.trace, &a->e) != OK ||
      (s->options->whole ? simulate_all : sample_predict)(&run, &a->forecast, &a->e) != OK)
    return FAIL;
  memcpy(a->passed_s, w.passed_s, sizeof a->passed_s);
  a->begun = w.begun;
  return OK;
}

static void run_one(const void *search, uint32_t i, void *answer)
{
  const struct search *s = search;
  struct answer *a = answer;
  a->ok = simulate(s, &s->run[i], a) == OK;
}

static enum status take_answer(struct search *s, size_t k, struct err *e)
{
  const struct answer *a = &s->answer[k];
  const size_t i = s->run[k].choice;
  const struct sweep_choice *c = &s->space->choice[i];
  const struct sweep_program *g = program_of(s, i);
  if (!a->ok)
    return err_set(e, "%s on %s, mapper %s: %.300s", g->trace.name, c->subset, c->mapper,
                   a->e.text);
  s->found->result[i].iterations +=
      (double)a->begun / operations_of(g) * (double)g->loop.iterations;
  s->found->cost += (double)a->begun;
  return OK;
}

/* Simulates @p runs of s->run, whose answers are in s->answer then. */
static enum status simulate_runs(struct search *s, size_t runs, struct err *e)
{
  const struct batch b = {run_one, s, (uint32_t)runs, sizeof *s->answer,
                          s->options->sim->engine->runs_again};
  if (batch_run(&b, s->options->parallel, s->answer, e) != OK)
    return FAIL;
  for (size_t k = 0; k < runs; k++)
    if (take_answer(s, k, e) != OK)
      return FAIL;
  return OK;
}

/* A run of a choice without limits. */
static struct run run_of(const struct search *s, size_t choice, uint64_t most)
{
  return (struct run){choice, most, watch_all(s->operations[s->space->choice[choice].program])};
}

/* --- predictions ------------------------------------------------------------------------------ */

static struct sweep_result *anchor_of(const struct search *s, size_t choice)
{
  return &s->found->result[s->anchor[s->space->choice[choice].program]];
}

/* By its own sample, or in proportion to that of its program's anchor; INFINITY: it fell behind. */
static double predicted(const struct search *s, size_t i)
{
  const struct sweep_result *x = &s->found->result[i], *a = anchor_of(s, i);
  if (!isnan(x->forecast.time_s))
    return x->forecast.time_s;
  if (isinf(x->passed_s) || a->passed_s <= 0)
    return isinf(x->passed_s) ? INFINITY : a->forecast.time_s;
  return a->forecast.time_s * (x->passed_s / a->passed_s);
}

static double least_predicted(const struct search *s)
{
  double least = INFINITY;
  for (size_t i = 0; i < s->space->choices; i++)
    least = fmin(least, predicted(s, i));
  return least;
}

static int compare_bounds(const void *a, const void *b, void *search)
{
  const struct search *s = search;
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  const double bx = s->space->choice[x].bound_s, by = s->space->choice[y].bound_s;
  if (bx != by)
    return bx < by ? -1 : 1;
  return x < y ? -1 : x > y;
}

static int compare_predicted(const void *a, const void *b, void *search)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  const double px = predicted(search, x), py = predicted(search, y);
  if (px != py)
    return px < py ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* --- the race --------------------------------------------------------------------------------- */

/* The choice of each program with the least bound. */
static void find_anchors(struct search *s)
{
  for (size_t k = s->space->choices; k-- > 0;)
    s->anchor[s->space->choice[s->order[k]].program] = s->order[k];
}

static enum status run_race(struct search *s, size_t runs, struct err *e)
{
  if (simulate_runs(s, runs, e) != OK)
    return FAIL;
  for (size_t k = 0; k < runs; k++)
    s->found->result[s->run[k].choice].passed_s = s->answer[k].passed_s[RACE];
  return OK;
}

/* Lists a sample of one period, on the way of which is the point up to which the others race. */
static void list_anchor(struct search *s, size_t choice, size_t *runs)
{
  s->run[(*runs)++] = run_of(s, choice, program_of(s, choice)->loop.period);
}

/* Takes the listed choices as anchors. */
static enum status run_anchors(struct search *s, size_t runs, struct err *e)
{
  if (run_race(s, runs, e) != OK)
    return FAIL;
  for (size_t k = 0; k < runs; k++) {
    const size_t i = s->run[k].choice;
    struct forecast *x = &s->found->result[i].forecast;
    *x = s->answer[k].forecast;
    x->half_s = NAN; /* one value tells nothing of the others */
    s->anchor[s->space->choice[i].program] = i;
  }
  return OK;
}

static enum status run_first_anchors(struct search *s, struct err *e)
{
  size_t runs = 0;
  for (size_t g = 0; g < s->space->programs; g++)
    list_anchor(s, s->anchor[g], &runs);
  return run_anchors(s, runs, e);
}

/* The first of the program to pass the point. */
static size_t first_of(const struct search *s, size_t program)
{
  size_t first = s->anchor[program];
  for (size_t i = 0; i < s->space->choices; i++)
    if (s->space->choice[i].program == program &&
        s->found->result[i].passed_s < s->found->result[first].passed_s)
      first = i;
  return first;
}

/* A choice that passed the point much sooner than its program's anchor may have gained on it in
 * what comes before the loop, and takes its place if it could be the best.  Where loads vary, one
 * period tells too little for that. */
static enum status move_anchors(struct search *s, struct err *e)
{
  const double limit = least_predicted(s) * (1 + RACE_MARGIN);
  size_t runs = 0;
  for (size_t g = 0; g < s->space->programs && !s->varies; g++) {
    const size_t first = first_of(s, g);
    const double sooner = s->found->result[first].passed_s * (1 + RACE_MARGIN);
    if (sooner < s->found->result[s->anchor[g]].passed_s && predicted(s, first) <= limit)
      list_anchor(s, first, &runs);
  }
  return run_anchors(s, runs, e);
}

/* When a choice is predicted to take @p time_s by the point up to which all race. */
static double date_in_race(const struct search *s, size_t i, double time_s)
{
  const struct sweep_result *a = anchor_of(s, i);
  return a->passed_s > 0 ? a->passed_s * (time_s / a->forecast.time_s) : INFINITY;
}

/* The others race in batches, in the order of their bounds: each batch knows the best of those
 * before, whatever the number of processes. */
static enum status run_batch(struct search *s, size_t size, size_t *next, struct err *e)
{
  const double best = least_predicted(s);
  size_t runs = 0;
  for (; runs < size && *next < s->space->choices; ++*next) {
    const size_t i = s->order[*next];
    struct run *x = &s->run[runs];
    if (!isnan(s->found->result[i].forecast.time_s) || s->space->choice[i].bound_s > best)
      continue;
    *x = run_of(s, i, s->options->most);
    x->watch.stop = RACE;
    for (uint32_t k = 0; k <= RACE; k++)
      x->watch.limit_s[k] = date_in_race(s, i, best * (1 + RACE_MARGIN));
    runs++;
  }
  return run_race(s, runs, e) == OK ? move_anchors(s, e) : FAIL;
}

static enum status race(struct search *s, struct err *e)
{
  qsort_r(s->order, s->space->choices, sizeof *s->order, compare_bounds, s);
  find_anchors(s);
  if (run_first_anchors(s, e) != OK)
    return FAIL;
  for (size_t next = 0, size = FIRST_BATCH; next < s->space->choices; size *= 2)
    if (run_batch(s, size, &next, e) != OK)
      return FAIL;
  return OK;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Is it as fast in the race as one of its program that is sampled, though nothing else disturbs
 * them?  Then they are taken to be equal. */
static bool is_tied(const struct search *s, size_t i, size_t sampled)
{
  for (size_t k = 0; k < sampled; k++) {
    const size_t j = s->run[k].choice;
    if (s->space->choice[i].program == s->space->choice[j].program &&
        fabs(s->found->result[i].passed_s - s->found->result[j].passed_s) <=
            TIE * s->found->result[j].passed_s)
      return true;
  }
  return false;
}

/* Lists in s->run what is sampled, in the order of what the race predicts. */
static size_t list_contenders(struct search *s)
{
  const double limit = predicted(s, s->order[0]) * (1 + RACE_MARGIN);
  const size_t most = (size_t)ceil(SHARE * (double)s->space->choices);
  size_t n = 0;
  for (size_t k = 0; k < s->space->choices && n < most; k++) {
    const size_t i = s->order[k];
    const uint64_t half = (program_of(s, i)->loop.iterations + 1) / 2;
    if (predicted(s, i) > limit)
      break;
    if (s->varies || !is_tied(s, i, n))
      s->run[n++] = run_of(s, i, half < s->options->most ? half : s->options->most);
  }
  return n;
}

static void limit_run(const struct search *s, struct run *x, size_t leader, const double *passed_s)
{
  const bool alike =
      s->space->choice[x->choice].program == s->space->choice[leader].program && !s->varies;
  x->watch.limit_s[HALF] = passed_s[HALF] * (1 + (alike ? HALF_MARGIN : WIDE_MARGIN));
  for (uint32_t k = 0; k <= QUARTER; k++)
    x->watch.limit_s[k] = alike ? passed_s[QUARTER] * (1 + QUARTER_MARGIN) : x->watch.limit_s[HALF];
}

/* Those that fell behind take longer than the leader. */
static void take_samples(struct search *s, size_t runs, double leader_s)
{
  for (size_t k = 0; k < runs; k++) {
    const size_t i = s->run[k].choice;
    const double before = predicted(s, i);
    struct sweep_result *x = &s->found->result[i];
    x->forecast = s->answer[k].forecast;
    if (isnan(x->forecast.time_s))
      x->forecast.time_s = fmax(before, leader_s * (1 + HALF_MARGIN));
    else if (x->forecast.time_s < s->found->result[s->found->best].forecast.time_s)
      s->found->best = i;
  }
}

/* The choice that leads is sampled first: the dates at which it passes points limit the others. */
static enum status sample(struct search *s, struct err *e)
{
  double passed_s[WATCH_POINTS];
  qsort_r(s->order, s->space->choices, sizeof *s->order, compare_predicted, s);
  const size_t leader = s->order[0], runs = list_contenders(s) - 1;
  if (simulate_runs(s, 1, e) != OK)
    return FAIL;
  s->found->best = leader;
  s->found->result[leader].forecast = s->answer[0].forecast;
  memcpy(passed_s, s->answer[0].passed_s, sizeof passed_s);
  memmove(s->run, s->run + 1, runs * sizeof *s->run);
  for (size_t k = 0; k < runs; k++)
    limit_run(s, &s->run[k], leader, passed_s);
  if (simulate_runs(s, runs, e) != OK)
    return FAIL;
  take_samples(s, runs, s->found->result[leader].forecast.time_s);
  return OK;
}

/* --- the search ------------------------------------------------------------------------------- */

/* Predicts what has no sample, in the best choice's program in proportion to that.  Nothing is
 * predicted to be faster than the best choice, which has the longest sample. */
static void fill_in(struct search *s)
{
  const size_t best = s->found->best;
  size_t *anchor = &s->anchor[s->space->choice[best].program];
  const double least = s->found->result[best].forecast.time_s;
  if (*anchor != best && isnan(s->found->result[*anchor].forecast.half_s))
    s->found->result[*anchor].forecast.time_s = NAN;
  *anchor = best;
  for (size_t i = 0; i < s->space->choices; i++) {
    const double time = fmax(predicted(s, i), least);
    s->found->result[i].forecast.time_s = isinf(time) ? NAN : time;
  }
}

static enum status search(struct search *s, struct err *e)
{
  if (race(s, e) != OK || sample(s, e) != OK)
    return FAIL;
  fill_in(s);
  return OK;
}

static enum status search_whole(struct search *s, struct err *e)
{
  const size_t choices = s->space->choices;
  for (size_t i = 0; i < choices; i++)
    s->run[i] = run_of(s, i, UINT64_MAX);
  if (simulate_runs(s, choices, e) != OK)
    return FAIL;
  for (size_t i = 0; i < choices; i++) {
    s->found->result[i].forecast = s->answer[i].forecast;
    if (s->answer[i].forecast.time_s < s->answer[s->found->best].forecast.time_s)
      s->found->best = i;
  }
  return OK;
}

static void sum_up(struct search *s)
{
  for (size_t i = 0; i < s->space->choices; i++)
    s->found->full += operations_of(program_of(s, i));
}

/* Points are shares of a few periods, not of the whole run. */
static enum status scale_operations(struct search *s, size_t program, struct err *e)
{
  const struct sweep_program *g = &s->space->program[program];
  const double periods = (double)(PERIODS * g->loop.period);
  const double share = fmin(1, periods / (double)g->loop.iterations);
  if ((s->operations[program] = mem_array(g->ranks, sizeof **s->operations, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < g->ranks; r++)
    s->operations[program][r] = (uint64_t)ceil((double)g->operations[r] * share);
  return OK;
}

static enum status make_room(struct search *s, struct err *e)
{
  const size_t n = s->space->choices, programs = s->space->programs;
  if ((s->found->result = mem_array(n, sizeof *s->found->result, e)) == NULL ||
      (s->operations = mem_array(programs, sizeof *s->operations, e)) == NULL ||
      (s->anchor = mem_array(programs, sizeof *s->anchor, e)) == NULL ||
      (s->order = mem_array(n, sizeof *s->order, e)) == NULL ||
      (s->run = mem_array(n, sizeof *s->run, e)) == NULL ||
      (s->answer = mem_array(n, sizeof *s->answer, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++) {
    s->order[i] = i;
    s->found->result[i].forecast = (struct forecast){.time_s = NAN, .half_s = NAN};
    s->found->result[i].passed_s = INFINITY;
  }
  for (size_t g = 0; g < programs; g++)
    if (scale_operations(s, g, e) != OK)
      return FAIL;
  s->blocked = fopen("/dev/null", "w");
  return s->blocked != NULL ? OK : err_errno(e, "/dev/null", "cannot open");
}

static void clear(struct search *s)
{
  for (size_t g = 0; s->operations != NULL && g < s->space->programs; g++)
    free(s->operations[g]);
  free(s->operations);
  free(s->anchor);
  free(s->order);
  free(s->run);
  free(s->answer);
  if (s->blocked != NULL)
    fclose(s->blocked);
}

enum status sweep_search(struct sweep_found *out, struct sweep_space *space,
                         const struct sweep_options *o, const struct platform *p, struct err *e)
{
  struct search s = {.space = space,
                     .options = o,
                     .platform = p,
                     .found = out,
                     .varies = sample_site_varies(o->sim, p)};
  *out = (struct sweep_found){0};
  enum status status = make_room(&s, e);
  if (status == OK)
    status = o->whole ? search_whole(&s, e) : search(&s, e);
  if (status == OK)
    sum_up(&s);
  clear(&s);
  return status;
}

void sweep_found_clear(struct sweep_found *f)
{
  free(f->result);
  *f = (struct sweep_found){0};
}
