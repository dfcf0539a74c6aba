#define _GNU_SOURCE
#include "setup/alone.h"

#include <float.h>
#include <poll.h>
#include <signal.h>

#include "common/num.h"
#include "common/process/child.h"
#include "common/report.h"

/* Arguments of the child process. */
struct alone {
  struct sim_options options;
  const struct platform *platform;
  struct sim_job job;
  FILE *blocked;
};

/* Runs in the child: prints the simulated time in s, or the error. */
static int run(void *arg)
{
  const struct alone *x = arg;
  struct sim_result result;
  struct err e;
  if (sim_run(&x->options, &x->job, 1, x->platform, x->blocked, &result, &e) != OK) {
    fflush(x->blocked);
    printf("%s\n", e.text);
    return 1;
  }
  report_number(stdout, result.simulated_time_s);
  putchar('\n');
  return 0;
}

static enum status read_answer(struct child *c, double *out, struct err *e)
{
  struct child_end end;
  while (child_listen(c))
    poll(&(struct pollfd){.fd = c->says, .events = POLLIN}, 1, -1);
  child_reap(c, &end);
  if (end.signal != 0)
    return err_set(e, "a job alone: ended by signal %d", end.signal);
  return end.code == 0 ? num_double(c->last, 0, DBL_MAX, out, e) : err_set(e, "%s", c->last);
}

enum status job_time_loaded(const struct sim_options *o, const struct platform *p,
                            const struct sim_job *job, FILE *blocked, double *out, struct err *e)
{
  struct alone x = {.options = *o, .platform = p, .job = *job, .blocked = blocked};
  const struct child_spec spec = {
      .run = run, .arg = &x, .input = -1, .keep = -1, .keep_all = true, .parent_signal = SIGKILL};
  struct child c;
  x.options.per_rank = x.options.links = x.options.timeline = NULL;
  x.job.start_s = 0;
  x.job.repeat = x.job.background = false;
  return child_start(&c, &spec, e) == OK ? read_answer(&c, out, e) : FAIL;
}

enum status job_time_alone(const struct sim_options *o, const struct platform *p,
                           const struct sim_job *job, FILE *blocked, double *out, struct err *e)
{
  struct sim_options alone = *o;
  alone.loads.count = 0;
  return job_time_loaded(&alone, p, job, blocked, out, e);
}
