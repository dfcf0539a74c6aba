#include <stdlib.h>

#include "cli/cli.h"
#include "cli/explain/derivatives.h"
#include "cli/explain/scenes.h"
#include "cli/explain/sides.h"
#include "cli/explain/stretches.h"
#include "cli/explain/tables.h"
#include "cli/explain/what_if.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "common/report.h"
#include "setup/jobs.h"
#include "setup/settings.h"
#include "sim/explain/explained.h"
#include "sim/output/scene.h"

struct explain_args {
  const char *platform, *trace, *mapping, *against;
  const char *path, *derivatives, *timeline, *use, *curve; /* files to write; NULL: none */
  const struct timeline_format *format;                    /* of the timeline */
  struct settings settings;
  struct job_specs jobs;
  uint32_t top;
  bool what_if;
};

#define AT(FIELD) offsetof(struct explain_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, such as torus:8x8x8", .at = AT(platform),
     .required = true},
    {"trace", 't', "T", "Trace to replay", .at = AT(trace)},
    {"job", 0, "JOB",
     "Instead of --trace; may be repeated: TRACE[,mapping=M][,hosts=0-63+HOST][,start=S][,repeat]",
     .kind = OPTION_PARSE, .parse = settings_parse_job, .at = AT(jobs), .several = true},
    {"mapping", 'm', "MAPPING", "File or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {"mapper", 0, "M", "--mapping (-m) takes a mapper spec, as greedy, or a file of a mapping",
     .kind = OPTION_HINT},
    {"against", 0, "MAPPING", "Explain the difference between --mapping and this second mapping",
     .at = AT(against), .needs = "trace",
     .excludes = "path derivatives what-if latency-curve timeline use"},
    {"path", 0, "FILE", "Write each stretch of the critical path (.csv: as a timeline)",
     .at = AT(path), .writes = true},
    {"derivatives", 0, "FILE",
     "Write the derivatives of the time by each bandwidth, latency and host speed",
     .at = AT(derivatives), .writes = true},
    {"what-if", 0, NULL,
     "Simulate a faster network, faster hosts, faster links and longer latencies, and print the "
     "changes up to which the derivatives hold",
     .kind = OPTION_FLAG, .at = AT(what_if), .needs = "trace"},
    {"latency-curve", 0, "FILE",
     "Write the simulated time as a function of a factor on all latencies", .at = AT(curve),
     .writes = true, .needs = "trace"},
    {"timeline", 0, "FILE",
     "Write ranks, messages, the critical path and the use of links over time", .at = AT(timeline),
     .writes = true},
    {"use", 0, "FILE", "Write the use of the links with most contention over time (.csv)",
     .at = AT(use), .writes = true},
    {"timeline-format", 0, "FORMAT",
     "Format of --timeline: paje or chrome (by the extension of its FILE)", .kind = OPTION_ROW,
     .at = AT(format), .rows = &timeline_formats, .needs = "timeline"},
    {"top", 0, "N", "Rows of each table (10)", .kind = OPTION_U32, .at = AT(top), .min = 1,
     .max = UINT32_MAX},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

/* Files to write, at most. */
enum { FILES = 5 };

static enum status check(void *record, struct err *e)
{
  struct explain_args *a = record;
  if (cli_check_programs(a->trace, &a->jobs, e) != OK)
    return FAIL;
  const char *const file[FILES] = {a->path, a->derivatives, a->timeline, a->use, a->curve};
  if (outfile_check_distinct(file, FILES, e) != OK)
    return FAIL;
  if (options_timeline(a->timeline, &a->format, e) != OK)
    return FAIL;
  if (a->timeline != NULL && scene_check(a->format, e) != OK)
    return err_prefix(e, "--timeline: ");
  if (a->trace != NULL)
    a->jobs.job[a->jobs.count++] = (struct job_spec){.trace = a->trace};
  return OK;
}

/* --- a run ------------------------------------------------------------------------------------ */

static enum status write_derivatives(const struct explain_args *a, const struct tables *t,
                                     const struct adjoint *d, FILE *f, struct err *e)
{
  struct outfile out;
  if (outfile_open(&out, a->derivatives, e) != OK)
    return FAIL;
  derivatives_print_all(d, t, out.f);
  return outfile_commit(&out, e) == OK ? derivatives_print(d, t, f, e) : FAIL;
}

static enum status write_timeline(const struct explain_args *a, const struct tables *t,
                                  const struct explained *x, const struct stretches *all,
                                  struct err *e)
{
  struct outfile out;
  if (outfile_open(&out, a->timeline, e) != OK)
    return FAIL;
  return outfile_end(&out, scenes_print(x, all, t, a->format, out.f, e), e);
}

static enum status write_curve(const struct what_if *w, const char *path, struct err *e)
{
  struct outfile out;
  if (outfile_open(&out, path, e) != OK)
    return FAIL;
  return outfile_end(&out, what_if_write_curve(w, out.f, e), e);
}

