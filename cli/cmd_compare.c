#define _DEFAULT_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/campaign.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "common/machine.h"
#include "common/mem.h"
#include "common/num.h"
#include "plots/campaign_plots.h"
#include "plots/plot.h"

enum { MOST_JOBS = 1024 };

/* Words that follow --trace or --mapper belong to it. */
struct list {
  char **word;
  size_t count, room;
};

struct compare_args {
  const char *platform, *output, *baseline;
  struct list traces, mappers;
  struct list *open; /* the list that takes the next operand; NULL: none yet */
  uint32_t jobs, repeats;
  uint64_t seed, audit;
  double timeout_s;
  bool retry_failed, no_plots;
  const char *format[PLOT_MOST_FORMATS + 1]; /* of pictures; NULL behind the last */
  struct settings settings;
};

static enum status take_word(void *record, char *word, struct err *e)
{
  struct list *l = ((struct compare_args *)record)->open;
  if (l == NULL)
    return err_set(e, "'%s' follows neither --trace nor --mapper", word);
  if (MEM_GROW(l->word, l->room, l->count + 1, e) != OK)
    return FAIL;
  l->word[l->count++] = word;
  return OK;
}

static enum status parse_trace(void *record, char *word, struct err *e)
{
  struct compare_args *a = record;
  a->open = &a->traces;
  return take_word(a, word, e);
}

static enum status parse_mapper(void *record, char *word, struct err *e)
{
  struct compare_args *a = record;
  a->open = &a->mappers;
  return take_word(a, word, e);
}

static enum status parse_job(void *record, char *text, struct err *e)
{
  return job_specs_add(&((struct compare_args *)record)->settings.jobs, text, e);
}

static enum status parse_timeout(void *record, char *text, struct err *e)
{
  double *s = &((struct compare_args *)record)->timeout_s;
  if (num_quantity(text, NUM_TIME, s, e) != OK)
    return FAIL;
  return *s > 0 ? OK : err_set(e, "%s is no time", text);
}

/* "pdf,eps": each once. */
static enum status parse_formats(void *record, char *text, struct err *e)
{
  struct compare_args *a = record;
  size_t n = 0, k;
  for (char *word; (word = strsep(&text, ",")) != NULL;) {
    if (registry_get(&plot_formats, word, e) == NULL)
      return FAIL;
    for (k = 0; k < n && strcmp(a->format[k], word) != 0; k++)
      ;
    if (k < n)
      continue;
    assert(n < PLOT_MOST_FORMATS);
    a->format[n++] = word;
  }
  a->format[n] = NULL;
  return OK;
}

#define AT(FIELD) offsetof(struct compare_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, as torus:8x8x8", .at = AT(platform)},
    {"trace", 't', "T...", "Traces to replay", .kind = OPTION_PARSE, .parse = parse_trace},
    {"mapper", 'm', "M...",
     "Mapper specs, as random:seeds=1..10, and files of mappings, to compare", .kind = OPTION_PARSE,
     .parse = parse_mapper},
    {"output", 'o', "DIR", "Folder for the results; a campaign found there is continued",
     .at = AT(output)},
    {"jobs", 'j', "N", "Runs at a time (all cores); changes no result", .kind = OPTION_U32,
     .at = AT(jobs), .min = 1, .max = MOST_JOBS},
    {"job", 0, "JOB",
     "A program that runs besides, as load: TRACE[,mapping=M][,hosts=0-63][,start=S][,repeat]",
     .kind = OPTION_PARSE, .parse = parse_job},
    {"repeat", 0, "N",
     "Make each run N times, with other seeds of loads and --jitter, for mean and spread (1)",
     .kind = OPTION_U32, .at = AT(repeats), .min = 1, .max = 10000},
    {"timeout", 0, "S", "End a run after S seconds and report it as timeout (never)",
     .kind = OPTION_PARSE, .parse = parse_timeout},
    {"retry-failed", 0, NULL, "Run those again that failed or timed out", .kind = OPTION_FLAG,
     .at = AT(retry_failed)},
    {"seed", 0, "S", "Seed of --audit, and of mappers that have one and are given none (1)",
     .kind = OPTION_U64, .at = AT(seed), .max = UINT64_MAX},
    {"audit", 0, "N",
     "Repeat N of the runs on SimGrid and add a column with the relative difference",
     .kind = OPTION_U64, .at = AT(audit), .max = UINT64_MAX},
    {"baseline", 0, "M", "Mapper that speedups refer to (xyz, else the first)", .at = AT(baseline)},
    {"format", 0, "LIST", "Formats of the pictures: %s (svg,png)", .rows = &plot_formats,
     .kind = OPTION_PARSE, .parse = parse_formats},
    {"no-plots", 0, NULL, "Only the tables", .kind = OPTION_FLAG, .at = AT(no_plots)},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

