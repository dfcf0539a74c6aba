#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "common/outfile.h"
#include "mappers/mapper.h"
#include "traces/matrix/spec.h"

enum { KEY_RANKS_PER_HOST = 256, KEY_RANKS, KEY_SEED, KEY_THREADS, KEY_FORMAT };

static const struct argp_option OPTIONS[] = {
    {"platform", 'p', "P", 0, "Platform file or spec, as torus:8x8x8", 0},
    {"trace", 't', "T", 0, "Trace whose ranks to place", 0},
    {"matrix", 'm', "M", 0, "Traffic matrix whose ranks to place", 0},
    {"ranks", KEY_RANKS, "N", 0, "Place N ranks, whatever they send", 0},
    {"ranks-per-host", KEY_RANKS_PER_HOST, "K", 0, "Ranks that a host takes (1)", 0},
    {"seed", KEY_SEED, "S", 0, "Seed of a mapper that has one, unless its spec gives it (1)", 0},
    {"threads", KEY_THREADS, "N", 0, "Threads (all cores); changes no result", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "Of the mapping:", 0},
    {"output", 'o', "MAPPING", 0, "Write the mapping there instead of on standard output", 0},
    {0},
};

struct map_args {
  const char *mapper, *platform, *trace, *matrix, *output, *seed;
  uint32_t ranks; /* 0: not given */
  uint32_t ranks_per_host, threads;
  struct reading reading;
  const struct mapping_format *format;
};

static void check_args(struct argp_state *state, const struct map_args *a)
{
  const int sources = (a->trace != NULL) + (a->matrix != NULL) + (a->ranks != 0);
  if (a->mapper == NULL)
    argp_error(state, "no MAPPER given (see haichi list mappers)");
  else if (a->platform == NULL)
    argp_error(state, "no --platform given");
  else if (sources != 1)
    argp_error(state, "give one of --trace, --matrix and --ranks");
}

/* Where the text of an option goes that needs no check; NULL for the others. */
static const char **text_place(struct map_args *a, int key)
{
  switch (key) {
  case 'p':
    return &a->platform;
  case 't':
    return &a->trace;
  case 'm':
    return &a->matrix;
  case 'o':
    return &a->output;
  default:
    return NULL;
  }
}

static void parse_format(struct map_args *a, const char *text, const struct argp_state *state)
{
  struct err e;
  if (mapping_format_find(text, &a->format, &e) != OK)
    argp_error(state, "--format: %s", e.text);
}

static error_t parse_number(int key, const char *arg, struct argp_state *state)
{
  struct map_args *a = state->input;
  switch (key) {
  case KEY_RANKS:
    a->ranks = (uint32_t)cli_number(state, "--ranks", arg, 1, 1u << 20);
    return 0;
  case KEY_RANKS_PER_HOST:
    a->ranks_per_host = (uint32_t)cli_number(state, "--ranks-per-host", arg, 1, 1u << 20);
    return 0;
  case KEY_SEED:
    cli_number(state, "--seed", arg, 0, UINT64_MAX);
    a->seed = arg;
    return 0;
  case KEY_THREADS:
    a->threads = (uint32_t)cli_number(state, "--threads", arg, 1, 1024);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct map_args *a = state->input;
  const char **place = text_place(a, key);
  if (place != NULL)
    *place = arg;
  else if (key == ARGP_KEY_INIT)
    state->child_inputs[0] = &a->reading;
  else if (key == KEY_FORMAT)
    parse_format(a, arg, state);
  else if (key == ARGP_KEY_ARG)
    cli_operand(state, &a->mapper, arg);
  else if (key == ARGP_KEY_END)
    check_args(state, a);
  else
    return parse_number(key, arg, state);
  return 0;
}

struct map_inputs {
  struct input_trace trace;
  struct matrix matrix; /* read from a file; or of no entries, for the ranks alone */
};

/* The ranks to place and, if the mapper needs it, their traffic, which stays the inputs'. */
static enum status read_traffic(const struct map_args *a, bool need_traffic, struct map_inputs *in,
                                const struct matrix **out, struct err *e)
{
  struct trace *t;
  *out = &in->matrix;
  in->matrix.ranks = a->ranks;
  if (a->matrix != NULL)
    return matrix_spec_open(&in->matrix, a->matrix, e);
  if (a->trace == NULL)
    return need_traffic ? err_set(e, "mapper '%s' needs --trace or --matrix", a->mapper) : OK;
  if (need_traffic)
    return input_trace_traffic(&in->trace, out, e);
  if (input_trace_open(&in->trace, &t, e) != OK)
    return FAIL;
  in->matrix.ranks = trace_ranks(t);
  return OK;
}

static enum status map_ranks(const struct map_args *a, const char *spec, const struct platform *p,
                             const struct matrix *m, struct err *e)
{
  const struct mapper_input in = {.platform = p,
                                  .traffic = m,
                                  .ranks = m->ranks,
                                  .ranks_per_host = a->ranks_per_host,
                                  .threads = a->threads};
  struct mapping mapping;
  if (mapper_run(spec, &in, &mapping, e) != OK)
    return FAIL;
  const enum status s = mapping_save(&mapping, p, a->format, a->output, e);
  mapping_clear(&mapping);
  return s;
}

static enum status run(const struct map_args *a, const char *spec, struct err *e)
{
  const struct mapper *row;
  struct platform *p;
  struct map_inputs in = {.trace = {.name = a->trace, .reading = &a->reading}};
  const struct matrix *traffic;
  if (mapper_find(spec, &row, e) != OK || outfile_check(a->output, e) != OK ||
      inputs_platform(&p, a->platform, NULL, e) != OK)
    return FAIL;
  enum status s = read_traffic(a, row->needs_traffic, &in, &traffic, e);
  if (s == OK)
    s = map_ranks(a, spec, p, traffic, e);
  matrix_clear(&in.matrix);
  input_trace_clear(&in.trace);
  platform_free(p);
  return s;
}

static char *filter_help(int key, const char *text, void *input)
{
  (void)input;
  return key == KEY_FORMAT ? cli_help_names("", mapping_format_name) : (char *)text;
}

static int run_command(int argc, char **argv)
{
  static const struct argp_child CHILDREN[] = {{&cli_reading_argp, 0, NULL, 0}, {0}};
  static const struct argp ARGP = {
      OPTIONS,
      parse,
      "MAPPER",
      "Places the ranks of a trace on the hosts of a platform and writes a hostfile, where line r "
      "names the host of rank r, or the same in another format.",
      CHILDREN,
      filter_help,
      NULL};
  struct map_args a = {.ranks_per_host = 1,
                       .output = "-",
                       .format = mapping_format_at(0),
                       .reading = reading_defaults()};
  struct err e;
  cli_parse(&ARGP, argc, argv, &a);
  if (a.seed == NULL)
    return run(&a, a.mapper, &e) == OK ? CLI_OK : cli_fail(&e);
  char *seeded = mapper_with_option(a.mapper, "seed", a.seed, &e);
  const enum status s = seeded == NULL ? FAIL : run(&a, seeded, &e);
  free(seeded);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_map = {"map", "place the ranks on the hosts of a platform",
                                    run_command};
