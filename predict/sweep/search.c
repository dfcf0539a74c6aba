#define _GNU_SOURCE
#include "predict/sweep/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "campaign/workers.h"
#include "common/mem.h"
#include "predict/sample/sample.h"

/* A sample of so many iterations; of what is predicted then, at least `least` choices go on, and
 * more, up to a share, of those that the best is not shorter than by more than the margin. */
struct round {
  uint64_t iterations;
  double margin, share;
  size_t least;
};

static const struct round ROUNDS[] = {{1, 0.25, 0.25, 3}, {3, 0.05, 0.12, 2}, {0, 0, 0, 1}};

struct search {
  struct sweep_space *space;
  const struct sweep_options *options;
  const struct platform *platform;
  struct sweep_found *found;
  struct forecast *shared; /* by choice: what a process leaves */
  bool *alive, *asked;     /* by choice */
  size_t *order;           /* of choices, room for all */
};

static bool is_known(const struct search *s, size_t i)
{
  return s->found->result[i].forecast.simulated > 0;
}

static double time_of(const struct search *s, size_t i)
{
  return is_known(s, i) ? s->found->result[i].forecast.time_s : INFINITY;
}

/* --- samples ---------------------------------------------------------------------------------- */

struct task {
  const struct search *search;
  size_t choice;
  uint64_t most;
};

/* In a process of its own: leaves the estimate in memory that it shares. */
static int run_task(void *arg)
{
  const struct task *t = arg;
  const struct search *s = t->search;
  const struct sweep_choice *c = &s->space->choice[t->choice];
  struct input_trace *trace = &s->space->program[c->program].trace;
  struct sim_job job = {.collectives = &trace->reading->collectives, .mapping = &c->mapping};
  const struct sample_run run = {.options = s->options->sim,
                                 .platform = s->platform,
                                 .job = &job,
                                 .jobs = 1,
                                 .most = t->most,
                                 .blocked = stdout};
  struct err e;
  if (input_trace_open(trace, &job.trace, &e) == OK &&
      sample_predict(&run, &s->shared[t->choice], &e) == OK)
    return 0;
  fprintf(stderr, "%s\n", e.text);
  return 1;
}

static enum status take_end(struct search *s, const struct worker_end *end, struct err *e)
{
  const struct sweep_choice *c = &s->space->choice[end->id];
  const char *name = s->space->program[c->program].trace.name;
  if (end->signal != 0)
    return err_set(e, "%s on %s, mapper %s: ended by signal %d", name, c->subset, c->mapper,
                   end->signal);
  if (end->code != 0)
    return err_set(e, "%s on %s, mapper %s: %.300s", name, c->subset, c->mapper, end->says);
  s->found->result[end->id].forecast = s->shared[end->id];
  s->found->cost += (double)s->shared[end->id].simulated * s->space->program[c->program].ranks;
  return OK;
}

/* Starts what there is room for; *next goes on. */
static enum status start_some(struct search *s, struct workers *w, uint64_t most, size_t *next,
                              struct err *e)
{
  for (; *next < s->space->choices && !workers_full(w); ++*next) {
    struct task t = {s, *next, most};
    bool started = true;
    if (!s->asked[*next])
      continue;
    if (workers_start(w, *next, run_task, &t, &started, e) != OK)
      return FAIL;
    if (!started)
      return OK;
  }
  return OK;
}

/* Samples what is asked for. */
static enum status sample(struct search *s, uint64_t most, struct err *e)
{
  struct workers *w;
  size_t next = 0;
  if (workers_new(&w, s->options->parallel, 0, e) != OK)
    return FAIL;
  enum status status = OK;
  while (status == OK && (next < s->space->choices || workers_running(w) > 0)) {
    struct worker_end end;
    bool ended = false;
    status = start_some(s, w, most, &next, e);
    if (status == OK && workers_running(w) > 0)
      status = workers_wait(w, 1.0, &end, &ended, e);
    if (status == OK && ended)
      status = take_end(s, &end, e);
  }
  workers_free(w);
  return status;
}

/* --- rounds ----------------------------------------------------------------------------------- */

static size_t best_of(const struct search *s)
{
  size_t best = 0;
  for (size_t i = 1; i < s->space->choices; i++)
    if (s->alive[i] && (!s->alive[best] || time_of(s, i) < time_of(s, best)))
      best = i;
  return best;
}

/* First, of each program the choice with the lowest bound; then all whose bounds are not above the
 * best prediction so far. */
static void ask_probes(struct search *s)
{
  for (size_t g = 0; g < s->space->programs; g++) {
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < s->space->choices; i++)
      if (s->space->choice[i].program == g &&
          (least == SIZE_MAX || s->space->choice[i].bound_s < s->space->choice[least].bound_s))
        least = i;
    if (least != SIZE_MAX)
      s->asked[least] = true;
  }
}

