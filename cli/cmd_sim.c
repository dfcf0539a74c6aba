#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/process/machine.h"
#include "common/report.h"
#include "setup/jobs.h"
#include "setup/runs/alone.h"
#include "setup/settings.h"

struct sim_args {
  const char *platform, *trace, *mapping;
  struct settings settings;
  struct job_specs jobs;
  const struct report_format *format;
};

#define AT(FIELD) offsetof(struct sim_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, such as torus:8x8x8", .at = AT(platform)},
    {"trace", 't', "T", "Trace to replay", .at = AT(trace)},
    {"job", 0, "JOB",
     "Instead of --trace; may be repeated: TRACE[,mapping=M][,hosts=0-63+HOST][,start=S][,repeat]",
     .kind = OPTION_PARSE, .parse = settings_parse_job, .at = AT(jobs), .several = true},
    {"mapping", 'm', "MAPPING", "File or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {"mapper", 0, "M", "--mapping (-m) takes a mapper spec, as greedy, or a file of a mapping",
     .kind = OPTION_HINT},
    {"per-rank", 0, "FILE", "Write end and communication time of each rank",
     .at = AT(settings.options.per_rank), .writes = true},
    {"links", 0, "FILE", "Write bytes and mean utilisation of each link",
     .at = AT(settings.options.links), .writes = true},
    {"timeline", 0, "FILE", "Write a timeline of the ranks", .at = AT(settings.options.timeline),
     .writes = true},
    {"timeline-format", 0, "FORMAT", "Format of --timeline: %s (by the extension of its FILE)",
     .kind = OPTION_ROW, .at = AT(settings.options.timeline_format), .rows = &timeline_formats,
     .needs = "timeline"},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static enum status check(void *record, struct err *e)
{
  struct sim_args *a = record;
  if (a->platform == NULL)
    return err_set(e, "no --platform given");
  if (cli_check_programs(a->trace, &a->jobs, e) != OK)
    return FAIL;
  struct sim_options *o = &a->settings.options;
  return options_timeline(o->timeline, &o->timeline_format, e);
}

static FILE *report_stream(const struct sim_options *o)
{
  return cli_report_stream((const char *const[]){o->per_rank, o->links, o->timeline}, 3);
}

static void print_result(const struct sim_args *a, const struct sim_result *result)
{
  struct report r;
  report_begin(&r, report_stream(&a->settings.options), a->format);
  column_report(sim_columns, result, &r);
  if (a->settings.options.loads.count > 0)
    column_report(sim_load_columns, result, &r);
  if (a->settings.options.overlay.kind != NULL)
    column_report(sim_overlay_columns, result, &r);
  report_end(&r);
}

/* --- several jobs ----------------------------------------------------------------------------- */

static void print_job(struct report *r, size_t i, const struct job_spec *s,
                      const struct sim_result *x, double alone)
{
  char name[32];
  const bool whole = !s->repeat || x->runs > 0;
  const double time = whole ? x->simulated_time_s : NAN;
  snprintf(name, sizeof name, "job_%zu", i);
  report_text(r, name, s->trace);
  snprintf(name, sizeof name, "job_%zu_", i);
  r->prefix = name;
  report_double(r, "start_s", s->start_s);
  report_double(r, "simulated_time_s", time);
  report_double(r, "alone_s", alone);
  report_double(r, "slowdown", time / alone);
  report_double(r, "communication_time_mean_s", whole ? x->communication_time_mean_s : NAN);
  report_double(r, "communication_time_max_s", whole ? x->communication_time_max_s : NAN);
  report_u64(r, "messages", x->messages);
  report_u64(r, "bytes", x->bytes);
  if (s->repeat)
    report_u64(r, "runs", x->runs);
  r->prefix = NULL;
}

static void print_jobs(const struct sim_args *a, const struct sim_result *x, const double *alone)
{
  struct report r;
  double end = 0;
  bool load = a->settings.options.loads.count > 0;
  for (size_t i = 0; i < a->jobs.count; i++) {
    const struct job_spec *s = &a->jobs.job[i];
    load = load || s->repeat;
    end = s->repeat ? end : fmax(end, s->start_s + x[i].simulated_time_s);
  }
  report_begin(&r, report_stream(&a->settings.options), a->format);
  report_double(&r, "simulated_time_s", end);
  for (size_t i = 0; i < a->jobs.count; i++)
    print_job(&r, i, &a->jobs.job[i], &x[i], alone[i]);
  if (load)
    column_report(sim_load_columns, &x[0], &r);
  if (a->settings.options.overlay.kind != NULL)
    column_report(sim_overlay_columns, &x[0], &r);
  report_end(&r);
}

