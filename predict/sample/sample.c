#include "predict/sample/sample.h"

#include <inttypes.h>
#include <math.h>

#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/report.h"
#include "platforms/profile.h"
#include "sim/replay/watch.h"

enum { GROUPS = 5, TREND_GROUPS = 8, LEAST_OF_TREND = 64 /* iterations */ };

static void print_marks(const struct sample_mark *m, size_t count, FILE *f)
{
  fprintf(f, "iteration\tbegin_s\tlength_s\n");
  for (size_t i = 0; i + 1 < count; i++) {
    if (m[i].to != 0)
      continue;
    fprintf(f, "%" PRIu64 "\t", m[i].iteration);
    report_number(f, m[i].last_s);
    fputc('\t', f);
    report_number(f, m[i + 1].last_s - m[i].last_s);
    fputc('\n', f);
  }
}

static enum status write_series(const char *path, const struct sampler *s, struct err *e)
{
  struct outfile o;
  size_t count;
  const struct sample_mark *m = sampler_marks(s, &count);
  if (path == NULL)
    return OK;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  print_marks(m, count, o.f);
  return outfile_commit(&o, e);
}

static enum status simulate(const struct sample_run *r, const struct sample_plan *plan,
                            struct sampler *s, struct forecast *out, struct err *e)
{
  struct sim_options o = *r->options;
  size_t count;
  o.loop = sampler_loop(s);
  OWNED struct sim_result *result = mem_array(r->jobs, sizeof *result, e);
  enum status status =
      result == NULL ? FAIL : sim_run(&o, r->job, r->jobs, r->platform, r->blocked, result, e);
  *out = (struct forecast){.time_s = NAN, .half_s = NAN, .iterations = plan->iterations};
  if (status == OK && (o.watch == NULL || o.watch->passed == WATCH_POINTS)) {
    const struct sample_mark *m = sampler_marks(s, &count);
    status = forecast_run(plan, m, count, result[0].simulated_time_s - sampler_slept(s), out, e);
  }
  return status == OK ? write_series(r->series, s, e) : FAIL;
}

/* A profile with a single event at date 0 is a constant. */
bool sample_site_varies(const struct sim_options *o, const struct platform *p)
{
  for (uint32_t i = 0; i < platform_profiles(p); i++) {
    const struct profile *x = platform_profile(p, i);
    if (x->events > 1 || x->repeat_s >= 0 || (x->events == 1 && x->after[0] > 0))
      return true;
  }
  return o->effects.speeds.drift > 0 || load_specs_vary(&o->loads);
}

static uint32_t groups_of(const struct sample_run *r)
{
  return !r->in_one_piece && sample_site_varies(r->options, r->platform) ? GROUPS : 1;
}

/* A group of a sample needs an iteration with each rank in each role: at 1 x 960 ranks of Linpack,
 * groups of 32 panels predict a time that is 12 % too long. */
static enum status check_trend(const struct survey *found, const struct sample_run *r,
                               struct err *e)
{
  const uint64_t roles = TREND_GROUPS * (uint64_t)found->trend;
  const uint64_t least = roles > LEAST_OF_TREND ? roles : LEAST_OF_TREND;
  const char *name = trace_name(r->job[0].trace);
  if (found->trend == 0 || r->most >= least)
    return OK;
  if (least >= found->iterations)
    return err_set(e,
                   "%s: its %" PRIu64 " iterations differ, too few for a sample; haichi sim "
                   "simulates all",
                   name, found->iterations);
  return err_set(
      e, "%s: its iterations differ; a sample needs at least %" PRIu64 " of them, not %" PRIu64,
      name, least, r->most);
}

enum status sample_predict(const struct sample_run *r, struct forecast *out, struct err *e)
{
  struct survey found;
  struct sampler *s;
  if (r->loop != NULL)
    found = *r->loop;
  else if (survey_loop(r->job[0].trace, &found, e) != OK)
    return FAIL;
  if (found.period == 0)
    return err_set(e, "%s: its iterations do not repeat", trace_name(r->job[0].trace));
  if (found.period > r->most)
    return err_set(
        e, "%s: its iterations repeat after %" PRIu64 ", more than the %" PRIu64 " to simulate",
        trace_name(r->job[0].trace), found.period, r->most);
  if (check_trend(&found, r, e) != OK)
    return FAIL;
  const struct sample_plan plan = {.ranks = r->job[0].mapping->ranks,
                                   .iterations = found.iterations,
                                   .period = found.period,
                                   .last_differs = found.last_differs,
                                   .most = r->most,
                                   .groups = found.trend > 0 ? TREND_GROUPS : groups_of(r),
                                   .trend = found.trend > 0,
                                   .precision_s = r->options->precision_s};
  if (sampler_new(&s, &plan, e) != OK)
    return FAIL;
  const enum status status = simulate(r, &plan, s, out, e);
  sampler_free(s);
  return status;
}
