#include "predict/sweep/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "predict/sample/sample.h"
#include "predict/sweep/race.h"
#include "setup/runs/batch.h"
#include "sim/coverage.h"

/* The search spends a share BUDGET of the full search's operations if possible: the more it has
 * spent, the closer to the best a run must be to continue (race.h).  A sample is at most 1 / LENGTH
 * of the loop.  A set-up of less than a share SHORT of all operations is not compared, because
 * simulating it costs little. */
static const double BUDGET = 0.1, SHORT = 0.05;
enum { LENGTH = 4 };
#define NONE SIZE_MAX

/* A run to simulate. */
struct run {
  size_t choice;
  uint64_t most; /* iterations in its sample */
  bool spread;   /* sample spread over the whole run if anything varies with time */
  struct race race;
};

struct answer {
  bool ok;
  struct forecast forecast;
  double passed_s[WATCH_POINTS];
  uint32_t passed;
  double stopped_s; /* date at which the run was stopped; INFINITY if it ended */
  uint64_t begun;
  struct coverage coverage; /* messages of the run */
  struct err e;
};

/* State of the race for a program. */
struct program_race {
  uint64_t *due;            /* see struct watch */
  uint64_t sample;          /* iterations in a sample */
  uint32_t first, last;     /* points, see struct race */
  size_t leader;            /* choice with the least predicted time among runs that ended */
  double operations, setup; /* operations of all ranks; operations before the loop */
};

struct sweep_search {
  struct sweep_space *space;
  const struct sweep_options *options;
  const struct platform *platform;
  struct sweep_found *found;
  struct program_race *program;
  struct race_leader *seen; /* by choice whose run ended */
  size_t *order;            /* choices by rising bound */
  size_t *twin;             /* by choice: first equivalent choice in this order, perhaps itself */
  struct run *run;          /* runs of a batch; like `answer`, with room for all choices */
  struct answer *answer;
  size_t best; /* NONE: no run has ended */
};

static struct sweep_program *program_of(const struct sweep_search *s, size_t choice)
{
  return &s->space->program[s->space->choice[choice].program];
}

static struct program_race *race_program(const struct sweep_search *s, size_t choice)
{
  return &s->program[s->space->choice[choice].program];
}

/* --- simulations ------------------------------------------------------------------------------ */

static enum status simulate_all(const struct sample_run *r, struct forecast *out, struct err *e)
{
  struct sim_result result;
  if (sim_run(r->options, r->job, r->jobs, r->platform, NULL, &result, e) != OK)
    return FAIL;
  *out = (struct forecast){.time_s = result.simulated_time_s,
                           .simulated = r->loop->iterations,
                           .iterations = r->loop->iterations,
                           .settled_from = 1};
  return OK;
}

/* Limits points @p from to @p to.  The limit of a point is at most the limit of the next point. */
static void limit(struct watch *w, const struct race *r, uint32_t from, uint32_t to)
{
  double least = r->best_s;
  for (uint32_t k = to + 1; k-- > from;) {
    least = fmin(least, race_limit(r, k, w->passed_s[RACE_SETUP]));
    w->limit_s[k] = least;
  }
}

/* Limits the points in the loop once its start is known. */
static void limit_loop(struct watch *w, const void *race)
{
  if (w->passed == RACE_SETUP + 1)
    limit(w, race, RACE_SETUP + 1, RACE_LAST);
}

/* The points of all ranks (struct watch); the caller frees them.  NULL on failure. */
static uint64_t *due_of(const struct sweep_program *g, const struct operations *count,
                        uint64_t sample, struct err *e)
{
  const struct survey *loop = &g->loop;
  uint64_t *due = mem_array((size_t)g->ranks * (WATCH_POINTS - 1), sizeof *due, e);
  for (uint32_t r = 0; due != NULL && r < g->ranks; r++)
    race_due(&count[r], (double)loop->iterations / (double)loop->period, sample / loop->period,
             due + (size_t)r * (WATCH_POINTS - 1));
  return due;
}

/* The points under the mapping of a choice, if the operations depend on it. */
static enum status own_due(const struct sweep_search *s, size_t choice, uint64_t **due,
                           struct err *e)
{
  struct sweep_program *g = program_of(s, choice);
  OWNED struct operations *count = mem_array(g->ranks, sizeof *count, e);
  if (count == NULL ||
      operations_count(&g->trace, &s->space->choice[choice].mapping, count, e) != OK)
    return FAIL;
  *due = due_of(g, count, race_program(s, choice)->sample, e);
  return *due == NULL ? FAIL : OK;
}

