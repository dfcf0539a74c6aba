#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/memfile.h"
#include "common/files/outfile.h"
#include "common/num.h"
#include "common/process/machine.h"
#include "mappers/schedule/scheduler.h"
#include "plots/plot.h"
#include "setup/tasknets.h"

/* Watches the search of a scheduler: a progress line on a terminal, and SIGINT or SIGTERM to stop
 * the search. */

static const int SIGNALS[] = {SIGINT, SIGTERM};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof *SIGNALS };

static struct sigaction saved_actions[SIGNAL_COUNT];
static volatile sig_atomic_t watching, stopped;

static void restore_handlers(void)
{
  for (int i = 0; i < SIGNAL_COUNT; i++)
    sigaction(SIGNALS[i], &saved_actions[i], NULL);
}

static void on_signal(int number)
{
  (void)number;
  stopped = 1;
  restore_handlers();
}

static void install_handlers(void)
{
  struct sigaction action = {.sa_handler = on_signal};
  sigfillset(&action.sa_mask);
  stopped = 0;
  for (int i = 0; i < SIGNAL_COUNT; i++)
    sigaction(SIGNALS[i], NULL, &saved_actions[i]);
  for (int i = 0; i < SIGNAL_COUNT; i++)
    if (saved_actions[i].sa_handler != SIG_IGN)
      sigaction(SIGNALS[i], &action, NULL);
  watching = 1;
}

static void draw_progress(const struct scheduler_search *s)
{
  static double next_s;
  if (isatty(STDERR_FILENO) == 0)
    return;
  if (!s->running)
    fputs("\r\033[K", stderr);
  else if (machine_seconds() >= next_s) {
    next_s = machine_seconds() + 0.2;
    fprintf(stderr,
            "\r%" PRIu64 " partial schedules, best %.6g s, lower bound %.6g s (Ctrl-C keeps the "
            "best)\033[K",
            s->nodes, s->best_s, s->bound_s);
  }
  fflush(stderr);
}

/* Callback `watch` of struct scheduler_search, for one search at a time.  Draws on stderr if that
 * is a terminal.  The first SIGINT or SIGTERM stops the search, the second one ends the process;
 * signals that were ignored stay ignored. */
static bool search_watch(struct scheduler_search *s)
{
  if (s->running && !watching)
    install_handlers();
  draw_progress(s);
  if (!s->running && watching) {
    restore_handlers();
    watching = 0;
  }
  return !stopped;
}

/* If the search of @p scheduler, a spec, was stopped, prints on stderr the reason, the makespan of
 * the best schedule, and the lower bound of the optimum. */
static void search_note(const struct scheduler_search *s, const char *scheduler)
{
  if (s->stopped != NULL)
    fprintf(stderr,
            "haichi: note: scheduler '%.*s' was stopped by %s after %" PRIu64
            " partial schedules; makespan %.9g s, lower bound %.9g s\n",
            (int)strcspn(scheduler, ":"), scheduler, s->stopped, s->nodes, s->best_s, s->bound_s);
}

struct schedule_args {
  struct tasknets_options options;
  const struct report_format *format;
  const struct sim_model *network_model; /* NULL: not given */
  const char *gantt;                     /* picture; NULL: none */
  struct scheduler_search search;
};

#define AT(FIELD) offsetof(struct schedule_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(options.network)},
    {"platform", 'p', "P", "Platform file or spec, e.g. random-clusters:seed=1",
     .at = AT(options.platform), .required = true},
    {"cores", 0, "N", "Cores per host, if the platform is a spec (1)", .kind = OPTION_U32,
     .at = AT(options.cores), .min = 1, .max = PLATFORM_MOST_CORES},
    {"scheduler", 's', "S", "Scheduler, e.g. hierarchical (see haichi list schedulers)",
     .at = AT(options.scheduler)},
    {"time", 0, "S",
     "CPU time limit of a scheduler that searches, e.g. optimal; its best schedule is kept (none)",
     .kind = OPTION_QUANTITY, .unit = NUM_TIME, .bare = true, .at = AT(search.seconds),
     .needs = "scheduler"},
    {"schedule", 0, "FILE", "Read a schedule that --output wrote, instead of computing one",
     .at = AT(options.schedule)},
    {"steal", 0, "POLICY", "Work stealing policy of idle hosts: %s (none)", .kind = OPTION_ROW,
     .at = AT(options.steal), .rows = &steal_policies},
    {"background", 0, "LOAD", "Background load, e.g. tasks:10 or links:p=0.1; may be repeated",
     .kind = OPTION_PARSE, .parse = settings_parse_load, .at = AT(options.loads), .several = true},
    {"model", 0, "MODEL", "Execution model of the task network: %s (abstract)", .kind = OPTION_ROW,
     .at = AT(options.model), .rows = &tasknets_models},
    {"network-model", 0, "MODEL", "Model of the links, with every model but abstract: %s (smpi)",
     .kind = OPTION_ROW, .at = AT(network_model), .rows = &sim_models},
    {"precision", 0, "S", "Merge simulated events closer than this many seconds (1e-9)",
     .kind = OPTION_DOUBLE, .at = AT(options.precision_s), .least = 1e-15, .most = 1},
    {"maxmin-precision", 0, "X",
     "Precision of SimGrid's bandwidth sharing; unused by --model flow (1e-5)",
     .kind = OPTION_DOUBLE, .at = AT(options.maxmin_precision), .least = 1e-15, .most = 1e-2},
    {"work", 0, "FLOPS", "Flops of a computation cost of 1 (from the network file, or 1Gf)",
     .kind = OPTION_QUANTITY, .unit = NUM_SPEED, .at = AT(options.units.work)},
    {"data", 0, "BYTES", "Bytes of a communication cost of 1 (from the network file, or 1MB)",
     .kind = OPTION_QUANTITY, .unit = NUM_SIZE, .at = AT(options.units.data)},
    {"seed", 0, "S", "Random seed of stealing; S - 1 is added to the seeds of --background (1)",
     .kind = OPTION_U64, .at = AT(options.seed), .min = 1, .max = UINT32_MAX},
    {"output", 'o', "FILE", "Write the schedule", .at = AT(options.output), .writes = true},
    {"per-task", 0, "FILE",
     "Write host, start and end of each task, and how long its host waited for input",
     .at = AT(options.per_task), .writes = true},
    {"per-host", 0, "FILE", "Write tasks, busy time and waiting time of each host",
     .at = AT(options.per_host), .writes = true},
    {"timeline", 0, "FILE", "Write a timeline of the hosts", .at = AT(options.timeline),
     .writes = true},
    {"timeline-format", 0, "FORMAT",
     "Format of --timeline: csv, paje or chrome (by the extension of its FILE)", .kind = OPTION_ROW,
     .at = AT(options.timeline_format), .rows = &timeline_formats, .needs = "timeline"},
    {"gantt", 0, "PICTURE",
     "Draw a Gantt chart of the hosts; the extension .svg, .png, .pdf or .eps selects the format",
     .at = AT(gantt), .writes = true},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.name = NULL},
};

