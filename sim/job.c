#include "sim/job.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/graph/graph_run.h"
#include "traces/program/program.h"

struct job {
  const struct sim_job *in;
  struct replay_options options;
  struct err *err;
  struct program *program;
  struct replay *replay;   /* of a trace of sequences */
  struct graph_run *graph; /* of a trace of graphs */
  struct driver driver;    /* of the replay or the graph */
  const struct services *services;
  uint32_t ended;             /* actors that have ended in this run */
  bool *begun;                /* by actor */
  double began_s;             /* start of this run in s */
  struct job_figures earlier; /* sums of earlier runs */
  struct step sleep, park, stop;
  bool failed;
};

/* --- a run ------------------------------------------------------------------------------------ */

enum status job_program(struct program **out, const struct sim_job *in, struct err *e)
{
  struct collectives placed = *in->collectives;
  placed.host = in->mapping->host;
  placed.node_cores = in->mapping->cores;
  trace_rewind(in->trace);
  return program_new(out, in->trace, &placed, e);
}

static void end_run(struct job *j)
{
  graph_run_free(j->graph);
  replay_free(j->replay);
  j->graph = NULL;
  program_free(j->program);
  j->replay = NULL;
  j->program = NULL;
}

static enum status begin_run(struct job *j, struct err *e)
{
  struct trace *t = j->in->trace;
  const uint32_t *host = j->in->mapping->host;
  j->ended = 0;
  if (trace_need_calls(t, e) != OK || job_program(&j->program, j->in, e) != OK)
    return FAIL;
  if (trace_is_graph(t)) {
    if (graph_run_new(&j->graph, t, j->program, host, &j->options, e) != OK)
      return FAIL;
    j->driver = graph_run_driver(j->graph);
    return OK;
  }
  if (replay_new(&j->replay, j->program, &j->options, e) != OK)
    return FAIL;
  j->driver = replay_driver(j->replay, host);
  return OK;
}

static enum status finish_run(struct job *j, struct err *e)
{
  return j->graph != NULL ? graph_run_finish(j->graph, e) : replay_finish(j->replay, e);
}

bool job_has_failed(const struct job *j)
{
  return j->failed || (j->graph != NULL ? graph_run_failed(j->graph) : replay_failed(j->replay));
}

const struct rank_result *job_rank(const struct job *j, uint32_t rank)
{
  return j->graph != NULL ? graph_run_result(j->graph, rank) : replay_result(j->replay, rank);
}

void job_print_blocked(const struct job *j, uint32_t most, FILE *f)
{
  if (j->graph != NULL)
    graph_run_print_blocked(j->graph, most, f);
  else if (j->replay != NULL) /* NULL: the job could not be repeated */
    replay_print_blocked(j->replay, most, f);
}

enum status job_new(struct job **out, const struct sim_job *in, const struct replay_options *o,
                    struct err *e)
{
  struct job *j = mem_array(1, sizeof *j, e);
  if (j == NULL)
    return FAIL;
  *j = (struct job){.in = in,
                    .options = *o,
                    .err = e,
                    .began_s = in->start_s,
                    .sleep = {.kind = STEP_SLEEP, .amount = in->start_s},
                    .park = {.kind = STEP_PARK},
                    .stop = {.kind = STEP_STOP}};
  j->options.host = in->mapping->host;
  if (trace_per_flop(in->trace) > 0)
    j->options.per_flop = trace_per_flop(in->trace);
  if (begin_run(j, e) != OK ||
      (j->begun = mem_array(j->driver.actors, sizeof *j->begun, e)) == NULL) {
    job_free(j);
    return FAIL;
  }
  *out = j;
  return OK;
}

void job_free(struct job *j)
{
  if (j == NULL)
    return;
  end_run(j);
  free(j->begun);
  free(j);
}

/* --- figures ---------------------------------------------------------------------------------- */

static double communication_time(const struct job *j, const struct rank_result *r)
{
  return r->end_s - j->began_s - r->busy_s;
}

