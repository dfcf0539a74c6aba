#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/mem.h"
#include "common/num.h"
#include "predict/instrument/emit.h"
#include "predict/instrument/instrument.h"

struct instrument_args {
  struct option_words sources;
  char **argument; /* arguments of the compiler; each owned */
  size_t arguments, argument_room, mpi_arguments;
  struct loop_specs specs;
  const char *output, *warmup, *variation, *slow;
  const struct report_format *format;
};

/* Adds @p letter and @p text as one argument of the compiler. */
static enum status add_argument(struct instrument_args *a, const char *letter, const char *text,
                                struct err *e)
{
  if (MEM_GROW(a->argument, a->argument_room, a->arguments + 1, e) != OK)
    return FAIL;
  char *argument = mem_printf(e, "%s%s", letter, text);
  if (argument == NULL)
    return FAIL;
  a->argument[a->arguments++] = argument;
  return OK;
}

static enum status parse_include(void *record, char *text, struct err *e)
{
  return add_argument(record, "-I", text, e);
}

static enum status parse_macro(void *record, char *text, struct err *e)
{
  return add_argument(record, "-D", text, e);
}

static enum status parse_flag(void *record, char *text, struct err *e)
{
  return add_argument(record, "", text, e);
}

/* Parses one or several loops, separated by commas. */
static enum status parse_loops(void *record, char *text, struct err *e)
{
  char *rest = text, *one;
  while ((one = strsep(&rest, ",")) != NULL)
    if (loop_specs_add(&((struct instrument_args *)record)->specs, one, e) != OK)
      return FAIL;
  return OK;
}

/* Checks SEED and KIND of --warmup or --variation; NULL: not given. */
static enum status parse_drawing(const char *seed, const char *kind, struct err *e)
{
  uint64_t value;
  if (seed != NULL && num_u64(seed, UINT32_MAX, &value, e) != OK)
    return FAIL;
  if (kind == NULL || strcmp(kind, "computation") == 0 || strcmp(kind, "communication") == 0 ||
      strcmp(kind, "both") == 0)
    return OK;
  return err_set(e, "'%s' is none of computation, communication, both", kind);
}

static enum status parse_warmup(void *record, char *text, struct err *e)
{
  uint64_t count;
  double factor;
  OWNED char *copy = mem_strdup(text, e);
  char *rest = copy, *part[5];
  if (copy == NULL)
    return FAIL;
  for (int i = 0; i < 4; i++)
    part[i] = strsep(&rest, ":");
  part[4] = rest;
  enum status s = num_u64(part[0], UINT32_MAX, &count, e);
  if (s == OK && part[1] != NULL)
    s = num_double(part[1], 1, 1e6, &factor, e);
  if (s == OK)
    s = parse_drawing(part[2], part[3], e);
  if (s == OK && part[4] != NULL)
    s = num_u64(part[4], UINT32_MAX, &count, e);
  ((struct instrument_args *)record)->warmup = text;
  return s;
}

static enum status parse_variation(void *record, char *text, struct err *e)
{
  double mean;
  OWNED char *copy = mem_strdup(text, e);
  char *rest = copy;
  if (copy == NULL)
    return FAIL;
  const char *part[3] = {strsep(&rest, ":"), strsep(&rest, ":"), rest};
  enum status s = num_double(part[0], 0, 1e6, &mean, e);
  if (s == OK)
    s = parse_drawing(part[1], part[2], e);
  ((struct instrument_args *)record)->variation = text;
  return s;
}

static enum status parse_slow(void *record, char *text, struct err *e)
{
  uint64_t ranks;
  double factor;
  OWNED char *copy = mem_strdup(text, e);
  char *rest = copy;
  if (copy == NULL)
    return FAIL;
  const char *part[2] = {strsep(&rest, ":"), rest};
  enum status s = part[1] == NULL ? err_set(e, "'%s' is not RANKS:FACTOR", text)
                                  : num_u64(part[0], UINT32_MAX, &ranks, e);
  if (s == OK)
    s = num_double(part[1], 1, 1e6, &factor, e);
  ((struct instrument_args *)record)->slow = text;
  return s;
}