static enum status run_jobs(const struct sim_args *a, const struct platform *p,
                            const struct placed_job *placed, FILE *blocked, struct err *e)
{
  struct sim_job job[JOBS_MOST];
  struct sim_result result[JOBS_MOST];
  double alone[JOBS_MOST];
  for (size_t i = 0; i < a->jobs.count; i++) {
    job[i] = placed[i].job;
    if (job_time_alone(&a->settings.options, p, &job[i], blocked, &alone[i], e) != OK)
      return FAIL;
  }
  if (sim_run(&a->settings.options, job, a->jobs.count, p, blocked, result, e) != OK)
    return FAIL;
  for (size_t i = 0; i < a->jobs.count; i++)
    cli_print_notes(job[i].trace);
  print_jobs(a, result, alone);
  return OK;
}

static enum status place_jobs(const struct sim_args *a, const struct platform *p,
                              struct placed_job *placed, FILE *blocked, struct err *e)
{
  const struct job_defaults d = settings_placement(&a->settings, a->mapping);
  bool shared;
  enum status s = jobs_place(placed, &a->jobs, NULL, &d, p, &shared, e);
  for (size_t i = 0; i < a->jobs.count && s == OK; i++)
    cli_note_moved(a->jobs.job[i].mapping == NULL ? a->mapping : a->jobs.job[i].mapping,
                   placed[i].moved);
  if (s == OK && shared)
    fputs("haichi: note: the jobs have more ranks than the platform takes: some share hosts\n",
          stderr);
  if (s == OK)
    cli_note_cores(p, placed, a->jobs.count, &a->settings.options);
  if (s == OK)
    s = run_jobs(a, p, placed, blocked, e);
  placed_jobs_clear(placed, &a->jobs);
  return s;
}

/* --- one program ------------------------------------------------------------------------------ */

static enum status simulate(const struct sim_args *a, const struct platform *p, FILE *blocked,
                            struct err *e)
{
  const struct job_spec spec = {.trace = a->trace};
  const struct job_defaults d = settings_placement(&a->settings, a->mapping);
  struct placed_job j;
  struct sim_result result;
  enum status s = job_place(&j, &spec, &d, p, e);
  if (s == OK) {
    cli_note_moved(a->mapping, j.moved);
    cli_note_cores(p, &j, 1, &a->settings.options);
    s = sim_run(&a->settings.options, &j.job, 1, p, blocked, &result, e);
  }
  if (s == OK) {
    cli_print_notes(j.job.trace);
    print_result(a, &result);
  }
  placed_job_clear(&j);
  return s;
}

static enum status run(const void *args, FILE *blocked, struct err *e)
{
  const struct sim_args *a = args;
  struct platform *p;
  struct placed_job placed[JOBS_MOST];
  if (sim_check_outputs(&a->settings.options, e) != OK ||
      settings_platform(&p, a->platform, &a->settings, e) != OK)
    return FAIL;
  const double start = machine_seconds();
  cli_note_firewalls(p, &a->settings.options);
  const enum status s =
      a->jobs.count > 0 ? place_jobs(a, p, placed, blocked, e) : simulate(a, p, blocked, e);
  if (s == OK)
    cli_note_coverage(p, a->settings.options.coverage);
  platform_free(p);
  if (s == OK)
    fprintf(stderr, "wall time %.3f s\n", machine_seconds() - start);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "Replays a trace on a platform and prints the simulated time, the time that the ranks spend "
      "communicating, and the messages and payload bytes sent.  A table may go to standard output "
      "(-); the report then goes to standard error.",
      OPTIONS, NULL, check};
  struct sim_args a = {.mapping = "xyz", .settings = cli_settings(false)};
  struct coverage coverage = {0};
  options_parse(&USAGE, argc, argv, &a);
  a.settings.options.coverage = &coverage;
  return cli_simulate(run, &a);
}

const struct cli_command cmd_sim = {
    "sim", "replay a trace on a platform and report the simulated time", run_command};