static struct watch watch_of(const struct sweep_search *s, const struct run *x, const uint64_t *due)
{
  struct watch w = watch_all(due != NULL ? due : race_program(s, x->choice)->due);
  limit(&w, &x->race, 0, RACE_SETUP);
  w.follow = limit_loop;
  w.arg = &x->race;
  return w;
}

static enum status simulate(const struct sweep_search *s, const struct run *x, struct answer *a)
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
                                 .in_one_piece = !x->spread};
  OWNED uint64_t *due = NULL;
  if (g->asks_hosts && own_due(s, x->choice, &due, &a->e) != OK)
    return FAIL;
  struct watch w = watch_of(s, x, due);
  o.watch = &w;
  a->coverage = (struct coverage){0};
  o.coverage = &a->coverage;
  if (input_trace_open(&g->trace, &job.trace, &a->e) != OK ||
      (s->options->whole ? simulate_all : sample_predict)(&run, &a->forecast, &a->e) != OK)
    return FAIL;
  memcpy(a->passed_s, w.passed_s, sizeof a->passed_s);
  a->passed = w.passed;
  a->stopped_s = w.passed < WATCH_POINTS ? w.limit_s[w.passed] : INFINITY;
  a->begun = w.begun;
  return OK;
}

static void run_one(const void *search, uint32_t i, void *answer)
{
  const struct sweep_search *s = search;
  struct answer *a = answer;
  a->ok = simulate(s, &s->run[i], a) == OK;
}

static enum status take_answer(struct sweep_search *s, size_t k, struct err *e)
{
  const struct answer *a = &s->answer[k];
  const size_t i = s->run[k].choice;
  const struct sweep_choice *c = &s->space->choice[i];
  const struct sweep_program *g = program_of(s, i);
  if (!a->ok)
    return err_set(e, "%s on %s, mapper %s: %.300s", g->trace.name, c->subset, c->mapper,
                   a->e.text);
  const double operations = race_program(s, i)->operations; /* may be 0 */
  if (operations > 0)
    s->found->result[i].iterations += (double)a->begun / operations * (double)g->loop.iterations;
  s->found->cost += (double)a->begun;
  if (s->options->sim->coverage != NULL)
    coverage_add(s->options->sim->coverage, &a->coverage);
  return OK;
}

/* Simulates the first @p runs of s->run and sets their answers in s->answer. */
static enum status simulate_runs(struct sweep_search *s, size_t runs, struct err *e)
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

/* --- the race --------------------------------------------------------------------------------- */

/* Least time predicted so far, in s. */
static double best_time(const struct sweep_search *s)
{
  return s->best == NONE ? INFINITY : s->seen[s->best].time_s;
}

/* Compares a run with the leader of its program, or with the best run of all. */
static struct race race_of(const struct sweep_search *s, size_t choice)
{
  const struct program_race *g = race_program(s, choice);
  const size_t with = g->leader != NONE ? g->leader : s->best;
  const struct program_race *other = with == NONE ? g : race_program(s, with);
  return (struct race){.leader = with == NONE ? NULL : &s->seen[with],
                       .alike = g->leader != NONE && !program_of(s, choice)->asks_hosts,
                       .best_s = best_time(s),
                       .room = fmax(0, 1 - s->found->cost / (BUDGET * s->found->full)),
                       .first = g->first > other->first ? g->first : other->first,
                       .last = g->last < other->last ? g->last : other->last};
}

static struct run run_of(const struct sweep_search *s, size_t choice)
{
  return (struct run){
      .choice = choice, .most = race_program(s, choice)->sample, .race = race_of(s, choice)};
}

/* A run to the end, without limits. */
static struct run run_freely(size_t choice, uint64_t most)
{
  return (struct run){.choice = choice, .most = most, .spread = true, .race.best_s = INFINITY};
}

/* Lower bound of the time of a stopped run: the largest prediction from the last point that it
 * passed, and from the following points as if it had reached them when it was stopped. */
static double predict_stopped(const struct run *x, const struct answer *a)
{
  const uint32_t last = a->passed <= RACE_SETUP ? RACE_SETUP : RACE_LAST;
  double time = x->race.best_s;
  for (uint32_t k = a->passed == 0 ? 0 : a->passed - 1; k <= last; k++)
    time = fmax(time, race_predict(&x->race, k, a->passed_s[RACE_SETUP],
                                   k < a->passed ? a->passed_s[k] : a->stopped_s));
  return time;
}

static void take_end(struct sweep_search *s, size_t choice, const struct answer *a)
{
  struct program_race *g = race_program(s, choice);
  struct race_leader *x = &s->seen[choice];
  memcpy(x->passed_s, a->passed_s, sizeof x->passed_s);
  x->time_s = a->forecast.time_s;
  if (g->leader == NONE || x->time_s < s->seen[g->leader].time_s)
    g->leader = choice;
  if (x->time_s < best_time(s))
    s->best = choice;
}

