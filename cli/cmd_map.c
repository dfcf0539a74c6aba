#include <inttypes.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/process/threads.h"
#include "mappers/mapper.h"
#include "mappers/qap/qaplib.h"
#include "setup/place.h"
#include "setup/settings.h"
#include "traces/matrix/spec.h"

struct map_args {
  const char *mapper, *platform, *trace, *matrix, *qaplib, *output, *seed;
  uint32_t ranks; /* 0: not given */
  uint32_t threads;
  struct settings settings; /* of simulations: for mappers that simulate; others: for all mappers */
  const struct mapping_format *format;
  struct matrix_reading reading; /* of `matrix` */
};

static enum status parse_seed(void *record, char *text, struct err *e)
{
  uint64_t unused;
  ((struct map_args *)record)->seed = text;
  return num_u64(text, UINT64_MAX, &unused, e);
}

#define AT(FIELD) offsetof(struct map_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.help = "see haichi list mappers", .kind = OPTION_OPERAND, .at = AT(mapper)},
    {"platform", 'p', "P", "Platform file or spec, such as torus:8x8x8", .at = AT(platform)},
    {"trace", 't', "T", "Trace whose ranks to place", .at = AT(trace)},
    {"matrix", 0, "M", "Traffic matrix whose ranks to place", .at = AT(matrix)},
    {.kind = OPTION_TABLE, .table = matrix_options, .at = AT(reading)},
    {"mapper", 'm', "M",
     "the mapper is an operand, as in `haichi map greedy'; a traffic matrix is --matrix",
     .kind = OPTION_HINT},
    {"ranks", 0, "N", "Place N ranks without traffic", .kind = OPTION_U32, .at = AT(ranks),
     .min = 1, .max = OPTIONS_RANKS},
    {"qaplib", 0, "FILE", "Solve a problem of QAPLIB instead; only for mapper qap",
     .at = AT(qaplib), .excludes = "platform trace matrix ranks"},
    {"seed", 0, "S", "Seed of the mapper, if it takes one and its spec has none (1)",
     .kind = OPTION_PARSE, .parse = parse_seed},
    {"threads", 0, "N", "Threads (all cores); changes no result", .kind = OPTION_U32,
     .at = AT(threads), .min = 1, .max = THREADS_MOST},
    {"format", 0, "FORMAT", "%s (hostfile)", .kind = OPTION_ROW, .at = AT(format),
     .rows = &mapping_formats},
    {"output", 'o', "MAPPING", "Write the mapping to this file instead of standard output",
     .at = AT(output), .writes = true},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static enum status check(void *record, struct err *e)
{
  const struct map_args *a = record;
  static const char *const NONE[] = {NULL};
  const int sources = (a->trace != NULL) + (a->matrix != NULL) + (a->ranks != 0);
  if (a->qaplib != NULL)
    return options_without_trace(&a->settings, NONE, "--qaplib", e);
  if (a->platform == NULL)
    return err_set(e, "no --platform given");
  if (sources != 1)
    return err_set(e, "give one of --trace, --matrix and --ranks");
  return a->trace != NULL ? OK
                          : options_without_trace(&a->settings, options_of_matrix,
                                                  a->matrix != NULL ? "--matrix" : "--ranks", e);
}

struct map_inputs {
  const struct mapper *row;
  bool needs_traffic;
  struct input_trace trace;
  struct matrix matrix; /* from --matrix; without that option only `ranks` is used */
};

/* Gets the number of ranks and, if the mapper needs it, the traffic; *out is owned by @p in. */
static enum status read_traffic(const struct map_args *a, struct map_inputs *in,
                                const struct matrix **out, struct err *e)
{
  struct trace *t;
  *out = &in->matrix;
  in->matrix.ranks = a->ranks;
  if (in->row->simulates == MAPPER_SIMULATES && a->trace == NULL)
    return err_set(e, "mapper '%s' simulates candidates: it needs --trace", in->row->name);
  if (a->matrix != NULL)
    return matrix_spec_open(&in->matrix, a->matrix, &a->reading, e);
  if (a->trace == NULL)
    return in->needs_traffic ? err_set(e, "mapper '%s' needs --trace or --matrix", a->mapper) : OK;
  if (in->needs_traffic)
    return input_trace_traffic(&in->trace, out, e);
  if (input_trace_open(&in->trace, &t, e) != OK)
    return FAIL;
  in->matrix.ranks = trace_ranks(t);
  return OK;
}

