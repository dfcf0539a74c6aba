#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "common/report.h"
#include "setup/place.h"
#include "traces/files/writer.h"
#include "traces/info.h"
#include "traces/matrix/matrix.h"
#include "traces/otf2/otf2_write.h"
#include "traces/paraver/dim_write.h"

struct trace_args {
  const char *trace, *output;
  const char *platform, *mapping; /* NULL: not given */
  bool p2p_only;
  uint32_t iterations; /* 0: not given */
  uint64_t shuffle;    /* 0: not given */
  const struct report_format *format;
  const struct target *target;
  struct reading reading;
};

#define AT(FIELD) offsetof(struct trace_args, FIELD)

static enum status check(void *record, struct err *e)
{
  const struct trace_args *a = record;
  if (a->iterations > 0 && strchr(a->trace, '@') != NULL)
    return err_set(e, "'%s' and --iterations both give the number of iterations", a->trace);
  return OK;
}

/* Placement of the ranks: two-level collectives depend on which ranks share a host. */
static const struct cli_option PLACE_OPTIONS[] = {
    {"platform", 'p', "P", "Platform of --mapping, for two-level collectives", .at = AT(platform)},
    {"mapping", 0, "M", "Mapping file or mapper spec, for two-level collectives (xyz)",
     .at = AT(mapping), .needs = "platform"},
    {"ranks-per-host", 0, "K",
     "Ranks that a host takes; without --platform, ranks fill hosts in order (1)",
     .kind = OPTION_U32, .at = AT(reading.collectives.ranks_per_host), .min = 1,
     .max = OPTIONS_RANKS},
    {.name = NULL},
};

/* Opens the trace and places its ranks; without --platform *m has no hosts.  The caller frees @p in
 * and *m. */
static enum status open_placed(const struct trace_args *a, struct input_trace *in,
                               struct mapping *m, struct err *e)
{
  struct platform *p;
  struct trace *t;
  *m = (struct mapping){.host = NULL};
  if (input_trace_open(in, &t, e) != OK)
    return FAIL;
  if (a->platform == NULL)
    return OK;
  if (inputs_platform(&p, a->platform, 0, e) != OK)
    return FAIL;
  const struct place place = {.mapping = a->mapping == NULL ? "xyz" : a->mapping,
                              .ranks_per_host = a->reading.collectives.ranks_per_host,
                              .ranks = trace_ranks(t),
                              .trace = in};
  const enum status s = place_ranks(&place, p, m, e);
  platform_free(p);
  return s;
}

static void print_traffic(struct report *r, const char *prefix, const struct info_traffic *t)
{
  r->prefix = prefix;
  report_u64(r, "messages", t->messages);
  report_u64(r, "bytes", t->bytes);
  report_u64(r, "pairs", t->pairs);
  report_double(r, "pair_share", t->pair_share);
}

static void print_info(const struct info *info, const struct report_format *format)
{
  struct report r;
  report_begin(&r, stdout, format);
  report_u64(&r, "ranks", info->ranks);
  report_u64(&r, "actions", info->actions);
  r.prefix = "actions_";
  for (int k = 0; k < ACTION_KINDS; k++)
    if (info->kind[k] > 0)
      report_u64(&r, action_name(k), info->kind[k]);
  print_traffic(&r, "p2p_", &info->p2p);
  print_traffic(&r, "", &info->all);
  report_end(&r);
}

static int run_info(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
      {.kind = OPTION_OPERAND, .at = AT(trace)},
      {.kind = OPTION_TABLE, .table = PLACE_OPTIONS},
      {.kind = OPTION_TABLE, .table = reading_options, .at = AT(reading)},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      "TRACE",
      "Prints the ranks, the actions by kind, the messages, their payload bytes, and the number "
      "and share of unordered pairs of different ranks that communicate.  Names with p2p_ leave "
      "out the messages of collectives.",
      OPTIONS, NULL, check};
  struct trace_args a = {.reading = cli_reading()};
  struct mapping m;
  struct info info;
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  struct input_trace in = {.name = a.trace, .reading = &a.reading};
  enum status s = open_placed(&a, &in, &m, &e);
  a.reading.collectives.host = m.host;
  a.reading.collectives.node_cores = m.cores;
  if (s == OK)
    s = info_read(&info, in.trace, &a.reading.collectives, &e);
  mapping_clear(&m);
  if (s == OK)
    cli_print_notes(in.trace);
  input_trace_clear(&in);
  if (s != OK)
    return cli_fail(&e);
  print_info(&info, a.format);
  return CLI_OK;
}

