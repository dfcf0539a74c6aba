#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/compare/compare.h"
#include "cli/options.h"
#include "common/mem.h"
#include "common/num.h"
#include "tasks/generate.h"

/* An operand belongs to the last list option before it, such as --trace or --mapper. */
static enum status take_word(void *record, char *word, struct err *e)
{
  struct plan_words *l = ((struct compare_args *)record)->open;
  if (l == NULL)
    return err_set(e, "'%s' must follow an option that takes a list, such as --trace or --network",
                   word);
  if (MEM_GROW(l->word, l->room, l->count + 1, e) != OK)
    return FAIL;
  l->word[l->count++] = word;
  return OK;
}

/* Opens a list, a member of compare_args, and adds its first word. */
#define PARSE_LIST(name, list)                                                                     \
  static enum status parse_##name(void *record, char *word, struct err *e)                         \
  {                                                                                                \
    struct compare_args *a = record;                                                               \
    a->open = &a->list;                                                                            \
    return take_word(a, word, e);                                                                  \
  }

PARSE_LIST(platforms, machine[MACHINE_PLATFORM])
PARSE_LIST(traces, traces)
PARSE_LIST(matrices, matrices)
PARSE_LIST(mappers, mappers)
PARSE_LIST(networks, networks)
PARSE_LIST(schedulers, schedulers)
PARSE_LIST(loads, loads)
PARSE_LIST(steals, steals)

static enum status check_value(enum machine_option o, const char *word, struct err *e)
{
  double quantity;
  uint32_t number;
  if (o == MACHINE_CORES || o == MACHINE_RANKS)
    return machine_number(o, word, &number, e);
  return num_quantity(word, o == MACHINE_LATENCY ? NUM_TIME : NUM_BANDWIDTH, &quantity, e);
}

/* Splits "1GBps,10GBps" in place. */
static enum status parse_values(struct compare_args *a, enum machine_option o, char *text,
                                struct err *e)
{
  struct plan_words *l = &a->machine[o];
  for (char *word; (word = strsep(&text, ",")) != NULL;) {
    if (check_value(o, word, e) != OK || MEM_GROW(l->word, l->room, l->count + 1, e) != OK)
      return FAIL;
    l->word[l->count++] = word;
  }
  return OK;
}

static enum status parse_bandwidth(void *record, char *text, struct err *e)
{
  return parse_values(record, MACHINE_BANDWIDTH, text, e);
}

static enum status parse_latency(void *record, char *text, struct err *e)
{
  return parse_values(record, MACHINE_LATENCY, text, e);
}

/* A single value becomes a setting of all platforms; a list of values makes a platform for each
 * value. */
static enum status parse_numbers(struct compare_args *a, enum machine_option o, char *text,
                                 uint32_t *setting, struct err *e)
{
  if (parse_values(a, o, text, e) != OK)
    return FAIL;
  if (a->machine[o].count > 1)
    return OK;
  a->machine[o].count = 0;
  return machine_number(o, a->machine[o].word[0], setting, e);
}

static enum status parse_cores(void *record, char *text, struct err *e)
{
  struct compare_args *a = record;
  return parse_numbers(a, MACHINE_CORES, text, &a->settings.cores, e);
}

static enum status parse_ranks(void *record, char *text, struct err *e)
{
  struct compare_args *a = record;
  return parse_numbers(a, MACHINE_RANKS, text, &a->settings.reading.collectives.ranks_per_host, e);
}

/* Models of traces and models of networks have different names, so one option takes both. */
static enum status parse_model(void *record, char *text, struct err *e)
{
  struct compare_args *a = record;
  a->execution = registry_find(&tasknets_models, text, strlen(text));
  if (a->execution != NULL)
    return OK;
  if ((a->model = registry_get(&sim_models, text, e)) == NULL)
    return FAIL;
  a->settings.options.model = a->model;
  return OK;
}

static enum status parse_on(void *backend, char *text, struct err *e)
{
  return backend_spec_parse(backend, text, e);
}