#define AT(FIELD) offsetof(struct instrument_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(sources)},
    {"loops", 'l', "NAME=COUNT",
     "In the timing program, run COUNT iterations of loops with NAME in the header, or of the loop "
     "at FILE:LINE; COUNT/REAL: the full program runs REAL iterations, if it cannot compute them",
     .kind = OPTION_PARSE, .parse = parse_loops, .several = true},
    {"output", 'o', "DIR", "Write the programs to DIR; without it, only list the loops",
     .at = AT(output)},
    {"include", 'I', "DIR", "Search for headers in DIR", .kind = OPTION_PARSE,
     .parse = parse_include, .several = true},
    {"define", 'D', "MACRO", "Define a macro: MACRO=VALUE, or MACRO for the value 1",
     .kind = OPTION_PARSE, .parse = parse_macro, .several = true},
    {"flag", 'X', "FLAG", "Further argument of the compiler, such as -std=c89",
     .kind = OPTION_PARSE, .parse = parse_flag, .several = true},
    {"warmup", 0, "M[:FACTOR[:SEED[:KIND[:RANK]]]]",
     "Lengthen the first M executions of each block of KIND by a factor from 1 to FACTOR (2), "
     "drawn with SEED (1) for each rank from RANK (0) on; KIND: computation (default), "
     "communication, both",
     .kind = OPTION_PARSE, .parse = parse_warmup, .needs = "output"},
    {"variation", 0, "MEAN[:SEED[:KIND]]",
     "Imitate noise: each execution of a block of KIND lasts 1 + X times as long, with X drawn "
     "from an exponential distribution of mean MEAN",
     .kind = OPTION_PARSE, .parse = parse_variation, .needs = "output"},
    {"slow", 0, "RANKS:FACTOR",
     "Imitate unequal processors: computation lasts FACTOR times as long on ranks 0 to RANKS-1",
     .kind = OPTION_PARSE, .parse = parse_slow, .needs = "output"},
    {"format", 0, "FORMAT", "Format of the report: %s (tsv)", .kind = OPTION_ROW, .at = AT(format),
     .rows = &report_formats, .needs = "output"},
    {.name = NULL},
};

/* Adds the first existing folder that may contain mpi.h: the folder of SimGrid, then the folders of
 * Debian's packages.  The compiler searches the folders of --include first. */
static enum status add_mpi(struct instrument_args *a, struct err *e)
{
  static const char *const PLACES[] = {"/usr/include/smpi",
                                       "/usr/lib/x86_64-linux-gnu/openmpi/include",
                                       "/usr/include/x86_64-linux-gnu/mpich"};
  for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
    if (access(PLACES[i], R_OK) == 0) {
      a->mpi_arguments = 2;
      return add_argument(a, "-isystem", "", e) == OK ? add_argument(a, "", PLACES[i], e) : FAIL;
    }
  return OK;
}

static void print_result(const struct instrument_args *a, const struct instrument_result *r)
{
  struct report report;
  if (a->output == NULL) {
    emit_loops(r, stdout);
    return;
  }
  report_begin(&report, stdout, a->format);
  report_u64(&report, "files", r->files);
  report_u64(&report, "blocks", r->blocks);
  report_u64(&report, "communication_blocks", r->communication);
  report_u64(&report, "loops", r->loops);
  report_end(&report);
  for (size_t i = 0; i < r->said.count; i++)
    fprintf(stderr, "%s\n", r->said.text[i].text);
}

static int run(struct instrument_args *a)
{
  struct instrument_result r;
  struct err e;
  if (add_mpi(a, &e) != OK)
    return cli_fail(&e);
  const struct instrument_job job = {.parse = {a->sources.word, a->sources.count,
                                               (const char *const *)a->argument, a->arguments,
                                               a->mpi_arguments},
                                     .specs = &a->specs,
                                     .folder = a->output,
                                     .warmup = a->warmup,
                                     .variation = a->variation,
                                     .slow = a->slow};
  const enum status s = instrument(&r, &job, &e);
  if (s == OK)
    print_result(a, &r);
  else if (r.loops == 0)
    for (size_t i = 0; i < r.said.count; i++)
      cli_fail(&r.said.text[i]);
  if (s != OK && (r.said.count == 0 || r.loops > 0))
    cli_fail(&e);
  instrument_clear(&r);
  return s == OK ? CLI_OK : CLI_FAILED;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "PROGRAM.c...",
      "Makes programs from an MPI program that time and count its blocks of computation and "
      "communication, for `haichi predict'. Without -o, lists the loops around communication.",
      OPTIONS, NULL, NULL};
  struct instrument_args a = {.format = NULL};
  options_parse(&USAGE, argc, argv, &a);
  const int code = run(&a);
  for (size_t i = 0; i < a.arguments; i++)
    free(a.argument[i]);
  free(a.argument);
  free(a.sources.word);
  loop_specs_clear(&a.specs);
  return code;
}

const struct cli_command cmd_instrument = {
    "instrument", "make programs that time and count blocks of an MPI program", run_command};
