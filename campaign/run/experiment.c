#include "campaign/run/experiment.h"

#include "mappers/mapper.h"
#include "setup/jobs.h"
#include "setup/place.h"

static enum status score(const struct place *place, const struct platform *p,
                         const struct mapping *m, const struct matrix *traffic,
                         struct run_result *r, struct err *e)
{
  if (platform_is_opaque(p))
    return OK;
  r->groups |= RUN_BIT(RUN_METRICS);
  return metrics_compute(&r->metrics, p, m, traffic, e) == OK
             ? place_estimate(place, p, m, &r->metrics.estimated_time_s, e)
             : FAIL;
}

unsigned experiment_groups(const struct settings *s)
{
  return RUN_BIT(RUN_SIM) | (settings_have_load(s) ? RUN_BIT(RUN_LOAD) : 0) |
         (s->options.overlay.kind != NULL ? RUN_BIT(RUN_OVERLAY) : 0);
}

/* Simulates the program, which is the last job, and its background jobs. */
static enum status simulate_all(const struct experiment *x, struct sim_job *job, size_t jobs,
                                struct run_result *r, struct err *e)
{
  struct sim_result result[JOBS_MOST + 1];
  struct sim_options o = x->settings->options;
  o.links = x->links;
  o.load_seed = x->load_seed;
  if (sim_run(&o, job, jobs, x->platform, stderr, result, e) != OK)
    return FAIL;
  r->sim = result[jobs - 1];
  return OK;
}

static enum status simulate(const struct experiment *x, const struct mapping *m,
                            struct run_result *r, struct err *e)
{
  const struct settings *s = x->settings;
  const struct job_defaults d = {.mapping = "xyz",
                                 .ranks_per_host = s->reading.collectives.ranks_per_host,
                                 .reading = &s->reading,
                                 .options = &s->options};
  struct sim_job job[JOBS_MOST + 1];
  struct placed_job placed[JOBS_MOST];
  bool shared;
  const size_t n = s->jobs.count;
  enum status status = jobs_place(placed, &s->jobs, m, &d, x->platform, &shared, e);
  for (size_t i = 0; i < n; i++) {
    job[i] = placed[i].job;
    job[i].background = true;
  }
  job[n] = (struct sim_job){.collectives = &s->reading.collectives, .mapping = m};
  if (status == OK)
    status = input_trace_open(x->trace, &job[n].trace, e);
  if (status == OK)
    status = simulate_all(x, job, n + 1, r, e);
  placed_jobs_clear(placed, &s->jobs);
  return status;
}

static struct place place_of(const struct experiment *x, const struct matrix *traffic,
                             const struct sim_options *options, uint32_t *moved)
{
  return (struct place){.mapping = x->mapping,
                        .hosts = x->settings->hosts,
                        .ranks_per_host = x->settings->reading.collectives.ranks_per_host,
                        .ranks = traffic->ranks,
                        .threads = 1, /* runs share the cores: --jobs */
                        .traffic = traffic,
                        .moved = moved,
                        .trace = x->trace,
                        .options = options};
}

static struct run_result begin_result(const struct experiment *x, unsigned groups)
{
  groups |= mapper_overfills(x->mapping) ? RUN_BIT(RUN_MOVES) : 0;
  return (struct run_result){.status = RUN_OK, .groups = groups};
}

enum status experiment_score(const struct experiment *x, const struct matrix *traffic,
                             struct run_result *r, struct err *e)
{
  struct mapping m;
  uint32_t moved;
  *r = begin_result(x, 0);
  if (traffic->ranks == 0)
    return err_set(e, "no ranks to map");
  const struct place place = place_of(x, traffic, &x->settings->options, &moved);
  if (place_ranks(&place, x->platform, &m, e) != OK)
    return FAIL;
  r->moved = moved;
  const enum status s = score(&place, x->platform, &m, traffic, r, e);
  mapping_clear(&m);
  return s;
}

enum status experiment_run(const struct experiment *x, struct run_result *r, struct err *e)
{
  const struct matrix *traffic;
  struct mapping m;
  uint32_t moved;
  *r = begin_result(x, experiment_groups(x->settings));
  if (input_trace_traffic(x->trace, &traffic, e) != OK)
    return FAIL;
  struct sim_options options = x->settings->options;
  options.load_seed = x->load_seed;
  const struct place place = place_of(x, traffic, &options, &moved);
  if (place_ranks(&place, x->platform, &m, e) != OK)
    return FAIL;
  r->moved = moved;
  enum status s = input_trace_placed_traffic(x->trace, &m, &traffic, e);
  if (s == OK && x->matrix != NULL)
    s = matrix_save(traffic, x->matrix, e);
  if (s == OK)
    s = score(&place, x->platform, &m, traffic, r, e);
  if (s == OK)
    s = simulate(x, &m, r, e);
  mapping_clear(&m);
  return s;
}