/* Parses "pdf,eps"; repeated formats are ignored. */
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
    {"platform", 'p', "P...", "Platforms, files or specs, as torus:8x8x8", .kind = OPTION_PARSE,
     .parse = parse_platforms, .several = true},
    {"bandwidth", 0, "LIST",
     "Bandwidth of each link of platforms that are specs, as 1GBps,10GBps (1.25GBps); each "
     "combination of values of this option, --latency, --cores and --ranks-per-host is a platform",
     .kind = OPTION_PARSE, .parse = parse_bandwidth},
    {"latency", 0, "LIST", "Latency of each link of platforms that are specs (100ns)",
     .kind = OPTION_PARSE, .parse = parse_latency},
    {"cores", 0, "LIST", "Cores of every host of platforms that are specs, as 1,4 (1)",
     .kind = OPTION_PARSE, .parse = parse_cores},
    {"ranks-per-host", 0, "LIST", "Ranks that a host takes, as 1,2 (1)", .kind = OPTION_PARSE,
     .parse = parse_ranks},
    {"trace", 't', "T...", "Traces to replay", .kind = OPTION_PARSE, .parse = parse_traces,
     .several = true},
    {"matrix", 0, "M...",
     "Instead of traces: traffic matrices, files or specs; their mappings are scored, not "
     "simulated",
     .kind = OPTION_PARSE, .parse = parse_matrices, .several = true, .excludes = "trace audit"},
    {.kind = OPTION_TABLE, .table = matrix_options, .at = AT(matrix)},
    {"mapper", 'm', "M...",
     "Mapper specs, as random:seeds=1..10, and files of mappings, to compare", .kind = OPTION_PARSE,
     .parse = parse_mappers, .several = true},
    {"mapping", 0, "M", "--mapper (-m) takes files of mappings, too, besides mapper specs",
     .kind = OPTION_HINT},
    {"network", 0, "N...", "Instead of traces: networks of tasks to schedule, files or specs",
     .kind = OPTION_PARSE, .parse = parse_networks, .several = true,
     .excludes = "trace mapper matrix ranks-per-host audit explain"},
    {"scheduler", 's', "S...", "For networks: schedulers to compare, as heft hierarchical",
     .kind = OPTION_PARSE, .parse = parse_schedulers, .several = true, .needs = "network"},
    {"load", 0, "LOAD...", "For networks: background loads, as none tasks:10 (none)",
     .kind = OPTION_PARSE, .parse = parse_loads, .several = true, .needs = "network"},
    {"steal", 0, "POLICY...", "For networks: policies of stealing, %s (none)", .kind = OPTION_PARSE,
     .parse = parse_steals, .several = true, .rows = &steal_policies, .needs = "network"},
    {"model", 'M', "MODEL",
     "Network model of traces: %s (smpi); or execution model of networks, as for haichi schedule "
     "(abstract)",
     .kind = OPTION_PARSE, .parse = parse_model, .rows = &sim_models},
    {"network-model", 0, "MODEL",
     "For networks, with a --model other than abstract: model of the links: %s (smpi)",
     .kind = OPTION_ROW, .at = AT(network_model), .rows = &sim_models, .needs = "network"},
    {"work", 0, "FLOPS",
     "For networks: flops of a computation cost of 1 (default as for haichi schedule)",
     .kind = OPTION_QUANTITY, .unit = NUM_SPEED, .at = AT(tasknets.units.work), .needs = "network"},
    {"data", 0, "BYTES",
     "For networks: bytes of a communication cost of 1 (default as for haichi schedule)",
     .kind = OPTION_QUANTITY, .unit = NUM_SIZE, .at = AT(tasknets.units.data), .needs = "network"},
    {"output", 'o', "DIR", "Folder for the results; a campaign found there is continued",
     .at = AT(output)},
    {"jobs", 'j', "N", "Runs in parallel (all cores; 1 in a task of --on); changes no result",
     .kind = OPTION_U32, .at = AT(jobs), .min = 1, .max = CLI_MOST_JOBS},
    {"on", 0, "WHERE", "Execute the runs on other machines: %s, as slurm:partition=long,time=30",
     .rows = &backends, .kind = OPTION_PARSE, .parse = parse_on, .at = AT(remote.on)},
    {"chunk", 0, "N", "Runs per task of --on (for about a minute per task)", .kind = OPTION_U32,
     .at = AT(remote.chunk), .min = 1, .max = PLAN_MAX_RUNS, .needs = "on"},
    {"detach", 0, NULL,
     "End once the runs are submitted; run the same command again to get the results",
     .kind = OPTION_FLAG, .at = AT(remote.detach), .needs = "on"},
    {"status", 0, "DIR", "Only print the progress of the campaign in DIR", .at = AT(status)},
    {"repeat", 0, "N",
     "Make each run N times (1), each time with different seeds of loads, --jitter, stealing and "
     "random networks; the tables then have means and standard deviations",
     .kind = OPTION_U32, .at = AT(repeats), .min = 1, .max = 10000},
    {"timeout", 0, "S", "End a run after S seconds and report it as timeout (never)",
     .kind = OPTION_QUANTITY, .unit = NUM_TIME, .bare = true, .least = DBL_MIN,
     .at = AT(timeout_s)},
    {"retry-failed", 0, NULL, "Repeat runs that failed or timed out", .kind = OPTION_FLAG,
     .at = AT(retry_failed)},
    {"overwrite", 0, NULL, "Replace a different campaign in DIR", .kind = OPTION_FLAG,
     .at = AT(overwrite)},
    {"seed", 0, "S",
     "Seed of --audit, of mappers whose spec has no seed, and of the first run of each network (1)",
     .kind = OPTION_U64, .at = AT(seed), .max = UINT64_MAX},
    {"audit", 0, "N",
     "Repeat N of the runs on SimGrid and add a column with the relative difference",
     .kind = OPTION_U64, .at = AT(audit), .max = UINT64_MAX},
    {"baseline", 'b', "M",
     "Mapper or scheduler to compare the others with (xyz or heft; the first one if the campaign "
     "lacks it)",
     .at = AT(baseline)},
    {"format", 0, "LIST", "Formats of the pictures: %s (svg,png)", .rows = &plot_formats,
     .kind = OPTION_PARSE, .parse = parse_formats},
    {"explain", 0, NULL, "Write why the fastest mapping of each trace is faster than the baseline",
     .kind = OPTION_FLAG, .at = AT(explain), .needs = "trace", .excludes = "job"},
    {"no-plots", 0, NULL, "Only the tables", .kind = OPTION_FLAG, .at = AT(no_plots)},
    {.kind = OPTION_TABLE, .table = job_settings_options, .at = AT(settings)},
    {.name = NULL},
};