/* Figures of the current run, up to now if it has not ended. */
static struct job_figures this_run(const struct job *j)
{
  const uint32_t ranks = j->in->mapping->ranks;
  struct job_figures f = {.runs = j->ended == j->driver.actors ? 1 : 0};
  for (uint32_t i = 0; i < ranks; i++) {
    const struct rank_result *one = job_rank(j, i);
    const double comm = communication_time(j, one);
    if (one->end_s - j->began_s > f.time_s)
      f.time_s = one->end_s - j->began_s;
    if (comm > f.communication_time_max_s)
      f.communication_time_max_s = comm;
    f.communication_time_mean_s += comm / ranks;
    f.flops += one->flops;
    f.messages += one->messages;
    f.bytes += one->bytes;
  }
  return f;
}

static void add_run(struct job_figures *sum, const struct job_figures *run)
{
  sum->flops += run->flops;
  sum->messages += run->messages;
  sum->bytes += run->bytes;
  if (run->runs == 0)
    return;
  sum->time_s += run->time_s;
  sum->communication_time_mean_s += run->communication_time_mean_s;
  sum->communication_time_max_s += run->communication_time_max_s;
  sum->runs++;
}

struct job_figures job_figures(const struct job *j)
{
  struct job_figures f = this_run(j);
  if (!j->in->repeat)
    return f;
  struct job_figures sum = j->earlier;
  add_run(&sum, &f);
  const double runs = sum.runs == 0 ? 1 : (double)sum.runs;
  sum.time_s /= runs;
  sum.communication_time_mean_s /= runs;
  sum.communication_time_max_s /= runs;
  return sum;
}

/* --- the driver ------------------------------------------------------------------------------- */

static double now(const struct job *j)
{
  return j->services->now(j->services->engine);
}

static void attach(void *state, const struct services *s)
{
  struct job *j = state;
  j->services = s;
  j->driver.attach(j->driver.state, s);
}

/* All ranks have ended: starts the next run and wakes the ranks other than @p last. */
static enum status repeat(struct job *j, uint32_t last)
{
  const struct job_figures f = this_run(j);
  if (finish_run(j, j->err) != OK)
    return FAIL;
  if (now(j) <= j->began_s)
    return err_set(j->err, "%s: a job that takes no time cannot be repeated",
                   trace_name(j->in->trace));
  add_run(&j->earlier, &f);
  j->began_s = now(j);
  end_run(j);
  if (begin_run(j, j->err) != OK)
    return FAIL;
  j->driver.attach(j->driver.state, j->services);
  for (uint32_t r = 0; r < j->driver.actors; r++)
    if (r != last)
      j->services->wake(j->services->engine, j->services->first + r);
  return OK;
}

static void arrived(void *state, struct transfer *t)
{
  struct job *j = state;
  j->driver.arrived(j->driver.state, t);
}

static struct step *step(void *state, uint32_t actor)
{
  struct job *j = state;
  if (!j->begun[actor] && j->in->start_s > 0) {
    j->begun[actor] = true;
    return &j->sleep;
  }
  struct step *s = j->failed ? &j->stop : j->driver.step(j->driver.state, actor);
  if (s->kind != STEP_END)
    return s;
  if (++j->ended < j->driver.actors || !j->in->repeat)
    return j->in->repeat ? &j->park : s;
  j->failed = repeat(j, actor) != OK;
  return j->failed ? &j->stop : j->driver.step(j->driver.state, actor);
}

static void where(void *state, uint32_t rank, struct driver_where *out)
{
  struct job *j = state;
  j->driver.where(j->driver.state, rank, out);
}

/* A foreground job that starts at time 0 needs no wrapper: the driver of its replay or graph is
 * used directly. */
struct crew_member job_member(struct job *j)
{
  struct driver d = j->driver;
  if (!job_is_background(j->in) && j->in->start_s <= 0)
    return (struct crew_member){.driver = d};
  d.state = j;
  d.attach = attach;
  d.step = step;
  d.arrived = arrived;
  d.where = where;
  return (struct crew_member){.driver = d, .background = job_is_background(j->in)};
}

enum status job_finish(struct job *j, struct err *e)
{
  if (j->failed)
    return FAIL;
  const bool cut_off = job_is_background(j->in) && j->ended < j->driver.actors;
  return cut_off && !job_has_failed(j) ? OK : finish_run(j, e);
}