static enum status map_ranks(const struct map_args *a, const char *spec, const struct platform *p,
                             struct map_inputs *inputs, const struct matrix *m, struct err *e)
{
  uint32_t moved;
  const struct place place = {.mapping = spec,
                              .hosts = a->settings.hosts,
                              .ranks_per_host = a->settings.reading.collectives.ranks_per_host,
                              .ranks = m->ranks,
                              .threads = a->threads,
                              .traffic = m,
                              .moved = &moved,
                              .trace = &inputs->trace,
                              .options = &a->settings.options};
  struct mapping mapping;
  if (place_ranks(&place, p, &mapping, e) != OK)
    return FAIL;
  cli_note_moved(spec, moved);
  const enum status s = mapping_save(&mapping, p, a->format, a->output, e);
  mapping_clear(&mapping);
  return s;
}

/* Writes the value, then the permutation as QAPLIB's solution files have it. */
static enum status write_solution(const char *path, const struct qap *q, const uint32_t *at,
                                  struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  fprintf(o.f, "value\t%" PRId64 "\n", qap_value(q, at));
  for (uint32_t i = 0; i < q->n; i++)
    fprintf(o.f, "%" PRIu32 "%c", at[i] + 1, i + 1 < q->n ? ' ' : '\n');
  return outfile_commit(&o, e);
}

static enum status solve_qaplib(const struct map_args *a, const char *spec, struct err *e)
{
  const struct mapper *row;
  struct qap q;
  if (mapper_find(spec, &row, NULL, e) != OK || outfile_check(a->output, e) != OK ||
      qaplib_load(&q, a->qaplib, e) != OK)
    return FAIL;
  OWNED uint32_t *at = mem_array(q.n, sizeof *at, e);
  enum status s = at == NULL ? FAIL : mapper_assign(spec, &q, a->threads, at, e);
  if (s == OK)
    s = write_solution(a->output, &q, at, e);
  qap_clear(&q);
  return s;
}

static enum status run(const struct map_args *a, const char *spec, struct err *e)
{
  struct platform *p;
  if (a->qaplib != NULL)
    return solve_qaplib(a, spec, e);
  struct map_inputs in = {.trace = {.name = a->trace, .reading = &a->settings.reading}};
  const struct matrix *traffic;
  if (mapper_find(spec, &in.row, &in.needs_traffic, e) != OK || outfile_check(a->output, e) != OK ||
      settings_platform(&p, a->platform, &a->settings, e) != OK)
    return FAIL;
  const enum status s =
      read_traffic(a, &in, &traffic, e) == OK ? map_ranks(a, spec, p, &in, traffic, e) : FAIL;
  matrix_clear(&in.matrix);
  input_trace_clear(&in.trace);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "MAPPER",
      "Places the ranks of a trace on the hosts of a platform and writes a hostfile, where line r "
      "names the host of rank r, or the mapping in another format.  The messages of two-level "
      "collectives depend on the mapping; mappers get the traffic of ranks that fill the hosts in "
      "order.",
      OPTIONS, NULL, check};
  struct map_args a = {
      .output = "-", .format = registry_at(&mapping_formats, 0), .settings = cli_settings(true)};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  if (a.seed == NULL)
    return run(&a, a.mapper, &e) == OK ? CLI_OK : cli_fail(&e);
  OWNED char *seeded = mapper_with_seed(a.mapper, a.seed, &e);
  const enum status s = seeded == NULL ? FAIL : run(&a, seeded, &e);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_map = {"map", "place the ranks on the hosts of a platform",
                                    run_command};
