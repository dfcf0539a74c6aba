#include "setup/runs/alone.h"

#include "setup/runs/batch.h"

/* Arguments of the child process. */
struct alone {
  struct sim_options options;
  const struct platform *platform;
  struct sim_job job;
  FILE *blocked;
};

/* Result of the child process. */
struct answer {
  enum status status;
  double time_s;
  struct err e;
};

static void run(const void *arg, uint32_t i, void *answer)
{
  const struct alone *x = arg;
  struct answer *a = answer;
  struct sim_result result = {0};
  (void)i;
  a->status = sim_run(&x->options, &x->job, 1, x->platform, x->blocked, &result, &a->e);
  a->time_s = result.simulated_time_s;
  if (a->status != OK)
    fflush(x->blocked);
}

enum status job_time_loaded(const struct sim_options *o, const struct platform *p,
                            const struct sim_job *job, FILE *blocked, double *out, struct err *e)
{
  struct alone x = {.options = *o, .platform = p, .job = *job, .blocked = blocked};
  const struct batch b = {.run = run, .arg = &x, .items = 1, .answer_size = sizeof(struct answer)};
  struct answer a;
  x.options.per_rank = x.options.links = x.options.timeline = NULL;
  x.job.start_s = 0;
  x.job.repeat = x.job.background = false;
  if (batch_run(&b, 1, &a, e) != OK)
    return FAIL;
  *out = a.time_s;
  *e = a.status == OK ? *e : a.e;
  return a.status;
}

enum status job_time_alone(const struct sim_options *o, const struct platform *p,
                           const struct sim_job *job, FILE *blocked, double *out, struct err *e)
{
  struct sim_options alone = *o;
  alone.loads.count = 0;
  return job_time_loaded(&alone, p, job, blocked, out, e);
}