/* --- checks ----------------------------------------------------------------------------------- */

/* True if the list has a word other than "none". */
static bool has_any(const struct plan_words *l)
{
  for (size_t i = 0; i < l->count; i++)
    if (strcmp(l->word[i], "none") != 0)
      return true;
  return false;
}

static bool has_random_network(const struct compare_args *a)
{
  for (size_t i = 0; i < a->networks.count; i++)
    if (tasknet_is_spec(a->networks.word[i]))
      return true;
  return false;
}

/* Refuses repetitions without any source of randomness. */
static enum status check_repeats(const struct compare_args *a, struct err *e)
{
  const struct settings *s = &a->settings;
  if (a->repeats == 1 || s->options.loads.count > 0)
    return OK;
  if (a->networks.count == 0)
    return s->options.jitter > 0
               ? OK
               : err_set(e, "--repeat without --jitter or --background: all runs would be equal");
  return has_any(&a->loads) || has_any(&a->steals) || has_random_network(a)
             ? OK
             : err_set(e, "--repeat without a --load, --steal or random network: all runs would be "
                          "equal");
}

static enum status check_networks(const struct compare_args *a, struct err *e)
{
  if (a->schedulers.count == 0)
    return err_set(e, "no --scheduler given");
  if (a->model != NULL)
    return err_set(e, "--model %s is for traces; use --network-model for networks", a->model->name);
  if (a->network_model != NULL && (a->execution == NULL || a->execution->engine == NULL))
    return err_set(e, "--network-model: model abstract has no links");
  if (a->seed == 0 || a->seed > UINT32_MAX)
    return err_set(e, "--seed %" PRIu64 ": with --network, the seed is from 1 to %" PRIu32, a->seed,
                   UINT32_MAX);
  static const char *const ALLOWED[] = {"cores", "background", "precision", "maxmin-precision",
                                        NULL};
  return options_without_trace(&a->settings, ALLOWED, "--network", e);
}

/* Refuses a model of networks, and a campaign without mappers. */
static enum status check_mappers(const struct compare_args *a, struct err *e)
{
  if (a->execution != NULL)
    return err_set(e, "--model %s without --network", a->execution->name);
  if (a->traces.count == 0 && a->matrices.count == 0)
    return err_set(e, "no --trace, --matrix or --network given");
  return a->mappers.count == 0 ? err_set(e, "no --mapper given") : OK;
}

