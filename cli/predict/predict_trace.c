/* haichi predict --trace: predicts the time of the whole run from a sample of iterations. */
#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/predict/predict.h"
#include "common/files/outfile.h"
#include "common/process/machine.h"
#include "predict/sample/sample.h"
#include "setup/jobs.h"
#include "setup/runs/alone.h"

static void print_forecast(const struct predict_args *a, const struct forecast *x, double whole)
{
  struct report r;
  report_begin(&r, stdout, a->format);
  report_double(&r, "predicted_time_s", x->time_s);
  report_double(&r, "predicted_low_s", x->time_s - x->half_s);
  report_double(&r, "predicted_high_s", x->time_s + x->half_s);
  report_double(&r, "level", 0.95);
  report_double(&r, "iteration_time_s", x->iteration_s);
  report_u64(&r, "iterations_simulated", x->simulated);
  report_u64(&r, "iterations", x->iterations);
  report_u64(&r, "settled_from", x->settled_from);
  if (a->check) {
    report_double(&r, "simulated_time_s", whole);
    report_double(&r, "error", x->time_s / whole - 1);
    report_text(&r, "within_interval", fabs(x->time_s - whole) <= x->half_s ? "yes" : "no");
  }
  report_end(&r);
}

static enum status predict(const struct predict_args *a, const struct platform *p,
                           const struct sim_job *job, FILE *blocked, struct err *e)
{
  const struct sample_run run = {.options = &a->settings.options,
                                 .platform = p,
                                 .job = job,
                                 .jobs = 1,
                                 .most = predict_sample(a),
                                 .series = a->series,
                                 .blocked = blocked};
  struct forecast x;
  double whole = NAN;
  const double start = machine_seconds();
  if (a->check && job_time_loaded(&a->settings.options, p, job, blocked, &whole, e) != OK)
    return FAIL;
  const double middle = machine_seconds();
  if (sample_predict(&run, &x, e) != OK)
    return FAIL;
  print_forecast(a, &x, whole);
  fprintf(stderr, "wall time %.3f s", machine_seconds() - middle);
  if (a->check)
    fprintf(stderr, ", of the whole run %.3f s", middle - start);
  fputc('\n', stderr);
  return OK;
}

enum status predict_trace(const struct predict_args *a, const struct platform *p, FILE *blocked,
                          struct err *e)
{
  const struct job_spec spec = {.trace = a->trace};
  const char *mapping = a->mapping == NULL ? "xyz" : a->mapping;
  const struct job_defaults d = settings_placement(&a->settings, mapping);
  struct placed_job j;
  if (outfile_check(a->series, e) != OK)
    return FAIL;
  enum status s = job_place(&j, &spec, &d, p, e);
  if (s == OK) {
    cli_note_moved(mapping, j.moved);
    cli_note_cores(p, &j, 1, &a->settings.options);
    s = predict(a, p, &j.job, blocked, e);
  }
  placed_job_clear(&j);
  return s;
}
