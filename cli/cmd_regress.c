#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/analysis/regress.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/inputs.h"
#include "common/files/outfile.h"
#include "common/plural.h"

struct regress_args {
  const char *baseline, *platform;
  double tolerance; /* a fraction */
  bool update;
  uint32_t jobs;
  struct settings settings;
};

#define AT(FIELD) offsetof(struct regress_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"baseline", 'b', "FILE", "Table of mappings and their figures, as results.tsv of compare",
     .at = AT(baseline), .required = true},
    {"platform", 'p', "P",
     "Platform of a table without a column 'platform'; replaces its comment '# platform'",
     .at = AT(platform)},
    {"tolerance", 0, "X", "Tolerated relative change of a figure, as 1% or 0.01 (1%)",
     .kind = OPTION_SHARE, .at = AT(tolerance), .most = 1e4},
    {"update", 0, NULL, "Replace the figures in the file by the new ones", .kind = OPTION_FLAG,
     .at = AT(update)},
    {"jobs", 'j', "N", "Rows in parallel (all cores); changes no result", .kind = OPTION_U32,
     .at = AT(jobs), .min = 1, .max = CLI_MOST_JOBS},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static void print_figure(const struct regress_row *row, enum regress_figure f)
{
  struct err unused;
  char *machine = machine_label((const char *const *)row->machine, &unused);
  printf("%s\t%s\t%s\t%s\t%s\t", machine == NULL ? "-" : machine, row->trace, row->mapper,
         row->seed, regress_name(f));
  free(machine);
  report_number(stdout, row->before[f]);
  putchar('\t');
  report_number(stdout, row->now[f]);
  if (row->before[f] == 0)
    puts("\t-"); /* no share of 0 */
  else
    printf("\t%+.2f%%\n", regress_change(row, f) * 100);
}

/* Prints the figures of a row that got worse; adds the number of better figures to *better. */
static bool print_worse(const struct regress_row *row, double tolerance, bool header,
                        size_t *better)
{
  bool worse = false;
  for (int f = 0; f < REGRESS_FIGURES; f++) {
    *better += regress_is_better(row, f, tolerance);
    if (!regress_is_worse(row, f, tolerance))
      continue;
    if (header && !worse)
      puts("machine\ttrace\tmapper\tseed\tfigure\tbaseline\tnow\tchange");
    print_figure(row, f);
    worse = true;
  }
  return worse;
}

static enum status judge(const struct regress_args *a, const struct regress *r, struct err *e)
{
  size_t worse = 0, better = 0;
  if (regress_check(r, e) != OK)
    return FAIL;
  for (size_t i = 0; i < r->rows; i++)
    worse += print_worse(&r->row[i], a->tolerance, worse == 0, &better);
  if (worse > 0)
    return err_set(e, "%s: %zu of %zu mappings got worse by more than %g%%", r->path, worse,
                   r->rows, a->tolerance * 100);
  printf("%zu mapping%s, none worse than in %s", r->rows, PLURAL(r->rows), r->path);
  if (a->tolerance > 0)
    printf(" by more than %g%%", a->tolerance * 100);
  printf(better == 0 ? "\n" : "; %zu figure%s better: --update writes the new figures\n", better,
         PLURAL(better));
  return OK;
}

static enum status run(const struct regress_args *a, struct err *e)
{
  struct regress r;
  if (a->update && strcmp(a->baseline, "-") == 0)
    return err_set(e, "--update replaces a file, not standard input");
  if (a->update && outfile_check(a->baseline, e) != OK)
    return FAIL;
  if (a->update)
    inputs_release(a->baseline);
  if (regress_load(&r, a->baseline, a->platform, &a->settings, e) != OK)
    return FAIL;
  enum status s = a->update ? OK : regress_need_figures(&r, e);
  if (s == OK)
    s = regress_run(&r, &a->settings, a->jobs, e);
  if (s == OK)
    s = a->update ? regress_save(&r, &a->settings, e) : judge(a, &r, e);
  regress_clear(&r);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "Maps, scores and simulates the mappings of a table again and compares their hop-bytes, "
      "largest link load, cardinality and simulated time with the table.  Lists the figures that "
      "got worse by more than --tolerance, and fails if there are any.",
      OPTIONS, NULL, NULL};
  struct regress_args a = {.tolerance = 0.01, .jobs = cli_jobs(0), .settings = cli_settings(false)};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  return run(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_regress = {
    "regress", "tell whether mappings got worse than in a table", run_command};
