#include "sim/explain/explained.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

/* The path has an array with the time of each iteration. */
enum { MOST_ITERATIONS = 1 << 20 };

/* The marks of iterations of a trace. */
struct marks {
  const struct trace *trace;
  bool failed;
  struct err e;
};

/* Checks the number of an iteration, and skips none. */
static struct replay_jump pass(void *state, uint32_t rank, uint64_t iteration, double now_s)
{
  struct marks *m = state;
  (void)now_s;
  if (iteration > MOST_ITERATIONS && iteration != ACTION_MARK_END && !m->failed) {
    m->failed = true;
    err_at(&m->e, trace_file(m->trace, rank), trace_line(m->trace, rank),
           "iteration %" PRIu64 " is above %d, the last one that can be explained", iteration,
           MOST_ITERATIONS);
  }
  return (struct replay_jump){0};
}

static enum status simulate(struct explained *x, const struct sim_options *o,
                            const struct sim_job *job, size_t jobs, const struct platform *on,
                            FILE *blocked, struct err *e)
{
  struct marks marks = {.trace = job[0].trace};
  const struct replay_loop loop = {.passed = pass, .state = &marks};
  struct sim_options recorded = *o;
  if ((x->result = mem_array(jobs, sizeof *x->result, e)) == NULL ||
      causes_new(&x->causes, e) != OK)
    return FAIL;
  recorded.causes = x->causes;
  recorded.loop = &loop;
  if (sim_run(&recorded, job, jobs, on, blocked, x->result, e) != OK)
    return FAIL;
  if (marks.failed)
    *e = marks.e;
  return marks.failed ? FAIL : OK;
}

/* The readers of a recorded run, which share one pass back through it. */
struct pass {
  struct rewind rewind;
  struct walk *walk;
  struct sweep *sweep;         /* NULL: no derivatives */
  struct chronicle *chronicle; /* NULL: none */
};

static enum status take_event(struct pass *p, struct err *e)
{
  if (p->chronicle != NULL && chronicle_event(p->chronicle, &p->rewind, p->walk, e) != OK)
    return FAIL;
  if (path_event(p->walk, e) != OK || (p->sweep != NULL && adjoint_before(p->sweep, e) != OK))
    return FAIL;
  if (!rewind_changes(&p->rewind))
    return OK;
  if (rewind_undo(&p->rewind, e) != OK)
    return FAIL;
  return p->sweep == NULL ? OK : adjoint_after(p->sweep, e);
}

static enum status take_events(struct pass *p, struct err *e)
{
  for (;;) {
    bool more;
    if (rewind_next(&p->rewind, &more, e) != OK)
      return FAIL;
    if (!more)
      return path_end(p->walk, e);
    if (take_event(p, e) != OK)
      return FAIL;
  }
}

static enum status go_back(struct explained *out, const struct path_options *path,
                           const struct adjoint_options *derivatives, bool chronicle, struct err *e)
{
  struct pass p = {.chronicle = chronicle ? &out->chronicle : NULL};
  enum status s = rewind_start(&p.rewind, out->causes, e);
  if (s == OK)
    s = path_begin(&p.walk, &out->path, &p.rewind, path, e);
  if (s == OK && derivatives != NULL)
    s = adjoint_begin(&p.sweep, &out->derivatives, &p.rewind, derivatives, e);
  if (s == OK && chronicle)
    s = chronicle_begin(&out->chronicle, &p.rewind, e);
  if (s == OK)
    s = take_events(&p, e);
  path_free(p.walk);
  adjoint_free(p.sweep);
  rewind_clear(&p.rewind);
  return s;
}

enum status explained_run(struct explained *out, const struct sim_options *o,
                          const struct sim_job *job, size_t jobs, const struct platform *on,
                          FILE *blocked, const struct explained_options *x, struct err *e)
{
  OWNED bool *background = mem_array(jobs, sizeof *background, e);
  const struct path_options path = {
      .background = background, .stretch = x->stretch, .data = x->data};
  const struct adjoint_options derivatives = {.platform = on,
                                              .background = background,
                                              .weight_bytes =
                                                  sim_model_on(o->model, on).weight_bytes};
  *out = (struct explained){0};
  if (background == NULL)
    return FAIL;
  if (!o->engine->records)
    return err_set(e, "engine %s does not record causes; use engine flow", o->engine->name);
  for (size_t i = 0; i < jobs; i++) {
    if (trace_need_sequences(job[i].trace, "explain", e) != OK) /* graphs record no causes */
      return FAIL;
    background[i] = job_is_background(&job[i]);
  }
  if (simulate(out, o, job, jobs, on, blocked, e) != OK)
    return FAIL;
  return go_back(out, &path, x->derivatives ? &derivatives : NULL, x->chronicle, e);
}

void explained_clear(struct explained *x)
{
  path_clear(&x->path);
  adjoint_clear(&x->derivatives);
  chronicle_clear(&x->chronicle);
  causes_free(x->causes);
  free(x->result);
  *x = (struct explained){0};
}