static void ask_within_bounds(struct search *s)
{
  const double best = time_of(s, best_of(s));
  for (size_t i = 0; i < s->space->choices; i++) {
    s->asked[i] = !is_known(s, i) && s->space->choice[i].bound_s <= best;
    s->alive[i] = is_known(s, i) || s->asked[i];
  }
}

static int compare_times(const void *a, const void *b, void *search)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  const double tx = time_of(search, x), ty = time_of(search, y);
  if (tx != ty)
    return tx < ty ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void keep_best(struct search *s, const struct round *r)
{
  size_t n = 0;
  for (size_t i = 0; i < s->space->choices; i++) {
    if (s->alive[i])
      s->order[n++] = i;
    s->alive[i] = false;
  }
  qsort_r(s->order, n, sizeof *s->order, compare_times, s);
  const size_t most = (size_t)ceil(r->share * (double)s->space->choices);
  const double limit = n == 0 ? 0 : time_of(s, s->order[0]) * (1 + r->margin);
  for (size_t k = 0; k < n; k++)
    s->alive[s->order[k]] = k < r->least || (k < most && time_of(s, s->order[k]) <= limit);
}

/* Choices that the last sample has already simulated as far as this one would are not asked for. */
static void ask_alive(struct search *s, uint64_t iterations)
{
  for (size_t i = 0; i < s->space->choices; i++) {
    const struct forecast *x = &s->found->result[i].forecast;
    s->asked[i] = s->alive[i] && x->simulated < iterations && x->simulated < x->iterations;
  }
}

static enum status run_rounds(struct search *s, struct err *e)
{
  ask_probes(s);
  if (sample(s, ROUNDS[0].iterations, e) != OK)
    return FAIL;
  for (size_t i = 0; i < s->space->choices; i++)
    s->alive[i] = is_known(s, i);
  ask_within_bounds(s);
  if (sample(s, ROUNDS[0].iterations, e) != OK)
    return FAIL;
  for (const struct round *r = ROUNDS; r->iterations > 0; r++) {
    const uint64_t next = r[1].iterations == 0 || r[1].iterations > s->options->most
                              ? s->options->most
                              : r[1].iterations;
    keep_best(s, r);
    ask_alive(s, next);
    if (sample(s, next, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status run_whole(struct search *s, struct err *e)
{
  for (size_t i = 0; i < s->space->choices; i++)
    s->alive[i] = s->asked[i] = true;
  return sample(s, UINT64_MAX, e);
}

/* --- the search ------------------------------------------------------------------------------- */

/* All programs have as many iterations as the first that was sampled. */
static void sum_up(struct search *s)
{
  double iterations = 0;
  for (size_t i = 0; i < s->space->choices && iterations == 0; i++)
    iterations = (double)s->found->result[i].forecast.iterations;
  for (size_t i = 0; i < s->space->choices; i++) {
    const double own = (double)s->found->result[i].forecast.iterations;
    s->found->full +=
        (own > 0 ? own : iterations) * s->space->program[s->space->choice[i].program].ranks;
  }
  s->found->best = best_of(s);
}

static enum status make_room(struct search *s, struct err *e)
{
  const size_t n = s->space->choices;
  if ((s->found->result = mem_array(n, sizeof *s->found->result, e)) == NULL ||
      (s->alive = mem_array(n, sizeof *s->alive, e)) == NULL ||
      (s->asked = mem_array(n, sizeof *s->asked, e)) == NULL ||
      (s->order = mem_array(n, sizeof *s->order, e)) == NULL)
    return FAIL;
  s->shared =
      mmap(NULL, n * sizeof *s->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s->shared != MAP_FAILED)
    return OK;
  s->shared = NULL;
  return err_errno(e, "shared memory", "cannot create");
}

enum status sweep_search(struct sweep_found *out, struct sweep_space *space,
                         const struct sweep_options *o, const struct platform *p, struct err *e)
{
  struct search s = {.space = space, .options = o, .platform = p, .found = out};
  *out = (struct sweep_found){0};
  enum status status = make_room(&s, e);
  if (status == OK)
    status = o->whole ? run_whole(&s, e) : run_rounds(&s, e);
  if (status == OK)
    sum_up(&s);
  if (s.shared != NULL)
    munmap(s.shared, space->choices * sizeof *s.shared);
  free(s.alive);
  free(s.asked);
  free(s.order);
  return status;
}

void sweep_found_clear(struct sweep_found *f)
{
  free(f->result);
  *f = (struct sweep_found){0};
}
