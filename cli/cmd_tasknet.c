#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "tasks/describe.h"
#include "tasks/files/files.h"
#include "tasks/generate.h"

struct args {
  const char *network, *output;
  bool tasks, streams, groups, dot;
  const struct report_format *format;
};

#define AT(FIELD) offsetof(struct args, FIELD)

static enum status check(void *record, struct err *e)
{
  const struct args *a = record;
  if (a->tasks + a->streams + a->groups > 1)
    return err_set(e, "--tasks, --streams and --groups are tables; give one");
  if (a->tasks + a->streams + a->groups == 1 && a->format != NULL && a->format != &report_tsv)
    return err_set(e, "--format %s is for the report, not for tables", a->format->name);
  return OK;
}

/* --- info --- */

static enum status print_tasks(const struct tasknet *n, struct err *e)
{
  struct dependence d;
  if (dependence_costs(&d, n, e) != OK)
    return FAIL;
  describe_tasks(n, &d, stdout);
  dependence_clear(&d);
  return OK;
}

static enum status print_groups(const struct tasknet *n, struct err *e)
{
  struct hierarchy h;
  if (hierarchy_make(&h, n, e) != OK)
    return FAIL;
  describe_groups(n, &h, stdout);
  hierarchy_clear(&h);
  return OK;
}

static enum status print_sums(const struct tasknet *n, const struct report_format *format,
                              struct err *e)
{
  struct report r;
  report_begin(&r, stdout, format);
  if (describe_network(n, &r, e) != OK)
    return FAIL;
  report_end(&r);
  return OK;
}

static enum status print_info(const struct args *a, struct err *e)
{
  struct tasknet n;
  enum status s = OK;
  if (tasknet_open(&n, a->network, e) != OK)
    return FAIL;
  if (a->tasks)
    s = print_tasks(&n, e);
  else if (a->groups)
    s = print_groups(&n, e);
  else if (a->streams)
    describe_streams(&n, stdout);
  else
    s = print_sums(&n, a->format, e);
  tasknet_clear(&n);
  return s;
}

static int run_info(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {.kind = OPTION_OPERAND, .at = AT(network)},
      {"tasks", 0, NULL, "Print a table of the tasks and arrays, with their dependence costs",
       .kind = OPTION_FLAG, .at = AT(tasks)},
      {"streams", 0, NULL, "Print a table of the streams", .kind = OPTION_FLAG, .at = AT(streams)},
      {"groups", 0, NULL, "Print a table of the hierarchy of groups", .kind = OPTION_FLAG,
       .at = AT(groups)},
      {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      "NETWORK", "Prints the size and the costs of a task network.  NETWORK is a file or a spec.",
      OPTIONS, NULL, check};
  struct args a = {0};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  return print_info(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

/* --- commands that write --- */

static enum status write_network(const struct args *a, struct err *e)
{
  struct tasknet n;
  struct outfile out;
  if (outfile_check(a->output, e) != OK || tasknet_open(&n, a->network, e) != OK)
    return FAIL;
  enum status s = outfile_open(&out, a->output, e);
  if (s == OK) {
    if (a->dot)
      s = tasknet_print_dot(&n, out.f, e);
    else
      tasknet_print(&n, out.f);
    s = outfile_end(&out, s, e);
  }
  tasknet_clear(&n);
  return s;
}

static const struct cli_option WRITE_OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(network)},
    {"output", 'o', "FILE", "Write to FILE instead of standard output", .at = AT(output),
     .writes = true},
    {"dot", 0, NULL, "Write a picture for Graphviz instead", .kind = OPTION_FLAG, .at = AT(dot)},
    {.name = NULL},
};

static int run_convert(int argc, char **argv)
{
  static const struct usage USAGE = {
      "NETWORK",
      "Writes a task network in haichi's XML, with the costs that meta programs compute.  NETWORK "
      "is a file of any supported format (see haichi list tasknets) or a spec.",
      WRITE_OPTIONS, NULL, NULL};
  struct args a = {0};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  return write_network(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

static enum status check_spec(void *record, struct err *e)
{
  const struct args *a = record;
  if (tasknet_is_spec(a->network))
    return OK;
  return err_set(e, "'%.80s' is not a spec such as %s", a->network, tasknet_random_example);
}

static int run_generate(int argc, char **argv)
{
  static const struct usage USAGE = {
      "SPEC", "Writes a random task network, as random:tasks=1000,seed=1 (see docs/tasknet.md).",
      WRITE_OPTIONS, NULL, check_spec};
  struct args a = {0};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  return write_network(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

static int run_schema(int argc, char **argv)
{
  static const struct usage USAGE = {NULL, "Prints the XML Schema of task networks.", NULL, NULL,
                                     NULL};
  struct args a = {0};
  options_parse(&USAGE, argc, argv, &a);
  fputs(tasknet_schema, stdout);
  return CLI_OK;
}

static const struct cli_command
    INFO = {"info", "print costs, dependence costs and the hierarchy", run_info},
    GENERATE = {"generate", "write a random network", run_generate},
    CONVERT = {"convert", "write a network of any format as XML, or a picture of it", run_convert},
    SCHEMA = {"schema", "print the schema of the XML", run_schema};

#define LIST(ROW) ROW(INFO) ROW(GENERATE) ROW(CONVERT) ROW(SCHEMA)

static const struct registry subcommands = REGISTRY("subcommand", LIST);

static int run_command(int argc, char **argv)
{
  return cli_run_subcommand(&subcommands, " NETWORK", argc, argv);
}

const struct cli_command cmd_tasknet = {"tasknet", "describe, generate or convert a task network",
                                        run_command};
