#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/predict/predict.h"
#include "common/files/outfile.h"
#include "setup/inputs.h"

static enum status parse_mapper(void *record, char *text, struct err *e)
{
  struct predict_args *a = record;
  if (a->mappers == SWEEP_MAPPERS)
    return err_set(e, "more than %d mappers", SWEEP_MAPPERS);
  a->mapper[a->mappers++] = text;
  return OK;
}

#define AT(FIELD) offsetof(struct predict_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(folder)},
    {"platform", 'p', "P", "Platform file or spec, such as torus:8x8x8", .at = AT(platform)},
    {"trace", 't', "T", "Trace to sample", .at = AT(trace)},
    {"sample", 0, "N",
     "Maximum number of iterations to simulate (10; Linpack: at least 64 and 8 Q)",
     .kind = OPTION_U64, .at = AT(sample), .min = 4, .max = UINT32_MAX},
    {"check", 0, NULL, "Simulate the whole run too, and print the error of the prediction",
     .kind = OPTION_FLAG, .at = AT(check)},
    {"series", 0, "FILE", "Write the beginning and duration of each simulated iteration",
     .at = AT(series), .writes = true},
    {"sweep", 0, NULL,
     "Find the number of processors, the hosts and the mapper that run T soonest; T may hold "
     "numbers of ranks in braces, as npb:cg.A.{4,8,16}",
     .kind = OPTION_FLAG, .at = AT(sweep), .needs = "output", .excludes = "mapping series hosts"},
    {"mapper", 0, "MAPPER", "Mapper of a sweep, as greedy (xyz); may be repeated",
     .kind = OPTION_PARSE, .parse = parse_mapper, .several = true, .needs = "sweep"},
    {"output", 'o', "DIR", "Folder for the results of a sweep: table, best mapping, plot",
     .at = AT(output), .needs = "sweep"},
    {"jobs", 'j', "N", "Simulations of a sweep in parallel (all cores); changes no result",
     .kind = OPTION_U32, .at = AT(jobs), .min = 1, .max = CLI_MOST_JOBS, .needs = "sweep"},
    {"mapping", 'm', "MAPPING", "File or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {"method", 0, "METHOD", "Method of prediction from blocks: %s (settled)", .kind = OPTION_ROW,
     .at = AT(method), .rows = &estimate_methods},
    {"per-rank", 0, "FILE", "Write a table of the ranks of DIR to FILE", .at = AT(per_rank),
     .writes = true},
    {"per-block", 0, "FILE", "Write a table of the blocks of each rank of DIR to FILE",
     .at = AT(per_block), .writes = true},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static enum status check_blocks(const struct predict_args *a, struct err *e)
{
  if (a->platform != NULL || a->trace != NULL || a->sweep || a->check || a->series != NULL)
    return err_set(e, "a prediction from DIR takes no --platform, --trace, --check, --series or "
                      "--sweep");
  if (a->mapping != NULL || a->sample > 0)
    return err_set(e, "a prediction from DIR takes no --mapping and no --sample");
  if (outfile_check_distinct((const char *const[]){a->per_rank, a->per_block}, 2, e) != OK)
    return FAIL;
  static const char *const NONE[] = {NULL};
  return options_without_trace(&a->settings, NONE, "DIR", e);
}

static enum status check_args(void *record, struct err *e)
{
  const struct predict_args *a = record;
  if (a->folder != NULL)
    return check_blocks(a, e);
  if (a->method != NULL || a->per_rank != NULL || a->per_block != NULL)
    return err_set(e, "--method, --per-rank and --per-block are for a prediction from DIR");
  if (a->platform == NULL && a->trace == NULL)
    return err_set(e, "give DIR, or --platform and --trace");
  return a->platform != NULL && a->trace != NULL
             ? OK
             : err_set(e, "no %s given", a->platform == NULL ? "--platform" : "--trace");
}

static enum status run(const void *args, FILE *blocked, struct err *e)
{
  const struct predict_args *a = args;
  struct platform *p;
  if (a->folder != NULL)
    return predict_blocks(a, e);
  if (settings_platform(&p, a->platform, &a->settings, e) != OK)
    return FAIL;
  cli_note_firewalls(p, &a->settings.options);
  const enum status s = a->sweep ? predict_sweep(a, p, e) : predict_trace(a, p, blocked, e);
  if (s == OK)
    cli_note_coverage(p, a->settings.options.coverage);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "[DIR]",
      "Predicts the time of a program: from a simulation of a few iterations of its main loop, or "
      "from the files that the timing and counting programs of `haichi instrument' left in DIR.",
      OPTIONS, NULL, check_args};
  struct predict_args a = {.settings = cli_settings(false)};
  struct coverage coverage = {0};
  options_parse(&USAGE, argc, argv, &a);
  a.settings.options.coverage = &coverage;
  return cli_simulate(run, &a);
}

const struct cli_command cmd_predict = {"predict", "predict the time of a program from a short run",
                                        run_command};
