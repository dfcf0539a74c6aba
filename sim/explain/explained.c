#include "sim/explain/explained.h"

#include <stdlib.h>

#include "common/mem.h"

/* Marks the iterations of the main loop, and skips none. */
static struct replay_jump pass(void *state, uint32_t rank, uint64_t iteration, double now_s)
{
  (void)state;
  (void)rank;
  (void)iteration;
  (void)now_s;
  return (struct replay_jump){0};
}

static enum status simulate(struct explained *x, const struct sim_options *o,
                            const struct sim_job *job, size_t jobs, const struct platform *on,
                            FILE *blocked, struct err *e)
{
  static const struct replay_loop LOOP = {.passed = pass};
  struct sim_options recorded = *o;
  if ((x->result = mem_array(jobs, sizeof *x->result, e)) == NULL ||
      causes_new(&x->causes, e) != OK)
    return FAIL;
  recorded.causes = x->causes;
  if (trace_loop(job[0].trace).iterations > 0)
    recorded.loop = &LOOP;
  return sim_run(&recorded, job, jobs, on, blocked, x->result, e);
}

static enum status walk(struct explained *x, const struct sim_job *job, size_t jobs,
                        const struct path_options *path, struct err *e)
{
  bool *background = mem_array(jobs, sizeof *background, e);
  struct path_options options = *path;
  if (background == NULL)
    return FAIL;
  for (size_t i = 0; i < jobs; i++)
    background[i] = job_is_background(&job[i]);
  options.background = background;
  const enum status s = path_find(&x->path, x->causes, &options, e);
  free(background);
  return s;
}

enum status explained_run(struct explained *out, const struct sim_options *o,
                          const struct sim_job *job, size_t jobs, const struct platform *on,
                          FILE *blocked, const struct path_options *path, struct err *e)
{
  *out = (struct explained){0};
  if (!o->engine->records)
    return err_set(e, "engine %s does not record causes; use engine flow", o->engine->name);
  if (simulate(out, o, job, jobs, on, blocked, e) != OK)
    return FAIL;
  return walk(out, job, jobs, path, e);
}

void explained_clear(struct explained *x)
{
  path_clear(&x->path);
  causes_free(x->causes);
  free(x->result);
  *x = (struct explained){0};
}