/* Runs that are all alike say nothing. */
static enum status check_repeats(const struct compare_args *a, struct err *e)
{
  const struct settings *s = &a->settings;
  return a->repeats == 1 || s->options.jitter > 0 || s->options.loads.count > 0
             ? OK
             : err_set(e, "--repeat without --jitter or --background: all runs would be the same");
}

static enum status check(void *record, struct err *e)
{
  const struct compare_args *a = record;
  if (a->platform == NULL)
    return err_set(e, "no --platform given");
  if (a->traces.count == 0)
    return err_set(e, "no --trace given");
  if (a->mappers.count == 0)
    return err_set(e, "no --mapper given");
  return a->output == NULL || a->output[0] == '\0'
             ? err_set(e, "no folder for the results given (-o)")
             : check_repeats(a, e);
}

static uint32_t default_jobs(void)
{
  const uint32_t n = machine_cores();
  return n < MOST_JOBS ? n : MOST_JOBS;
}

static enum status check_baseline(struct compare_args *a, const struct plan *p, struct err *e)
{
  if (a->baseline == NULL)
    a->baseline = p->mapper[plan_find_mapper(p, "xyz") % p->mappers].label;
  if (plan_find_mapper(p, a->baseline) < p->mappers)
    return OK;
  return err_set(e, "baseline '%s' is none of the mappers, which have no seeds here: %s%s",
                 a->baseline, p->mapper[0].label, p->mappers > 1 ? ", ..." : "");
}

static enum status make_tables(const struct compare_args *a, const struct campaign_args *c,
                               struct campaign_outcome *out, struct err *e)
{
  if (campaign_run(c, out, e) != OK)
    return FAIL;
  printf("%s/results.tsv\n%s/summary.tsv\n", a->output, a->output);
  fflush(stdout);
  return OK;
}

static enum status failed_runs(const struct campaign_args *c, size_t failed, struct err *e)
{
  return err_set(e, "%zu of %zu runs failed; the reasons are in %s/results.tsv", failed,
                 c->plan->runs + c->audit->count, c->folder);
}

static enum status run_campaign(const struct compare_args *a, const struct campaign_args *c,
                                struct err *e)
{
  struct campaign_outcome out;
  if (make_tables(a, c, &out, e) != OK)
    return FAIL;
  const struct campaign_plots plots = {
      .campaign = c, .ok = out.ok, .baseline = a->baseline, .format = a->format};
  enum status s = a->no_plots ? OK : campaign_plots_draw(&plots, stdout, e);
  if (s == OK && out.failed > 0)
    s = failed_runs(c, out.failed, e);
  campaign_outcome_clear(&out);
  return s;
}

static enum status run_plan(struct compare_args *a, const struct plan *p, struct err *e)
{
  struct audit audit;
  const struct campaign_args c = {.plan = p,
                                  .settings = a->settings,
                                  .audit = &audit,
                                  .folder = a->output,
                                  .jobs = a->jobs,
                                  .timeout_s = a->timeout_s,
                                  .retry_failed = a->retry_failed,
                                  .extras = !a->no_plots};
  if (check_baseline(a, p, e) != OK ||
      audit_draw(&audit, p, &a->settings, a->audit, a->seed, e) != OK)
    return FAIL;
  const enum status s = run_campaign(a, &c, e);
  audit_clear(&audit);
  return s;
}

static enum status run(struct compare_args *a, struct err *e)
{
  const struct plan_args what = {.platform = a->platform,
                                 .trace = a->traces.word,
                                 .traces = a->traces.count,
                                 .mapper = a->mappers.word,
                                 .mappers = a->mappers.count,
                                 .seed = a->seed,
                                 .repeats = a->repeats,
                                 .settings = a->settings};
  struct plan p;
  if (plan_make(&p, &what, e) != OK)
    return FAIL;
  const enum status s = run_plan(a, &p, e);
  plan_clear(&p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "Replays every trace under every mapper on one platform and writes a table of the results "
      "and plots of them.  A run that fails is a row that says why; the same command goes on "
      "where an earlier one was stopped.",
      OPTIONS, take_word, check};
  struct compare_args a = {.jobs = default_jobs(),
                           .repeats = 1,
                           .format = {"svg", "png"},
                           .seed = 1,
                           .settings = settings_defaults()};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  const enum status s = run(&a, &e);
  free(a.traces.word);
  free(a.mappers.word);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_compare = {
    "compare", "replay traces under several mappers; tables and plots", run_command};