/* A sample of one period has no interval. */
static bool has_interval(const struct sweep_search *s, const struct run *x,
                         const struct forecast *f)
{
  return f->simulated == f->iterations || x->most >= 2 * program_of(s, x->choice)->loop.period;
}

static enum status race(struct sweep_search *s, size_t runs, struct err *e)
{
  if (simulate_runs(s, runs, e) != OK)
    return FAIL;
  for (size_t k = 0; k < runs; k++) {
    const struct run *x = &s->run[k];
    const struct answer *a = &s->answer[k];
    struct forecast *f = &s->found->result[x->choice].forecast;
    *f = a->forecast;
    if (isnan(f->time_s))
      f->time_s = predict_stopped(x, a);
    else
      take_end(s, x->choice, a);
    if (!has_interval(s, x, f))
      f->half_s = NAN;
  }
  return OK;
}

static int compare_bounds(const void *a, const void *b, void *search)
{
  const struct sweep_search *s = search;
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  const double bx = s->space->choice[x].bound_s, by = s->space->choice[y].bound_s;
  return RISING(bx, by) ?: RISING(x, y);
}

static bool are_twins(const struct sweep_choice *a, const struct sweep_choice *b)
{
  return a->program == b->program && a->shape == b->shape && a->shape != 0;
}

static void order_choices(struct sweep_search *s)
{
  const struct sweep_choice *c = s->space->choice;
  qsort_r(s->order, s->space->choices, sizeof *s->order, compare_bounds, s);
  for (size_t k = 0; k < s->space->choices; k++) {
    size_t j = 0;
    while (j < k && !are_twins(&c[s->order[j]], &c[s->order[k]]))
      j++;
    s->twin[s->order[k]] = s->order[j];
  }
}

static bool has_run(const struct sweep_search *s, size_t i)
{
  i = s->twin[i];
  return !isnan(s->found->result[i].forecast.time_s);
}

/* Selects the program with the fewest operations that has had no run, and its choice with the least
 * bound.  NONE if all had a run. */
static size_t next_first(const struct sweep_search *s)
{
  size_t next = NONE;
  for (size_t g = s->space->programs; g-- > 0;) {
    size_t first = NONE;
    bool ran = false;
    for (size_t k = s->space->choices; k-- > 0;)
      if (s->space->choice[s->order[k]].program == g) {
        first = s->order[k];
        ran = ran || has_run(s, first);
      }
    if (!ran && first != NONE &&
        (next == NONE || s->program[g].operations <= race_program(s, next)->operations))
      next = first;
  }
  return next;
}

