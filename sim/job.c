#include "sim/job.h"

#include <stdlib.h>

#include "common/mem.h"
#include "traces/program/program.h"

struct job {
  const struct sim_job *in;
  struct replay_options options;
  struct err *err;
  struct program *program;
  struct replay *replay;
  struct driver driver; /* of the replay */
  const struct services *services;
  uint32_t ended;             /* ranks that have ended in this run */
  bool *begun;                /* by rank */
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
  replay_free(j->replay);
  program_free(j->program);
  j->replay = NULL;
  j->program = NULL;
}

static enum status begin_run(struct job *j, struct err *e)
{
  if (job_program(&j->program, j->in, e) != OK ||
      replay_new(&j->replay, j->program, &j->options, e) != OK)
    return FAIL;
  j->driver = replay_driver(j->replay, j->in->mapping->host);
  j->ended = 0;
  return OK;
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
  if ((j->begun = mem_array(in->mapping->ranks, sizeof *j->begun, e)) == NULL ||
      begin_run(j, e) != OK) {
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
  struct job_figures f = {.runs = j->ended == replay_ranks(j->replay) ? 1 : 0};
  for (uint32_t i = 0; i < replay_ranks(j->replay); i++) {
    const struct rank_result *one = replay_result(j->replay, i);
    const double comm = communication_time(j, one);
    if (one->end_s - j->began_s > f.time_s)
      f.time_s = one->end_s - j->began_s;
    if (comm > f.communication_time_max_s)
      f.communication_time_max_s = comm;
    f.communication_time_mean_s += comm / replay_ranks(j->replay);
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

const struct replay *job_replay(const struct job *j)
{
  return j->replay;
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

/* All ranks have ended: starts the next run and wakes the other ranks. */
static enum status repeat(struct job *j, uint32_t last)
{
  const struct job_figures f = this_run(j);
  if (replay_finish(j->replay, j->err) != OK)
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

static struct step *step(void *state, uint32_t rank)
{
  struct job *j = state;
  if (!j->begun[rank] && j->in->start_s > 0) {
    j->begun[rank] = true;
    return &j->sleep;
  }
  struct step *s = j->failed ? &j->stop : j->driver.step(j->driver.state, rank);
  if (s->kind != STEP_END)
    return s;
  if (++j->ended < j->driver.actors || !j->in->repeat)
    return j->in->repeat ? &j->park : s;
  j->failed = repeat(j, rank) != OK;
  return j->failed ? &j->stop : j->driver.step(j->driver.state, rank);
}

/* A foreground job that starts at time 0 needs no wrapper: its driver is the replay's. */
struct crew_member job_member(struct job *j)
{
  struct driver d = j->driver;
  if (!job_is_background(j->in) && j->in->start_s <= 0)
    return (struct crew_member){.driver = d};
  d.state = j;
  d.attach = attach;
  d.step = step;
  return (struct crew_member){.driver = d, .background = job_is_background(j->in)};
}

enum status job_finish(struct job *j, struct err *e)
{
  if (j->failed)
    return FAIL;
  const bool cut_off = job_is_background(j->in) && j->ended < replay_ranks(j->replay);
  return cut_off && !replay_failed(j->replay) ? OK : replay_finish(j->replay, e);
}
