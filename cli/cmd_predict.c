#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "campaign/alone.h"
#include "campaign/jobs.h"
#include "campaign/settings.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "common/machine.h"
#include "predict/sample/sample.h"

struct predict_args {
  const char *platform, *trace, *mapping, *series;
  uint64_t sample;
  bool check;
  struct settings settings;
  const struct report_format *format;
};

#define AT(FIELD) offsetof(struct predict_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, as torus:8x8x8", .at = AT(platform)},
    {"trace", 't', "T", "Trace to sample", .at = AT(trace)},
    {"sample", 'n', "N", "Iterations to simulate at most (10)", .kind = OPTION_U64,
     .at = AT(sample), .min = 4, .max = UINT32_MAX},
    {"check", 0, NULL, "Simulate the whole run too, and print the error of the prediction",
     .kind = OPTION_FLAG, .at = AT(check)},
    {"series", 0, "FILE", "Write when each simulated iteration began and how long it took",
     .at = AT(series)},
    {"mapping", 'm', "MAPPING", "File or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static enum status check_args(void *record, struct err *e)
{
  const struct predict_args *a = record;
  if (a->platform == NULL || a->trace == NULL)
    return err_set(e, "no %s given", a->platform == NULL ? "--platform" : "--trace");
  return OK;
}

static void print_estimate(const struct predict_args *a, const struct estimate *x, double whole)
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
                                 .most = a->sample,
                                 .series = a->series,
                                 .blocked = blocked};
  struct estimate x;
  double whole = NAN;
  const double start = machine_seconds();
  if (a->check && job_time_loaded(&a->settings.options, p, job, blocked, &whole, e) != OK)
    return FAIL;
  const double middle = machine_seconds();
  if (sample_predict(&run, &x, e) != OK)
    return FAIL;
  print_estimate(a, &x, whole);
  fprintf(stderr, "wall time %.3f s", machine_seconds() - middle);
  if (a->check)
    fprintf(stderr, ", of the whole run %.3f s", middle - start);
  fputc('\n', stderr);
  return OK;
}

static enum status place(const struct predict_args *a, const struct platform *p, FILE *blocked,
                         struct err *e)
{
  const struct job_spec spec = {.trace = a->trace};
  const struct job_defaults d = {.mapping = a->mapping,
                                 .ranks_per_host = a->settings.ranks_per_host,
                                 .reading = &a->settings.reading};
  struct placed_job j;
  enum status s = job_place(&j, &spec, &d, p, e);
  if (s == OK) {
    cli_note_moved(a->mapping, j.moved);
    s = predict(a, p, &j.job, blocked, e);
  }
  placed_job_clear(&j);
  return s;
}

static enum status run(const struct predict_args *a, FILE *blocked, struct err *e)
{
  struct platform *p;
  if (inputs_platform(&p, a->platform, NULL, e) != OK)
    return FAIL;
  const enum status s = place(a, p, blocked, e);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "Predicts the time of a program from a simulation of a few iterations of its main loop.",
      OPTIONS, NULL, check_args};
  struct predict_args a = {.mapping = "xyz", .sample = 10, .settings = settings_defaults()};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  FILE *blocked = tmpfile();
  if (blocked == NULL) {
    err_errno(&e, "temporary file", "cannot create");
    return cli_fail(&e);
  }
  const int code = run(&a, blocked, &e) == OK ? CLI_OK : cli_fail(&e);
  rewind(blocked);
  for (int c; (c = fgetc(blocked)) != EOF;)
    fputc(c, stderr);
  fclose(blocked);
  return code;
}

const struct cli_command cmd_predict = {
    "predict", "predict the time of a program from a few of its iterations", run_command};
