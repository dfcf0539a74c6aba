#include "cli/experiment.h"

#include "cli/cli.h"
#include "cli/place.h"

static enum status score(const struct platform *p, const struct mapping *m,
                         const struct matrix *traffic, struct run_result *r, struct err *e)
{
  const struct topology *t = platform_topology(p);
  r->scored = t != NULL;
  return r->scored ? metrics_compute(&r->metrics, t, m, traffic, e) : OK;
}

static enum status simulate(const struct experiment *x, const struct platform *p,
                            const struct mapping *m, struct run_result *r, struct err *e)
{
  struct sim_options o = x->model.options;
  struct cli_trace t;
  o.links = x->links;
  if (cli_trace_open(&t, x->trace, &x->model.reading, e) != OK)
    return FAIL;
  const enum status s = sim_run(&o, t.program, p, m, stderr, &r->sim, e);
  cli_trace_close(&t);
  return s;
}

static enum status run_on(const struct experiment *x, const struct platform *p,
                          const struct matrix *traffic, struct run_result *r, struct err *e)
{
  const struct place place = {.mapping = x->mapping,
                              .ranks_per_host = x->model.ranks_per_host,
                              .ranks = traffic->ranks,
                              .threads = 1, /* runs share the cores: --jobs */
                              .traffic = traffic};
  struct mapping m;
  if (place_ranks(&place, p, &m, e) != OK)
    return FAIL;
  enum status s = x->matrix == NULL ? OK : matrix_save(traffic, x->matrix, e);
  if (s == OK)
    s = score(p, &m, traffic, r, e);
  if (s == OK)
    s = simulate(x, p, &m, r, e);
  mapping_clear(&m);
  return s;
}

enum status experiment_run(const struct experiment *x, struct run_result *r, struct err *e)
{
  struct platform *p;
  struct matrix traffic = {0};
  *r = (struct run_result){.status = RUN_OK};
  if (cli_platform_open(&p, x->platform, e) != OK)
    return FAIL;
  enum status s = cli_traffic(&traffic, x->trace, &x->model.reading, e);
  if (s == OK)
    s = run_on(x, p, &traffic, r, e);
  matrix_clear(&traffic);
  platform_free(p);
  return s;
}
