#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/campaign.h"
#include "cli/cli.h"
#include "common/machine.h"
#include "common/mem.h"
#include "common/names.h"
#include "common/num.h"
#include "plots/campaign_plots.h"
#include "plots/plot.h"

enum { KEY_TIMEOUT = 256, KEY_RETRY, KEY_BASELINE, KEY_SEED, KEY_NO_PLOTS, KEY_FORMAT, KEY_AUDIT };

enum { MOST_JOBS = 1024, MOST_FORMATS = 8 };

static const struct argp_option OPTIONS[] = {
    {"platform", 'p', "P", 0, "Platform file or spec, as torus:8x8x8", 0},
    {"trace", 't', "T...", 0, "Traces to replay", 0},
    {"mapper", 'm', "M...", 0,
     "Mapper specs, as random:seeds=1..10, and files of mappings, to compare", 0},
    {"output", 'o', "DIR", 0, "Folder for the results; one that is there is gone on with", 0},
    {"jobs", 'j', "N", 0, "Runs at a time (all cores); changes no result", 0},
    {"timeout", KEY_TIMEOUT, "S", 0, "Give up a run after S seconds (never)", 0},
    {"retry-failed", KEY_RETRY, NULL, 0, "Make runs again that failed or timed out", 0},
    {"seed", KEY_SEED, "S", 0,
     "Seed of --audit, and of mappers that have one and are given none (1)", 0},
    {"audit", KEY_AUDIT, "N", 0,
     "Make N of the runs again on SimGrid and add a column with the relative difference", 0},
    {"baseline", KEY_BASELINE, "M", 0, "Mapper that speedups refer to (xyz, else the first)", 0},
    {"format", KEY_FORMAT, "LIST", 0, "Formats of the pictures: svg, png, pdf, eps (svg,png)", 0},
    {"no-plots", KEY_NO_PLOTS, NULL, 0, "Only the tables", 0},
    {0},
};

/* Words that follow --trace or --mapper belong to it. */
struct list {
  char **word;
  size_t count, room;
};

struct compare_args {
  const char *platform, *output, *baseline;
  struct list traces, mappers;
  struct list *open; /* where the next word goes */
  uint32_t jobs;
  uint64_t seed, audit;
  double timeout_s;
  bool retry_failed, no_plots;
  const char *format[MOST_FORMATS + 1]; /* of pictures; NULL behind the last */
  struct settings settings;
};

static void append(const struct argp_state *state, struct list *l, char *word)
{
  struct err e;
  if (MEM_GROW(l->word, l->room, l->count + 1, &e) != OK)
    argp_failure(state, CLI_FAILED, 0, "%s", e.text);
  l->word[l->count++] = word;
}

static void parse_word(struct compare_args *a, char *word, const struct argp_state *state)
{
  if (a->open == NULL)
    argp_error(state, "'%s' follows neither --trace nor --mapper", word);
  append(state, a->open, word);
}

static void check_args(const struct argp_state *state, const struct compare_args *a)
{
  if (a->platform == NULL)
    argp_error(state, "no --platform given");
  else if (a->traces.count == 0)
    argp_error(state, "no --trace given");
  else if (a->mappers.count == 0)
    argp_error(state, "no --mapper given");
  else if (a->output == NULL || a->output[0] == '\0')
    argp_error(state, "no folder for the results given (-o)");
}

static error_t parse_list(int key, char *arg, struct argp_state *state)
{
  struct compare_args *a = state->input;
  switch (key) {
  case 't':
    append(state, a->open = &a->traces, arg);
    return 0;
  case 'm':
    append(state, a->open = &a->mappers, arg);
    return 0;
  case ARGP_KEY_ARG:
    parse_word(a, arg, state);
    return 0;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &a->settings;
    return 0;
  case ARGP_KEY_END:
    check_args(state, a);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void parse_timeout(struct compare_args *a, const char *text, const struct argp_state *state)
{
  struct err e;
  if (num_quantity(text, NUM_TIME, &a->timeout_s, &e) != OK)
    argp_error(state, "--timeout: %s", e.text);
  else if (a->timeout_s <= 0)
    argp_error(state, "--timeout: %s is no time", text);
}

/* "pdf,eps": each once. */
static void parse_formats(struct compare_args *a, char *text, const struct argp_state *state)
{
  struct err e;
  bool given[MOST_FORMATS] = {false};
  size_t n = 0, row;
  for (char *word; (word = strsep(&text, ",")) != NULL;) {
    if (names_get(plot_format, "format", word, &row, &e) != OK)
      argp_error(state, "--format: %s", e.text);
    else if (!given[row])
      a->format[n++] = plot_format(row);
    given[row] = true;
  }
  a->format[n] = NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct compare_args *a = state->input;
  switch (key) {
  case 'p':
    a->platform = arg;
    return 0;
  case 'o':
    a->output = arg;
    return 0;
  case 'j':
    a->jobs = (uint32_t)cli_number(state, "--jobs", arg, 1, MOST_JOBS);
    return 0;
  case KEY_TIMEOUT:
    parse_timeout(a, arg, state);
    return 0;
  case KEY_RETRY:
    a->retry_failed = true;
    return 0;
  case KEY_SEED:
    a->seed = cli_number(state, "--seed", arg, 0, UINT64_MAX);
    return 0;
  case KEY_AUDIT:
    a->audit = cli_number(state, "--audit", arg, 0, UINT64_MAX);
    return 0;
  case KEY_BASELINE:
    a->baseline = arg;
    return 0;
  case KEY_FORMAT:
    parse_formats(a, arg, state);
    return 0;
  case KEY_NO_PLOTS:
    a->no_plots = true;
    return 0;
  default:
    return parse_list(key, arg, state);
  }
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
  printf("%s/results.tsv\n", a->output);
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
  static const struct argp_child CHILDREN[] = {{&cli_settings_argp, 0, NULL, 0}, {0}};
  static const struct argp ARGP = {
      OPTIONS,
      parse,
      NULL,
      "Replays every trace under every mapper on one platform and writes a table of the results "
      "and plots of them.  A run that fails is a row that says why; the same command goes on "
      "where an earlier one was stopped.",
      CHILDREN,
      NULL,
      NULL};
  struct compare_args a = {
      .jobs = default_jobs(), .format = {"svg", "png"}, .seed = 1, .settings = settings_defaults()};
  struct err e;
  cli_parse(&ARGP, argc, argv, &a);
  const enum status s = run(&a, &e);
  free(a.traces.word);
  free(a.mappers.word);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_compare = {
    "compare", "replay traces under several mappers; tables and plots", run_command};
