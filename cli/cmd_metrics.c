#include "campaign/place.h"
#include "cli/cli.h"
#include "common/report.h"
#include "mappers/metrics.h"
#include "traces/matrix/spec.h"

enum { KEY_RANKS_PER_HOST = 256, KEY_FORMAT };

static const struct argp_option OPTIONS[] = {
    {"platform", 'p', "P", 0, "Platform file or spec, as torus:8x8x8", 0},
    {"trace", 't', "T", 0, "Trace whose traffic to score", 0},
    {"matrix", 'm', "M", 0, "Traffic matrix to score", 0},
    {"ranks-per-host", KEY_RANKS_PER_HOST, "K", 0, "Ranks that a host takes (1)", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "tsv or json (tsv)", 0},
    {0},
};

struct metrics_args {
  const char *platform, *trace, *matrix, *mapping;
  uint32_t ranks_per_host; /* 0: not given */
  struct reading reading;
  enum report_format format;
};

static void check_args(struct argp_state *state, struct metrics_args *a)
{
  if (a->platform == NULL)
    argp_error(state, "no --platform given");
  else if ((a->trace != NULL) == (a->matrix != NULL))
    argp_error(state, "give one of --trace and --matrix");
  if (a->mapping == NULL)
    a->mapping = "xyz";
}

static error_t parse_rest(int key, char *arg, struct argp_state *state)
{
  struct metrics_args *a = state->input;
  if (key == ARGP_KEY_INIT)
    state->child_inputs[0] = &a->reading;
  else if (key == KEY_RANKS_PER_HOST)
    a->ranks_per_host = (uint32_t)cli_number(state, "--ranks-per-host", arg, 1, 1u << 20);
  else if (key == KEY_FORMAT)
    cli_report_format(state, &a->format, arg);
  else if (key == ARGP_KEY_ARG)
    cli_operand(state, &a->mapping, arg);
  else if (key == ARGP_KEY_END)
    check_args(state, a);
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct metrics_args *a = state->input;
  switch (key) {
  case 'p':
    a->platform = arg;
    return 0;
  case 't':
    a->trace = arg;
    return 0;
  case 'm':
    a->matrix = arg;
    return 0;
  default:
    return parse_rest(key, arg, state);
  }
}

static void print(const struct metrics_args *a, const struct metrics *m)
{
  struct report r;
  report_begin(&r, stdout, a->format);
  report_u64(&r, "pairs", m->pairs);
  report_u64(&r, "bytes", m->bytes);
  column_report(metrics_columns, m, &r);
  report_end(&r);
}

static enum status score(const struct metrics_args *a, const struct platform *p,
                         const struct matrix *traffic, struct err *e)
{
  const struct topology *t;
  const struct place place = {.mapping = a->mapping,
                              .ranks_per_host = a->ranks_per_host,
                              .ranks = traffic->ranks,
                              .traffic = traffic};
  struct mapping mapping;
  struct metrics m;
  if (platform_need_topology(p, "metrics", &t, e) != OK ||
      place_ranks(&place, p, &mapping, e) != OK)
    return FAIL;
  const enum status s = metrics_compute(&m, t, &mapping, traffic, e);
  mapping_clear(&mapping);
  if (s == OK)
    print(a, &m);
  return s;
}

static enum status run(const struct metrics_args *a, struct err *e)
{
  struct platform *p;
  struct input_trace t = {.name = a->trace, .reading = &a->reading};
  struct matrix own = {0};
  const struct matrix *traffic = &own;
  if (inputs_platform(&p, a->platform, NULL, e) != OK)
    return FAIL;
  enum status s = a->matrix != NULL ? matrix_spec_open(&own, a->matrix, e)
                                    : input_trace_traffic(&t, &traffic, e);
  if (s == OK)
    s = score(a, p, traffic, e);
  matrix_clear(&own);
  input_trace_clear(&t);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct argp_child CHILDREN[] = {{&cli_reading_argp, 0, NULL, 0}, {0}};
  static const struct argp ARGP = {
      OPTIONS,
      parse,
      "[MAPPING]",
      "Scores a mapping (a file or a mapper spec; xyz) by arithmetic alone: how far the bytes "
      "go and how they load the links, on the routes that SimGrid simulates.",
      CHILDREN,
      NULL,
      NULL};
  struct metrics_args a = {.reading = reading_defaults()};
  struct err e;
  cli_parse(&ARGP, argc, argv, &a);
  return run(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_metrics = {
    "metrics", "score a mapping: hop-bytes, dilation, link load, cardinality", run_command};
