#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "campaign/place.h"
#include "campaign/settings.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "common/machine.h"
#include "common/outfile.h"
#include "common/report.h"

struct sim_args {
  const char *platform, *trace, *mapping;
  struct settings settings;
  const struct report_format *format;
};

#define AT(FIELD) offsetof(struct sim_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, as torus:8x8x8", .at = AT(platform)},
    {"trace", 't', "T", "Trace to replay", .at = AT(trace)},
    {"mapping", 'm', "MAPPING", "File or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {"per-rank", 0, "FILE", "Write end and communication time of each rank",
     .at = AT(settings.options.per_rank)},
    {"links", 0, "FILE", "Write bytes and mean utilisation of each link",
     .at = AT(settings.options.links)},
    {"timeline", 0, "FILE", "Write what each rank did when", .at = AT(settings.options.timeline)},
    {"timeline-format", 0, "FORMAT", "%s (as the ending of FILE says)", .kind = OPTION_ROW,
     .at = AT(settings.options.timeline_format), .rows = &timeline_formats},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static enum status check_timeline(struct sim_options *o, struct err *e)
{
  struct err why;
  if (o->timeline == NULL && o->timeline_format != NULL)
    return err_set(e, "--timeline-format without --timeline");
  if (o->timeline == NULL || o->timeline_format != NULL ||
      timeline_format_of(o->timeline, &o->timeline_format, &why) == OK)
    return OK;
  return err_set(e, "--timeline: %s", why.text);
}

static enum status check(void *record, struct err *e)
{
  struct sim_args *a = record;
  if (a->platform == NULL || a->trace == NULL)
    return err_set(e, "no %s given", a->platform == NULL ? "--platform" : "--trace");
  return check_timeline(&a->settings.options, e);
}
static bool is_stdout(const char *path)
{
  return path != NULL && strcmp(path, "-") == 0;
}

/* A table on standard output is to be read by a program: the report then goes elsewhere. */
static FILE *report_stream(const struct sim_options *o)
{
  return is_stdout(o->per_rank) || is_stdout(o->links) || is_stdout(o->timeline) ? stderr : stdout;
}

static void print_result(const struct sim_args *a, const struct sim_result *result)
{
  struct report r;
  report_begin(&r, report_stream(&a->settings.options), a->format);
  column_report(sim_columns, result, &r);
  if (a->settings.options.loads.count > 0)
    column_report(sim_load_columns, result, &r);
  report_end(&r);
}

static enum status simulate(const struct sim_args *a, const struct platform *p,
                            struct input_trace *t, FILE *blocked, struct err *e)
{
  struct trace *trace;
  struct program *program;
  struct mapping m;
  struct sim_result result;
  const double start = machine_seconds();
  if (input_trace_open(t, &trace, e) != OK)
    return FAIL;
  const struct place place = {.mapping = a->mapping,
                              .ranks_per_host = a->settings.ranks_per_host,
                              .ranks = trace_ranks(trace),
                              .trace = t};
  if (place_ranks(&place, p, &m, e) != OK)
    return FAIL;
  enum status s = input_trace_program(t, &program, e);
  if (s == OK) {
    s = sim_run(&a->settings.options, program, p, &m, blocked, &result, e);
    program_free(program);
  }
  mapping_clear(&m);
  if (s != OK)
    return FAIL;
  print_result(a, &result);
  fprintf(stderr, "wall time %.3f s\n", machine_seconds() - start);
  return OK;
}

static bool find_folder(const char *path, struct stat *folder)
{
  char name[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const int n = slash == NULL ? 0 : (int)(slash + 1 - path);
  return snprintf(name, sizeof name, "%.*s.", n, path) < (int)sizeof name &&
         stat(name, folder) == 0;
}

static const char *base_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* True if both outputs would be the same regular file, so that one would replace the other. */
static bool same_file(const char *a, const char *b)
{
  struct stat st, x, y;
  return a != NULL && b != NULL && strcmp(base_of(a), base_of(b)) == 0 && !is_stdout(a) &&
         (stat(a, &st) != 0 || S_ISREG(st.st_mode)) && find_folder(a, &x) && find_folder(b, &y) &&
         x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Checks the output files before the simulation, which may take long. */
static enum status check_tables(const struct sim_options *o, struct err *e)
{
  const char *const table[] = {o->per_rank, o->links, o->timeline};
  for (size_t i = 0; i < 3; i++) {
    if (same_file(table[i], table[(i + 1) % 3]))
      return err_set(e, "%s: two tables in one file", table[i]);
    if (table[i] != NULL && outfile_check(table[i], e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status run(const struct sim_args *a, FILE *blocked, struct err *e)
{
  struct platform *p;
  struct input_trace t = {.name = a->trace, .reading = &a->settings.reading};
  if (check_tables(&a->settings.options, e) != OK ||
      inputs_platform(&p, a->platform, NULL, e) != OK)
    return FAIL;
  const enum status s = simulate(a, p, &t, blocked, e);
  input_trace_clear(&t);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "Replays a trace on a platform and prints what it cost: the simulated time, the time that "
      "the ranks spend communicating, and the messages and payload bytes sent.  A table may go to "
      "standard output (-); the report then goes to standard error.",
      OPTIONS, NULL, check};
  struct sim_args a = {.mapping = "xyz", .settings = settings_defaults()};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  /* The list of blocked ranks comes after the sentence that it explains. */
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

const struct cli_command cmd_sim = {
    "sim", "replay a trace on a platform and report the simulated time", run_command};
