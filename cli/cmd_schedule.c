#include "campaign/tasknets.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "common/num.h"

struct schedule_args {
  struct tasknets_options options;
  const struct report_format *format;
};

static enum status parse_background(void *record, char *text, struct err *e)
{
  return load_specs_add(&((struct schedule_args *)record)->options.loads, text, e);
}

static enum status parse_work(void *record, char *text, struct err *e)
{
  return num_quantity(text, NUM_SPEED, &((struct schedule_args *)record)->options.units.work, e);
}

static enum status parse_data(void *record, char *text, struct err *e)
{
  return num_quantity(text, NUM_SIZE, &((struct schedule_args *)record)->options.units.data, e);
}

#define AT(FIELD) offsetof(struct schedule_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, as random-clusters:seed=1",
     .at = AT(options.platform)},
    {"scheduler", 's', "S", "How to schedule, as hierarchical (see haichi list schedulers)",
     .at = AT(options.scheduler)},
    {"schedule", 0, "FILE", "In place of --scheduler: a schedule from --output",
     .at = AT(options.schedule)},
    {"steal", 0, "POLICY", "What hosts do that have run out of tasks: %s (none)",
     .kind = OPTION_ROW, .at = AT(options.steal), .rows = &steal_policies},
    {"background", 0, "LOAD",
     "Load besides the network, as tasks:10 or links:p=0.1; may be repeated", .kind = OPTION_PARSE,
     .parse = parse_background},
    {"model", 0, "MODEL", "How it is executed: %s", .kind = OPTION_ROW, .at = AT(options.model),
     .rows = &tasknets_models},
    {"work", 0, "FLOPS", "Flops that a computation cost of 1 stands for (1Gf)",
     .kind = OPTION_PARSE, .parse = parse_work},
    {"data", 0, "BYTES", "Bytes that a communication cost of 1 stands for (1MB)",
     .kind = OPTION_PARSE, .parse = parse_data},
    {"seed", 0, "S", "Seed of stealing and, with those of their specs, of loads (1)",
     .kind = OPTION_U64, .at = AT(options.seed), .min = 1, .max = UINT32_MAX},
    {"output", 'o', "FILE", "Write the schedule", .at = AT(options.output)},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.name = NULL},
};

static enum status take_network(void *record, char *word, struct err *e)
{
  return options_operand(&((struct schedule_args *)record)->options.network, word, e);
}

static enum status check(void *record, struct err *e)
{
  const struct tasknets_options *o = &((struct schedule_args *)record)->options;
  if (o->network == NULL)
    return err_set(e, "no NETWORK given");
  if (o->platform == NULL)
    return err_set(e, "no --platform given");
  return (o->scheduler == NULL) != (o->schedule == NULL)
             ? OK
             : err_set(e, "give one of --scheduler and --schedule");
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "NETWORK",
      "Maps a network of dependent tasks onto the hosts of a platform, and executes it on them in "
      "simulated time.",
      OPTIONS, take_network, check};
  struct schedule_args a = {.options = tasknets_defaults()};
  struct tasknets_result result;
  struct report r;
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  if (tasknets_run(&a.options, &result, &e) != OK)
    return cli_fail(&e);
  report_begin(&r, stdout, a.format);
  tasknets_report(&result, &r);
  report_end(&r);
  if (a.options.scheduler != NULL)
    fprintf(stderr, "scheduling_time_s\t%.6f\n", result.scheduling_s);
  return CLI_OK;
}

const struct cli_command cmd_schedule = {"schedule", "schedule a network of tasks, and execute it",
                                         run_command};