/* Runs one choice of each program, in the order of their costs. */
static enum status race_programs(struct sweep_search *s, struct err *e)
{
  for (size_t i; (i = next_first(s)) != NONE;) {
    s->run[0] = run_of(s, i);
    if (race(s, 1, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Races the next batch of the other choices, by rising bound.  A batch is compared with the best
 * run of the batches before it, so the result does not depend on the number of processes. */
static enum status race_batch(struct sweep_search *s, size_t size, size_t *next, struct err *e)
{
  size_t runs = 0;
  for (; runs < size && *next < s->space->choices; ++*next) {
    const size_t i = s->order[*next];
    if (s->twin[i] == i && !has_run(s, i) && s->space->choice[i].bound_s <= best_time(s))
      s->run[runs++] = run_of(s, i);
  }
  return race(s, runs, e);
}

/* --- the search ------------------------------------------------------------------------------- */

/* Operations of a sample of @p iterations iterations. */
static double cost_of(const struct sweep_search *s, size_t choice, uint64_t iterations)
{
  const struct program_race *g = race_program(s, choice);
  return g->setup + (g->operations - g->setup) * (double)iterations /
                        (double)program_of(s, choice)->loop.iterations;
}

/* Samples the best choice again for longer, if the budget allows this.  The predictions of the
 * other choices, which come from short samples, are scaled by the change of the best one. */
static enum status sample_best(struct sweep_search *s, struct err *e)
{
  const struct survey *loop = &program_of(s, s->best)->loop;
  const uint64_t half = (loop->iterations + 1) / 2;
  const uint64_t most = half < s->options->most ? half : s->options->most;
  const double before_s = best_time(s);
  struct forecast *f = &s->found->result[s->best].forecast;
  if (most <= race_program(s, s->best)->sample ||
      s->found->cost + cost_of(s, s->best, most) > BUDGET * s->found->full)
    return OK;
  s->run[0] = run_freely(s->best, most);
  if (simulate_runs(s, 1, e) != OK)
    return FAIL;
  const double after_s = s->answer[0].forecast.time_s;
  const double factor = after_s == before_s ? 1 : after_s / before_s; /* both may be 0 */
  for (size_t i = 0; i < s->space->choices; i++) {
    s->found->result[i].forecast.time_s *= factor;
    s->found->result[i].forecast.half_s *= factor;
  }
  *f = s->answer[0].forecast;
  return OK;
}

static enum status search(struct sweep_search *s, struct err *e)
{
  order_choices(s);
  if (race_programs(s, e) != OK)
    return FAIL;
  for (size_t next = 0, size = 1; next < s->space->choices; size *= 2)
    if (race_batch(s, size, &next, e) != OK)
      return FAIL;
  s->found->best = s->best;
  if (sample_best(s, e) != OK)
    return FAIL;
  for (size_t i = 0; i < s->space->choices; i++)
    s->found->result[i].forecast = s->found->result[s->twin[i]].forecast;
  return OK;
}

static enum status search_whole(struct sweep_search *s, struct err *e)
{
  const size_t choices = s->space->choices;
  for (size_t i = 0; i < choices; i++)
    s->run[i] = run_freely(i, UINT64_MAX);
  if (simulate_runs(s, choices, e) != OK)
    return FAIL;
  for (size_t i = 0; i < choices; i++) {
    s->found->result[i].forecast = s->answer[i].forecast;
    if (s->answer[i].forecast.time_s < s->answer[s->found->best].forecast.time_s)
      s->found->best = i;
  }
  return OK;
}

/* --- room ------------------------------------------------------------------------------------- */

/* Iterations of a sample: whole periods, at least one. */
static uint64_t sample_length(const struct survey *loop, uint64_t most)
{
  const uint64_t share = loop->iterations / LENGTH;
  const uint64_t n = (share < most ? share : most) / loop->period;
  return (n == 0 ? 1 : n) * loop->period;
}

static enum status prepare_program(struct sweep_search *s, size_t program, struct err *e)
{
  const struct sweep_program *g = &s->space->program[program];
  struct program_race *x = &s->program[program];
  if (g->loop.period == 0)
    return err_set(e, "%s: its iterations do not repeat", g->trace.name);
  const uint64_t sample = x->sample = sample_length(&g->loop, s->options->most);
  x->leader = NONE;
  if ((x->due = due_of(g, g->operations, sample, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < g->ranks; r++) {
    const struct operations *o = &g->operations[r];
    x->operations += (double)(o->before + o->loop + o->after);
    x->setup += (double)o->before;
  }
  x->first = x->setup < SHORT * x->operations ? RACE_SETUP + 1 : 0;
  for (x->last = RACE_SETUP + 1;
       x->last < RACE_LAST && race_periods(x->last + 1) * g->loop.period <= sample;)
    x->last++;
  return OK;
}

static enum status make_room(struct sweep_search *s, struct err *e)
{
  const size_t n = s->space->choices, programs = s->space->programs;
  if ((s->found->result = mem_array(n, sizeof *s->found->result, e)) == NULL ||
      (s->program = mem_array(programs, sizeof *s->program, e)) == NULL ||
      (s->seen = mem_array(n, sizeof *s->seen, e)) == NULL ||
      (s->order = mem_array(n, sizeof *s->order, e)) == NULL ||
      (s->twin = mem_array(n, sizeof *s->twin, e)) == NULL ||
      (s->run = mem_array(n, sizeof *s->run, e)) == NULL ||
      (s->answer = mem_array(n, sizeof *s->answer, e)) == NULL)
    return FAIL;
  for (size_t g = 0; g < programs; g++)
    if (prepare_program(s, g, e) != OK)
      return FAIL;
  for (size_t i = 0; i < n; i++) {
    s->order[i] = i;
    s->found->result[i].forecast = (struct forecast){.time_s = NAN, .half_s = NAN};
    s->found->full += race_program(s, i)->operations;
  }
  return OK;
}

static void clear(struct sweep_search *s)
{
  for (size_t g = 0; s->program != NULL && g < s->space->programs; g++)
    free(s->program[g].due);
  free(s->program);
  free(s->seen);
  free(s->order);
  free(s->twin);
  free(s->run);
  free(s->answer);
}

enum status sweep_search(struct sweep_found *out, struct sweep_space *space,
                         const struct sweep_options *o, const struct platform *p, struct err *e)
{
  struct sweep_search s = {.space = space, .options = o, .platform = p, .found = out, .best = NONE};
  *out = (struct sweep_found){0};
  enum status status = make_room(&s, e);
  if (status == OK)
    status = o->whole ? search_whole(&s, e) : search(&s, e);
  clear(&s);
  return status;
}

void sweep_found_clear(struct sweep_found *f)
{
  free(f->result);
  *f = (struct sweep_found){0};
}
