#include "setup/runs/simulator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "mappers/inside/cores.h"
#include "platforms/inside/inside.h"
#include "platforms/part.h"
#include "setup/runs/batch.h"
#include "setup/runs/operations.h"
#include "sim/explain/explained.h"
#include "sim/replay/watch.h"

_Static_assert(MAPPER_POINTS == WATCH_POINTS, "mappers and watches have the same points");

/* Result of one trial. */
struct answer {
  bool ok;
  double passed_s[WATCH_POINTS];
  struct err e;
};

struct simulator {
  struct sim_options options;
  const struct platform *platform; /* host numbers of trials refer to it */
  const struct platform *whole;    /* simulated */
  const struct matrix *traffic;    /* see simulator_use_cores(); NULL: no cores are assigned */
  struct input_trace *input;
  struct trace *trace; /* of input */
  const struct collectives *collectives;
  uint64_t iterations; /* of the main loop; 0: none, or iterations become shorter */
  uint32_t ranks;
  bool asks_hosts; /* see struct mapper_simulator */
  uint64_t *due;   /* see struct watch; NULL: asks_hosts, or operations are not yet counted */
};

/* Arguments of a batch. */
struct trials {
  const struct simulator *s;
  const struct mapper_trial *trial;
};

/* --- making and freeing ----------------------------------------------------------------------- */

static enum status prepare(struct simulator *s, struct input_trace *trace, struct err *e)
{
  if (input_trace_open(trace, &s->trace, e) != OK)
    return FAIL;
  s->ranks = trace_ranks(s->trace);
  const struct trace_loop loop = trace_loop(s->trace);
  s->iterations = loop.trend > 0 ? 0 : loop.iterations;
  return OK;
}

static uint64_t iterations_of(const struct simulator *s)
{
  return s->iterations > 0 ? s->iterations : 1;
}

/* Number of operations of a rank up to the fraction @p share of its main loop or, without a loop,
 * of its run. */
static uint64_t operations_before(const struct operations *o, double share)
{
  const uint64_t first = o->loop > 0 ? o->before : 0, rest = o->loop > 0 ? o->loop : o->before;
  return first + (uint64_t)ceil(share * (double)rest);
}

/* Sets *due to the operations of each rank before each point, with mapping @p m; NULL: not placed.
 */