static enum status print(const struct explain_args *a, const struct platform *p,
                         const struct explained *x, const struct stretches *all,
                         const struct sim_job *job, FILE *blocked, struct err *e)
{
  struct tables t = {.platform = p, .causes = x->causes, .path = &x->path, .most = a->top};
  const char *const tables[FILES] = {a->path, a->derivatives, a->timeline, a->use, a->curve};
  FILE *f = cli_report_stream(tables, FILES);
  struct report r;
  enum status s = tables_begin(&t, e);
  if (s == OK && a->path != NULL)
    s = stretches_write(all, &t, a->path, e);
  if (s == OK && a->use != NULL)
    s = scenes_write_use(x, &t, a->use, e);
  if (s == OK && a->timeline != NULL)
    s = write_timeline(a, &t, x, all, e);
  if (s == OK) {
    report_begin(&r, f, &report_tsv);
    report_double(&r, "simulated_time_s", (double)x->path.time_s);
    report_u64(&r, "stretches", x->path.stretches);
    report_end(&r);
    s = tables_print(&t, f, e);
    if (s == OK && a->derivatives != NULL)
      s = write_derivatives(a, &t, &x->derivatives, f, e);
    const struct what_if w = {x, &t, &a->settings.options, job, blocked};
    if (s == OK && a->what_if)
      s = what_if_print(&w, f, e);
    if (s == OK && a->curve != NULL)
      s = write_curve(&w, a->curve, e);
  }
  free(t.link);
  return s;
}

static enum status explain(const struct explain_args *a, const struct platform *p,
                           const struct placed_job *placed, FILE *blocked, struct err *e)
{
  struct sim_job job[JOBS_MOST];
  struct stretches all = {0};
  struct explained x;
  const struct explained_options o = {
      .stretch = a->path == NULL && a->timeline == NULL ? NULL : stretches_keep,
      .data = &all,
      .derivatives = a->derivatives != NULL || a->what_if || a->curve != NULL,
      .chronicle = a->timeline != NULL || a->use != NULL};
  for (size_t i = 0; i < a->jobs.count; i++)
    job[i] = placed[i].job;
  enum status s = explained_run(&x, &a->settings.options, job, a->jobs.count, p, blocked, &o, e);
  if (s == OK)
    s = print(a, p, &x, &all, job, blocked, e);
  explained_clear(&x);
  free(all.at);
  return s;
}

static enum status place(const struct explain_args *a, const struct platform *p, FILE *blocked,
                         struct err *e)
{
  struct placed_job placed[JOBS_MOST];
  const struct job_defaults d = settings_placement(&a->settings, a->mapping);
  bool shared = false;
  const bool one = a->trace != NULL;
  enum status s = one ? job_place(&placed[0], &a->jobs.job[0], &d, p, e)
                      : jobs_place(placed, &a->jobs, NULL, &d, p, &shared, e);
  for (size_t i = 0; i < a->jobs.count && s == OK; i++)
    cli_note_moved(a->jobs.job[i].mapping == NULL ? a->mapping : a->jobs.job[i].mapping,
                   placed[i].moved);
  if (s == OK)
    cli_note_cores(p, placed, a->jobs.count, &a->settings.options);
  if (s == OK)
    s = explain(a, p, placed, blocked, e);
  if (one)
    placed_job_clear(&placed[0]);
  else
    placed_jobs_clear(placed, &a->jobs);
  return s;
}

/* --- the command ------------------------------------------------------------------------------ */

static enum status explain_both(const struct explain_args *a, const struct platform *p,
                                FILE *blocked, struct err *e)
{
  const struct sides_args two = {.platform = p,
                                 .settings = &a->settings,
                                 .trace = a->trace,
                                 .mapping = {a->mapping, a->against},
                                 .top = a->top,
                                 .blocked = blocked};
  return sides_explain(&two, stdout, stdout, e);
}

static enum status run(const void *args, FILE *blocked, struct err *e)
{
  const struct explain_args *a = args;
  struct platform *p;
  if (outfile_check(a->path, e) != OK || outfile_check(a->derivatives, e) != OK ||
      outfile_check(a->timeline, e) != OK || outfile_check(a->use, e) != OK ||
      outfile_check(a->curve, e) != OK || settings_platform(&p, a->platform, &a->settings, e) != OK)
    return FAIL;
  cli_note_firewalls(p, &a->settings.options);
  enum status s = a->what_if || a->curve != NULL ? what_if_check(p, e) : OK;
  if (s == OK)
    s = a->against != NULL ? explain_both(a, p, blocked, e) : place(a, p, blocked, e);
  if (s == OK)
    cli_note_coverage(p, a->settings.options.coverage);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "Replays a trace on a platform and explains the simulated time: walks back from the end of "
      "the last rank along the events that each date depends on, and prints where the time goes, "
      "by cause, link, pair of ranks, MPI call, rank and iteration.",
      OPTIONS, NULL, check};
  struct explain_args a = {.mapping = "xyz", .settings = cli_settings(false), .top = 10};
  struct coverage coverage = {0};
  options_parse(&USAGE, argc, argv, &a);
  a.settings.options.coverage = &coverage;
  return cli_simulate(run, &a);
}

const struct cli_command cmd_explain = {
    "explain", "show where the simulated time goes: the critical path and its causes", run_command};