static enum status write_matrix(const struct trace_args *a, struct err *e)
{
  struct input_trace in = {.name = a->trace, .reading = &a->reading};
  struct program *p = NULL;
  struct matrix m = {0};
  struct mapping placed = {0};
  enum status s = outfile_check(a->output, e);
  if (s == OK)
    s = open_placed(a, &in, &placed, e);
  if (s == OK && (s = input_trace_program(&in, placed.host == NULL ? NULL : &placed, &p, e)) == OK)
    s = matrix_from_program(&m, p, a->p2p_only, e);
  if (s == OK)
    cli_print_notes(in.trace);
  program_free(p);
  mapping_clear(&placed);
  input_trace_clear(&in);
  if (s == OK && a->shuffle > 0)
    s = matrix_shuffle(&m, a->shuffle, e);
  if (s == OK)
    s = matrix_save(&m, a->output, e);
  matrix_clear(&m);
  return s;
}

static int run_matrix(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {"output", 'o', "M", "Write the matrix to this file instead of standard output",
       .at = AT(output), .writes = true},
      {"p2p-only", 0, NULL, "Leave out the messages of collectives", .kind = OPTION_FLAG,
       .at = AT(p2p_only)},
      {"shuffle", 0, "SEED", "Renumber the ranks at random", .kind = OPTION_U64, .at = AT(shuffle),
       .min = 1, .max = UINT64_MAX},
      {.kind = OPTION_OPERAND, .at = AT(trace)},
      {.kind = OPTION_TABLE, .table = PLACE_OPTIONS},
      {.kind = OPTION_TABLE, .table = reading_options, .at = AT(reading)},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      "TRACE",
      "Prints the traffic matrix: messages and payload bytes by source and destination rank; "
      "collectives are lowered to messages.",
      OPTIONS, NULL, check};
  struct trace_args a = {.output = "-", .reading = cli_reading()};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  return write_matrix(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

static enum status copy_rank(struct writer *w, struct trace *t, uint32_t rank, struct err *e)
{
  for (;;) {
    const struct action *a;
    if (trace_next(t, rank, &a, e) != OK)
      return FAIL;
    if (a == NULL)
      return OK;
    if (writer_put(w, rank, a, e) != OK)
      return FAIL;
  }
}

/* *extended is true if smpirun cannot replay the written trace. */
static enum status write_ranks(struct trace *t, const char *dir, bool *extended, struct err *e)
{
  struct writer *w;
  if (writer_new(&w, dir, trace_ranks(t), e) != OK)
    return FAIL;
  for (uint32_t rank = 0; rank < trace_ranks(t); rank++)
    if (copy_rank(w, t, rank, e) != OK) {
      writer_abandon(w);
      return FAIL;
    }
  *extended = writer_is_extended(w);
  return writer_commit(w, e);
}

/* A format of convert: writes a trace to a folder or file. */
struct target {
  const char *name;
  enum status (*write)(struct trace *t, const char *path, bool *extended, struct err *e);
};

static enum status write_dim(struct trace *t, const char *path, bool *extended, struct err *e)
{
  *extended = false;
  return dim_write(t, path, e);
}

static enum status write_smpi(struct trace *t, const char *dir, bool *extended, struct err *e)
{
  if (trace_need_sequences(t, "trace convert", e) != OK)
    return FAIL;
  return write_ranks(t, dir, extended, e);
}

static enum status write_otf2(struct trace *t, const char *dir, bool *extended, struct err *e)
{
  *extended = false;
  if (trace_need_sequences(t, "trace convert", e) != OK)
    return FAIL;
  return otf2_write(t, dir, e);
}

static const struct target SMPI = {"smpi", write_smpi}, OTF2 = {"otf2", write_otf2},
                           DIM = {"dim", write_dim};

#define TARGETS(ROW) ROW(SMPI) ROW(OTF2) ROW(DIM)

static const struct registry targets = REGISTRY("format", TARGETS);

static int convert(const char *trace, const struct trace_args *a)
{
  struct input_trace in = {.name = trace, .reading = &a->reading};
  struct trace *t;
  struct err e;
  bool extended;
  const enum status s =
      input_trace_open(&in, &t, &e) == OK ? a->target->write(t, a->output, &extended, &e) : FAIL;
  input_trace_clear(&in);
  if (s != OK)
    return cli_fail(&e);
  if (extended)
    fprintf(stderr, "haichi: %s: smpirun -replay of SimGrid 3.32 cannot replay this trace\n",
            a->output);
  return CLI_OK;
}

static int run_convert(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {.kind = OPTION_OPERAND, .at = AT(trace)},
      {"output", 'o', "PATH", "Folder to create, which must be missing or empty; for dim, a file",
       .at = AT(output), .required = true, .writes = true},
      {"to", 0, "FORMAT", "%s (smpi)", .kind = OPTION_ROW, .at = AT(target), .rows = &targets},
      {.kind = OPTION_TABLE, .table = unpack_options, .at = AT(reading)},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      "TRACE",
      "Rewrites a trace: smpi, a folder that `smpirun -replay' "
      "reads, with index.txt and one file a rank; otf2, a folder with "
      "an archive for Vampir, Scalasca and otf2-print; dim, a file for "
      "Dimemas.  Fails if the format cannot express an action.",
      OPTIONS, NULL, check};
  struct trace_args a = {.target = &SMPI, .reading = cli_reading()};
  options_parse(&USAGE, argc, argv, &a);
  return convert(a.trace, &a);
}

