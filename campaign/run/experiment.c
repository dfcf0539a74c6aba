#include "campaign/run/experiment.h"

#include "campaign/place.h"

static enum status score(const struct platform *p, const struct mapping *m,
                         const struct matrix *traffic, struct run_result *r, struct err *e)
{
  r->scored = !platform_is_opaque(p);
  return r->scored ? metrics_compute(&r->metrics, p, m, traffic, e) : OK;
}

static enum status simulate(const struct experiment *x, const struct mapping *m,
                            struct run_result *r, struct err *e)
{
  struct sim_options o = x->settings->options;
  struct program *p;
  o.links = x->links;
  if (input_trace_program(x->trace, &p, e) != OK)
    return FAIL;
  const enum status s = sim_run(&o, p, x->platform, m, stderr, &r->sim, e);
  program_free(p);
  r->loaded = o.loads.count > 0;
  return s;
}

enum status experiment_run(const struct experiment *x, struct run_result *r, struct err *e)
{
  const struct matrix *traffic;
  struct mapping m;
  *r = (struct run_result){.status = RUN_OK};
  if (input_trace_traffic(x->trace, &traffic, e) != OK)
    return FAIL;
  const struct place place = {.mapping = x->mapping,
                              .ranks_per_host = x->settings->ranks_per_host,
                              .ranks = traffic->ranks,
                              .threads = 1, /* runs share the cores: --jobs */
                              .traffic = traffic};
  if (place_ranks(&place, x->platform, &m, e) != OK)
    return FAIL;
  enum status s = x->matrix == NULL ? OK : matrix_save(traffic, x->matrix, e);
  if (s == OK)
    s = score(x->platform, &m, traffic, r, e);
  if (s == OK)
    s = simulate(x, &m, r, e);
  mapping_clear(&m);
  return s;
}