static enum status count_operations(const struct simulator *s, const struct mapping *m,
                                    uint64_t **due, struct err *e)
{
  const struct mapper_simulator points = {.iterations = iterations_of(s)};
  OWNED struct operations *count = mem_array(s->ranks, sizeof *count, e);
  if (count == NULL || operations_count(s->input, m, count, e) != OK ||
      (*due = mem_array((size_t)s->ranks * MAPPER_END, sizeof **due, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < s->ranks; r++)
    for (uint32_t k = 0; k < MAPPER_END; k++)
      (*due)[(size_t)r * MAPPER_END + k] = operations_before(&count[r], mapper_share(&points, k));
  return OK;
}

enum status simulator_new(struct simulator **out, const struct sim_options *o,
                          const struct platform *p, struct input_trace *trace,
                          uint32_t ranks_per_host, struct err *e)
{
  struct simulator *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  *s = (struct simulator){.options = *o,
                          .platform = p,
                          .whole = platform_whole(p),
                          .input = trace,
                          .collectives = &trace->reading->collectives,
                          .asks_hosts = trace->asks_hosts && ranks_per_host > 1};
  s->options.per_rank = s->options.links = s->options.timeline = NULL;
  if (prepare(s, trace, e) != OK) {
    simulator_free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void simulator_use_cores(struct simulator *s, const struct platform *p,
                         const struct matrix *traffic)
{
  s->whole = p;
  s->traffic = traffic;
}

void simulator_free(struct simulator *s)
{
  if (s == NULL)
    return;
  free(s->due);
  free(s);
}

/* --- one simulation --------------------------------------------------------------------------- */

/* Turns the nodes of ranks into cores. */
static enum status take_cores(const struct simulator *s, struct mapping *m, struct arena *mem)
{
  const struct inside *inside = platform_inside(s->whole);
  const struct cores_request q = {inside, m, s->traffic, CORES_EACH, 1};
  uint32_t *core = arena_array(mem, s->ranks, sizeof *core);
  if (core == NULL || cores_assign(&q, core, mem->e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < s->ranks; r++)
    m->host[r] = m->host[r] * inside->cores + core[r];
  return OK;
}

/* The mapping of the hosts of a part to the hosts of the whole platform, in memory of @p mem. */
static enum status map_whole(const struct simulator *s, const uint32_t *host, struct mapping *out,
                             struct arena *mem)
{
  const struct inside *inside = platform_inside(s->whole);
  *out = (struct mapping){.ranks = s->ranks,
                          .host = arena_array(mem, s->ranks, sizeof *out->host),
                          .cores = inside == NULL ? 0 : inside->cores};
  if (out->host == NULL)
    return FAIL;
  for (uint32_t r = 0; r < s->ranks; r++)
    out->host[r] = platform_whole_host(s->platform, host[r]);
  return s->traffic == NULL ? OK : take_cores(s, out, mem);
}

static enum status simulate(const struct simulator *s, const struct mapper_trial *t,
                            double *passed_s, struct err *e)
{
  ARENA(mem, e);
  struct mapping m;
  const struct sim_job job = {.trace = s->trace, .collectives = s->collectives, .mapping = &m};
  struct sim_options o = s->options;
  struct sim_result result;
  OWNED uint64_t *own = NULL; /* points of this mapping */
  if (map_whole(s, t->host, &m, &mem) != OK ||
      (s->due == NULL && count_operations(s, &m, &own, e) != OK))
    return FAIL;
  struct watch w = watch_all(s->due != NULL ? s->due : own);
  w.stop = t->stop;
  memcpy(w.limit_s, t->limit_s, sizeof w.limit_s);
  o.watch = &w;
  if (sim_run(&o, &job, 1, s->whole, NULL, &result, e) != OK)
    return FAIL;
  memcpy(passed_s, w.passed_s, sizeof w.passed_s);
  return OK;
}

static void run_trial(const void *batch, uint32_t i, void *answer)
{
  const struct trials *b = batch;
  struct answer *a = answer;
  a->ok = simulate(b->s, &b->trial[i], a->passed_s, &a->e) == OK;
}

static enum status take_answers(struct mapper_trial *trial, uint32_t trials,
                                const struct answer *answer, struct err *e)
{
  for (uint32_t i = 0; i < trials; i++) {
    if (!answer[i].ok) {
      *e = answer[i].e;
      return FAIL;
    }
    memcpy(trial[i].passed_s, answer[i].passed_s, sizeof trial[i].passed_s);
  }
  return OK;
}

static enum status run_trials(struct simulator *s, struct mapper_trial *trial, uint32_t trials,
                              uint32_t threads, struct err *e)
{
  const struct trials all = {s, trial};
  const struct batch b = {run_trial, &all, trials, sizeof(struct answer),
                          s->options.engine->runs_again};
  OWNED struct answer *answer = mem_array(trials, sizeof *answer, e);
  if (answer == NULL || batch_run(&b, threads, answer, e) != OK)
    return FAIL;
  return take_answers(trial, trials, answer, e);
}

/* On an opaque platform all trials run in this process: the child process that computes its routes
 * serves only one. */
static enum status run(void *data, struct mapper_trial *trial, uint32_t trials, uint32_t threads,
                       struct err *e)
{
  struct simulator *s = data;
  if (trials == 0)
    return OK;
  /* Not before the first trial: it reads the whole trace, and many mappers do not simulate. */
  if (s->due == NULL && !s->asks_hosts && count_operations(s, NULL, &s->due, e) != OK)
    return FAIL;
  return run_trials(s, trial, trials, platform_is_opaque(s->platform) ? 1 : threads, e);
}

/* --- blame ------------------------------------------------------------------------------------ */

/* Lists the times of the pairs of ranks of the first job; other jobs are loads.  @p out has room
 * for all pairs. */
static size_t list_blame(const struct explained *x, struct mapper_blame *out)
{
  const struct path *p = &x->path;
  size_t n = 0;
  for (uint32_t i = 0; i < p->pairs.count; i++) {
    const struct path_pair *t = &p->pair[i];
    out[i].seconds = (double)(t->latency_s + t->transfer_s + t->contention_s);
  }
  for (uint32_t i = 0; i < p->shares.count; i++)
    out[(uint32_t)p->shares.key[i]].seconds += (double)p->share[i].rival_s;
  for (uint32_t i = 0; i < p->pairs.count; i++) {
    const struct causes_actor src = causes_actor(x->causes, (uint32_t)(p->pairs.key[i] >> 32));
    const struct causes_actor dst = causes_actor(x->causes, (uint32_t)p->pairs.key[i]);
    if (src.job == 0 && dst.job == 0)
      out[n++] = (struct mapper_blame){src.rank, dst.rank, out[i].seconds};
  }
  return n;
}

static enum status blame(void *data, const uint32_t *host, struct mapper_blame **out, size_t *count,
                         struct err *e)
{
  const struct simulator *s = data;
  ARENA(mem, e);
  struct explained x = {0};
  struct mapping m;
  const struct sim_job job = {.trace = s->trace, .collectives = s->collectives, .mapping = &m};
  if (map_whole(s, host, &m, &mem) != OK)
    return FAIL;
  enum status status =
      explained_run(&x, &s->options, &job, 1, s->whole, NULL, &(struct explained_options){0}, e);
  if (status == OK) {
    *out = mem_array(x.path.pairs.count, sizeof **out, e);
    status = *out == NULL ? FAIL : OK;
  }
  *count = status == OK ? list_blame(&x, *out) : 0;
  explained_clear(&x);
  return status;
}

static bool can_blame(const struct simulator *s)
{
  return s->options.engine->records && !platform_is_opaque(s->platform) &&
         !trace_is_graph(s->trace);
}

struct mapper_simulator simulator_of(struct simulator *s)
{
  return (struct mapper_simulator){.data = s,
                                   .iterations = iterations_of(s),
                                   .asks_hosts = s->asks_hosts,
                                   .run = run,
                                   .blame = can_blame(s) ? blame : NULL};
}
