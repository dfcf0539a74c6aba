#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/place.h"
#include "cli/report.h"
#include "common/num.h"
#include "sim/sim.h"

enum {
  KEY_RANKS_PER_HOST = 256,
  KEY_COLLECTIVE,
  KEY_ENGINE,
  KEY_EAGER,
  KEY_SCALE,
  KEY_PER_RANK,
  KEY_LINKS,
  KEY_PRECISION,
  KEY_FORMAT
};

static const struct argp_option OPTIONS[] = {
    {"platform", 'p', "P", 0, "Platform file or spec, as torus:8x8x8", 0},
    {"trace", 't', "T", 0, "Trace to replay", 0},
    {"mapping", 'm', "MAPPING", 0, "Hostfile or mapper spec, as random:seed=3 (xyz)", 0},
    {"ranks-per-host", KEY_RANKS_PER_HOST, "K", 0, "Ranks that a host takes (1)", 0},
    {"model", 'M', "MODEL", 0, "Network model: smpi, lv08 or cm02 (smpi)", 0},
    {"engine", KEY_ENGINE, "ENGINE", 0, "What simulates (see haichi list engines)", 0},
    {"collective", KEY_COLLECTIVE, "NAME=ALG", 0,
     "Algorithm of a collective (see haichi list collectives)", 0},
    {"eager-threshold", KEY_EAGER, "BYTES", 0,
     "Start smaller messages without waiting for the receive (0)", 0},
    {"compute-scale", KEY_SCALE, "X", 0,
     "Factor on computations and sleeps; 0: communication only (1)", 0},
    {"precision", KEY_PRECISION, "S", 0,
     "Merge events closer than this, in seconds: SimGrid's surf/precision (1e-9)", 0},
    {"per-rank", KEY_PER_RANK, "FILE", 0, "Write end and communication time of each rank", 0},
    {"links", KEY_LINKS, "FILE", 0, "Write bytes and mean utilisation of each link", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "tsv or json (tsv)", 0},
    {0},
};

struct sim_args {
  const char *platform, *trace, *mapping;
  uint32_t ranks_per_host; /* 0: not given */
  struct collectives collectives;
  struct sim_options options;
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
    return &a->options.per_rank;
  case KEY_LINKS:
    return &a->options.links;
  default:
    return NULL;
  }
}

static error_t parse_checked(int key, const char *arg, struct argp_state *state)
{
  struct sim_args *a = state->input;
  struct err e;
  enum status s = OK;
  switch (key) {
  case 'M':
    s = sim_model_find(arg, &a->options.model, &e);
    break;
  case KEY_ENGINE:
    s = engine_find(arg, &a->options.engine, &e);
    break;
  case KEY_SCALE:
    s = num_double(arg, 0, 1e12, &a->options.compute_scale, &e);
    break;
  case KEY_PRECISION:
    s = num_double(arg, 1e-15, 1, &a->options.precision_s, &e);
    break;
  case KEY_FORMAT:
    s = report_parse_format(arg, &a->format, &e);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  if (s != OK)
    argp_error(state, "%s", e.text);
  return 0;
}

static void check_args(struct argp_state *state, const struct sim_args *a)
{
  if (a->platform == NULL)
    argp_error(state, "no --platform given");
  else if (a->trace == NULL)
    argp_error(state, "no --trace given");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct sim_args *a = state->input;
  const char **place = text_place(a, key);
  if (place != NULL)
    *place = arg;
  else if (key == KEY_COLLECTIVE)
    cli_collective(state, &a->collectives, arg);
  else if (key == KEY_RANKS_PER_HOST)
    a->ranks_per_host = (uint32_t)cli_number(state, "--ranks-per-host", arg, 1, 1u << 20);
  else if (key == KEY_EAGER)
    a->options.eager_threshold = cli_number(state, "--eager-threshold", arg, 0, INT64_MAX);
  else if (key == ARGP_KEY_END)
    check_args(state, a);
  else
    return parse_checked(key, arg, state);
  return 0;
}

static void print_result(const struct sim_args *a, const struct sim_result *result)
{
  struct report r;
  report_begin(&r, stdout, a->format);
  report_double(&r, "simulated_time_s", result->simulated_time_s);
  report_double(&r, "communication_time_mean_s", result->communication_time_mean_s);
  report_double(&r, "communication_time_max_s", result->communication_time_max_s);
  report_u64(&r, "messages", result->messages);
  report_u64(&r, "bytes", result->bytes);
  report_end(&r);
}

static double wall_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum status simulate(const struct sim_args *a, const struct platform *p,
                            struct program *program, FILE *blocked, struct err *e)
{
  struct mapping m;
  struct sim_result result;
  const double start = wall_time();
  const struct place place = {.mapping = a->mapping,
                              .ranks_per_host = a->ranks_per_host,
                              .ranks = program_ranks(program),
                              .trace = a->trace,
                              .collectives = &a->collectives};
  if (place_ranks(&place, p, &m, e) != OK)
    return FAIL;
  const enum status s = sim_run(&a->options, program, p, &m, blocked, &result, e);
  mapping_clear(&m);
  if (s != OK)
    return FAIL;
  print_result(a, &result);
  fprintf(stderr, "wall time %.3f s\n", wall_time() - start);
  return OK;
}

static enum status run(const struct sim_args *a, FILE *blocked, struct err *e)
{
  struct platform *p;
  struct cli_trace t;
  if (cli_platform_open(&p, a->platform, e) != OK)
    return FAIL;
  enum status s = cli_trace_open(&t, a->trace, &a->collectives, e);
  if (s == OK) {
    s = simulate(a, p, t.program, blocked, e);
    cli_trace_close(&t);
  }
  platform_free(p);
  return s;
}

int cmd_sim(int argc, char **argv)
{
  static const struct argp ARGP = {
      OPTIONS,
      parse,
      NULL,
      "Replays a trace on a platform and prints what it cost: the simulated time, the time that "
      "the ranks spend communicating, and the messages and payload bytes sent.",
      NULL,
      NULL,
      NULL};
  struct sim_args a = {.mapping = "xyz", .options = sim_defaults()};
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