static enum status check_subjects(const struct compare_args *a, struct err *e)
{
  if (a->networks.count > 0)
    return check_networks(a, e);
  if (check_mappers(a, e) != OK)
    return FAIL;
  return a->matrices.count > 0
             ? options_without_trace(&a->settings, options_of_matrix, "--matrix", e)
             : OK;
}

static enum status check_explain(const struct compare_args *a, struct err *e)
{
  return !a->explain || a->settings.options.engine->records
             ? OK
             : err_set(e, "--explain: engine %s does not record causes; use engine flow",
                       a->settings.options.engine->name);
}

static enum status check(void *record, struct err *e)
{
  const struct compare_args *a = record;
  if (a->status != NULL)
    return OK;
  if (check_explain(a, e) != OK)
    return FAIL;
  if (a->machine[MACHINE_PLATFORM].count == 0)
    return err_set(e, "no --platform given");
  if (check_subjects(a, e) != OK)
    return FAIL;
  return a->output == NULL || a->output[0] == '\0'
             ? err_set(e, "no folder for the results given (-o)")
             : check_repeats(a, e);
}

/* --- parsing -------------------------------------------------------------------------------- */

void compare_args_parse(struct compare_args *a, int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "On every platform, replays every trace under every mapper, scores the mapping of every "
      "matrix by every mapper, or executes every network of tasks under every load with the "
      "schedule of every scheduler.  Writes tables and plots of the results.  A failed run is a "
      "row with the reason.  Run the same command again to resume.",
      OPTIONS, take_word, check};
  *a = (struct compare_args){.repeats = 1,
                             .format = {"svg", "png"},
                             .seed = 1,
                             .settings = cli_settings(false),
                             .tasknets = tasknets_defaults()};
  options_parse(&USAGE, argc, argv, a);
  if (a->jobs == 0)
    a->jobs = a->remote.on.backend != NULL ? 1 : cli_jobs(0);
}

void compare_args_clear(struct compare_args *a)
{
  const struct plan_words *const all[] = {&a->traces,     &a->matrices, &a->mappers, &a->networks,
                                          &a->schedulers, &a->loads,    &a->steals};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]->word);
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    free(a->machine[o].word);
  backend_spec_clear(&a->remote.on);
  submission_words_clear(&a->remote.words);
}

/* --- arguments of plan and campaign ----------------------------------------------------------- */

static struct tasknets_options tasknets_of(const struct compare_args *a)
{
  struct tasknets_options o = a->tasknets;
  o.cores = a->settings.cores;
  const struct sim_options *shared = &a->settings.options;
  o.loads = shared->loads;
  o.precision_s = shared->precision_s;
  o.maxmin_precision = shared->maxmin_precision;
  o.model = a->execution != NULL ? a->execution : o.model;
  o.network_model = a->network_model != NULL ? a->network_model : o.network_model;
  return o;
}

struct plan_args compare_args_plan(const struct compare_args *a, const bool *needed)
{
  const bool networks = a->networks.count > 0, matrices = a->matrices.count > 0;
  struct plan_args args = {.kind = networks   ? &kind_networks
                                   : matrices ? &kind_matrices
                                              : &kind_traces,
                           .subject = networks   ? a->networks
                                      : matrices ? a->matrices
                                                 : a->traces,
                           .method = networks ? a->schedulers : a->mappers,
                           .load = a->loads,
                           .steal = a->steals,
                           .needed = needed,
                           .seed = a->seed,
                           .repeats = a->repeats,
                           .settings = a->settings,
                           .matrix = a->matrix,
                           .tasknets = tasknets_of(a)};
  memcpy(args.machine, a->machine, sizeof args.machine);
  return args;
}

struct campaign_args compare_args_campaign(const struct compare_args *a, const struct plan *p,
                                           const struct audit *audit)
{
  return (struct campaign_args){.plan = p,
                                .settings = a->settings,
                                .audit = audit,
                                .folder = a->output,
                                .jobs = a->jobs,
                                .timeout_s = a->timeout_s,
                                .retry_failed = a->retry_failed,
                                .overwrite = a->overwrite,
                                .remote = a->remote.on.backend == NULL ? NULL : &a->remote,
                                .extras = !a->no_plots};
}
