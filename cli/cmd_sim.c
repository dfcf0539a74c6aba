#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "campaign/place.h"
#include "campaign/settings.h"
#include "cli/cli.h"
#include "common/outfile.h"
#include "common/report.h"

enum { KEY_PER_RANK = 256, KEY_LINKS, KEY_TIMELINE, KEY_TIMELINE_FORMAT, KEY_FORMAT };

static const struct argp_option OPTIONS[] = {
    {"platform", 'p', "P", 0, "Platform file or spec, as torus:8x8x8", 0},
    {"trace", 't', "T", 0, "Trace to replay", 0},
    {"mapping", 'm', "MAPPING", 0, "File or mapper spec, as random:seed=3 (xyz)", 0},
    {"per-rank", KEY_PER_RANK, "FILE", 0, "Write end and communication time of each rank", 0},
    {"links", KEY_LINKS, "FILE", 0, "Write bytes and mean utilisation of each link", 0},
    {"timeline", KEY_TIMELINE, "FILE", 0, "Write what each rank did when", 0},
    {"timeline-format", KEY_TIMELINE_FORMAT, "FORMAT", 0,
     "By default as the ending of FILE says:", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "tsv or json (tsv)", 0},
    {0},
};

struct sim_args {
  const char *platform, *trace, *mapping;
  struct settings settings;
  enum report_format format;
};

/* Where the text of an option goes that needs no check; NULL for the others. */
static const char **text_place(struct sim_args *a, int key)
{
  switch (key) {
  case 'p':
    return &a->platform;
  case 't':
    return &a->trace;
  case 'm':
    return &a->mapping;
  case KEY_PER_RANK:
    return &a->settings.options.per_rank;
  case KEY_LINKS:
    return &a->settings.options.links;
  case KEY_TIMELINE:
    return &a->settings.options.timeline;
  default:
    return NULL;
  }
}

static void parse_timeline_format(struct sim_args *a, const char *text,
                                  const struct argp_state *state)
{
  struct err e;
  if (timeline_format_find(text, &a->settings.options.timeline_format, &e) != OK)
    argp_error(state, "--timeline-format: %s", e.text);
}

static void check_timeline(const struct argp_state *state, struct sim_options *o)
{
  struct err e;
  if (o->timeline == NULL && o->timeline_format != NULL)
    argp_error(state, "--timeline-format without --timeline");
  else if (o->timeline != NULL && o->timeline_format == NULL &&
           timeline_format_of(o->timeline, &o->timeline_format, &e) != OK)
    argp_error(state, "--timeline: %s", e.text);
}

static void check_args(const struct argp_state *state, struct sim_args *a)
{
  if (a->platform == NULL)
    argp_error(state, "no --platform given");
  else if (a->trace == NULL)
    argp_error(state, "no --trace given");
  check_timeline(state, &a->settings.options);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct sim_args *a = state->input;
  const char **place = text_place(a, key);
  if (place != NULL)
    *place = arg;
  else if (key == KEY_FORMAT)
    cli_report_format(state, &a->format, arg);
  else if (key == KEY_TIMELINE_FORMAT)
    parse_timeline_format(a, arg, state);
  else if (key == ARGP_KEY_INIT)
    state->child_inputs[0] = &a->settings;
  else if (key == ARGP_KEY_ARG)
    argp_error(state, "'%s' is one operand too many", arg);
  else if (key == ARGP_KEY_END)
    check_args(state, a);
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
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
  report_end(&r);
}

static double wall_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum status simulate(const struct sim_args *a, const struct platform *p,
                            struct input_trace *t, FILE *blocked, struct err *e)
{
  struct trace *trace;
  struct program *program;
  struct mapping m;
  struct sim_result result;
  const double start = wall_time();
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
  fprintf(stderr, "wall time %.3f s\n", wall_time() - start);
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

/* One would take the place of the other. */
static bool same_file(const char *a, const char *b)
{
  struct stat st, x, y;
  return a != NULL && b != NULL && strcmp(base_of(a), base_of(b)) == 0 && !is_stdout(a) &&
         (stat(a, &st) != 0 || S_ISREG(st.st_mode)) && find_folder(a, &x) && find_folder(b, &y) &&
         x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Before the work, not after it. */
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

/* "csv (.csv), paje (.paje, .trace), ...". */
static char *describe_timeline_formats(void)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  const struct timeline_format *t;
  if (f == NULL)
    return NULL;
  for (size_t i = 0; (t = timeline_format_at(i)) != NULL; i++) {
    fprintf(f, "%s%s (", i == 0 ? "" : ", ", t->name);
    for (size_t k = 0; t->endings[k] != NULL; k++)
      fprintf(f, "%s%s", k == 0 ? "" : ", ", t->endings[k]);
    fputc(')', f);
  }
  fputs("; by default as the ending of FILE says", f);
  fclose(f);
  return text;
}

static char *filter_help(int key, const char *text, void *input)
{
  (void)input;
  return key == KEY_TIMELINE_FORMAT ? describe_timeline_formats() : (char *)text;
}

static int run_command(int argc, char **argv)
{
  static const struct argp_child CHILDREN[] = {{&cli_settings_argp, 0, NULL, 0}, {0}};
  static const struct argp ARGP = {
      OPTIONS,
      parse,
      NULL,
      "Replays a trace on a platform and prints what it cost: the simulated time, the time that "
      "the ranks spend communicating, and the messages and payload bytes sent.  A table may go to "
      "standard output (-); the report then goes to standard error.",
      CHILDREN,
      filter_help,
      NULL};
  struct sim_args a = {.mapping = "xyz", .settings = settings_defaults()};
  struct err e;
  cli_parse(&ARGP, argc, argv, &a);
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