static enum status complete_options(struct schedule_args *a, struct err *e)
{
  struct tasknets_options *o = &a->options;
  if (a->network_model != NULL && o->model->engine == NULL)
    return err_set(e, "--network-model: model %s has no links", o->model->name);
  const struct tasknets_options usual = tasknets_defaults();
  if (o->model->engine == NULL &&
      (o->precision_s != usual.precision_s || o->maxmin_precision != usual.maxmin_precision))
    return err_set(e, "--precision and --maxmin-precision: model %s simulates no events",
                   o->model->name);
  if (a->network_model != NULL)
    o->network_model = a->network_model;
  if (a->gantt != NULL && plot_check_output(a->gantt, e) != OK)
    return FAIL;
  const char *const file[] = {o->output, o->per_task, o->per_host, o->timeline, a->gantt};
  if (outfile_check_distinct(file, 5, e) != OK ||
      options_timeline(o->timeline, &o->timeline_format, e) != OK)
    return FAIL;
  if (o->timeline != NULL && o->timeline_format->archive)
    return err_set(e, "--timeline: format %s is for the ranks of MPI programs, not for tasks",
                   o->timeline_format->name);
  return OK;
}

static enum status check(void *record, struct err *e)
{
  const struct tasknets_options *o = &((struct schedule_args *)record)->options;
  if ((o->scheduler == NULL) == (o->schedule == NULL))
    return err_set(e, "give either --scheduler or --schedule");
  return complete_options(record, e);
}

static enum status draw(const struct memfile *timeline, const struct schedule_args *a,
                        struct err *e)
{
  const char *const input[] = {timeline->path}, *const output[] = {a->gantt};
  const struct plot p = {.kind = "timeline",
                         .input = input,
                         .inputs = 1,
                         .platform = a->options.on,
                         .output = output,
                         .outputs = 1};
  return plot_draw(&p, e);
}

static enum status run_and_draw(struct schedule_args *a, struct tasknets_result *out, struct err *e)
{
  struct memfile timeline;
  struct platform *p;
  if (a->gantt == NULL)
    return tasknets_run(&a->options, out, e);
  if (outfile_check(a->gantt, e) != OK ||
      inputs_platform(&p, a->options.platform, a->options.cores, e) != OK)
    return FAIL;
  a->options.on = p;
  enum status s = memfile_open(&timeline, "timeline", e);
  if (s == OK) {
    a->options.gantt = timeline.f;
    s = tasknets_run(&a->options, out, e);
    if (s == OK)
      s = memfile_flush(&timeline, e);
    if (s == OK)
      s = draw(&timeline, a, e);
    memfile_close(&timeline);
  }
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "NETWORK",
      "Maps a network of dependent tasks onto the hosts of a platform, and executes it on them in "
      "simulated time.",
      OPTIONS, NULL, check};
  struct schedule_args a = {.options = tasknets_defaults(),
                            .search = {.watch = search_watch, .bound_s = NAN}};
  struct tasknets_result result;
  struct report r;
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  a.options.search = &a.search;
  if (run_and_draw(&a, &result, &e) != OK)
    return cli_fail(&e);
  const struct tasknets_options *o = &a.options;
  const char *const files[] = {o->output, o->per_task, o->per_host, o->timeline};
  report_begin(&r, cli_report_stream(files, 4), a.format);
  tasknets_report(&result, &r);
  report_end(&r);
  search_note(&a.search, a.options.scheduler);
  if (a.options.scheduler != NULL)
    fprintf(stderr, "scheduling_time_s\t%.6f\n", result.scheduling_s);
  return CLI_OK;
}

const struct cli_command cmd_schedule = {"schedule", "schedule a network of tasks, and execute it",
                                         run_command};