static int run_npb(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {.kind = OPTION_OPERAND, .at = AT(trace)},
      {"output", 'o', "DIR", "Folder to create, which must be missing or empty", .at = AT(output),
       .required = true},
      {"iterations", 0, "N", "Iterations of the main loop (from the class)", .kind = OPTION_U32,
       .at = AT(iterations), .min = 1, .max = UINT32_MAX},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      "BENCH.CLASS.RANKS",
      "Writes the trace of a NAS Parallel Benchmark 3.4, e.g. of cg.C.512, as a folder that "
      "`smpirun -replay' reads.  Other commands generate the same trace from the spec "
      "npb:BENCH.CLASS.RANKS.",
      OPTIONS, NULL, check};
  struct trace_args a = {.target = &SMPI, .reading = cli_reading()};
  char spec[256], count[32] = "";
  options_parse(&USAGE, argc, argv, &a);
  if (a.iterations > 0)
    snprintf(count, sizeof count, "@%" PRIu32, a.iterations);
  if ((size_t)snprintf(spec, sizeof spec, "npb:%s%s", a.trace, count) >= sizeof spec) {
    fprintf(stderr, "haichi: %.64s...: the name is too long\n", a.trace);
    return CLI_FAILED;
  }
  return convert(spec, &a);
}

static const struct cli_command
    INFO = {"info", "print actions, messages, bytes and communicating pairs", run_info},
    MATRIX = {"matrix", "write the traffic matrix", run_matrix},
    NPB = {"npb", "write the trace of a NAS Parallel Benchmark", run_npb},
    CONVERT = {"convert", "rewrite the trace for smpirun, Vampir or Dimemas", run_convert};

#define LIST(ROW) ROW(INFO) ROW(MATRIX) ROW(NPB) ROW(CONVERT)

static const struct registry subcommands = REGISTRY("subcommand", LIST);

static int run_command(int argc, char **argv)
{
  return cli_run_subcommand(&subcommands, " TRACE", argc, argv);
}

const struct cli_command cmd_trace = {"trace", "describe a trace, count its traffic, rewrite it",
                                      run_command};
