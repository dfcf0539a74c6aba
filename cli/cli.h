/** @file cli.h
 *  Functions shared by the subcommands.  Each subcommand is one file, cmd_NAME.c, which parses
 *  options (options.h) and prints a report, without algorithms.  Exit codes: 0 done, 1 failed, 2
 *  bad usage.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "common/report.h"
#include "setup/inputs.h"
#include "setup/jobs.h"
#include "setup/settings.h"
#include "sim/coverage.h"
#include "sim/sim.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/** A subcommand: a row of the table in main.c, defined in cmd_NAME.c. */
struct cli_command {
  const char *name;                  /**< "map" */
  const char *help;                  /**< one line */
  int (*run)(int argc, char **argv); /**< argv[0] is "haichi map"; returns an exit code */
};

/** Runs the subcommand that argv[1] names.  @p all lists the subcommands, as struct cli_command.
 *  --help prints the list.  @p operands is the end of the usage line, "" or " TRACE"; argv[0] is,
 *  for example, "haichi trace".  Returns an exit code. */
int cli_run_subcommand(const struct registry *all, const char *operands, int argc, char **argv);

/** Prints "haichi: ERROR" on stderr; returns CLI_FAILED. */
int cli_fail(const struct err *e);

/** Default options of reading traces; notes of traces go to stderr. */
struct reading cli_reading(void);

/** Default settings.  @p counts: the command only counts messages and simulates nothing. */
struct settings cli_settings(bool counts);

/** Maximum of --jobs. */
enum { CLI_MOST_JOBS = 1024 };

/** Runs in parallel: @p given, or the number of cores if it is 0. */
uint32_t cli_jobs(uint32_t given);

/** The stream of a report: standard output, but standard error if one of the @p n output files is
 *  "-", so that standard output has only the table.  Entries of @p path may be NULL. */
FILE *cli_report_stream(const char *const *path, size_t n);

/** Checks the programs of a command that takes either --trace or --job: there is one, and at least
 *  one job ends. */
enum status cli_check_programs(const char *trace, const struct job_specs *jobs, struct err *e);

/** Runs a command that simulates.  @p run writes the list of blocked ranks to @p blocked, a
 *  temporary file whose contents are printed on stderr after the error.  Returns an exit code. */
int cli_simulate(enum status (*run)(const void *args, FILE *blocked, struct err *e),
                 const void *args);

/** Notes on stderr that the platform has firewalls, unless @p o has an overlay: only overlays
 *  simulate firewalls. */
void cli_note_firewalls(const struct platform *p, const struct sim_options *o);

/** Notes on stderr the messages in @p c that a calibrated platform does not cover. */
void cli_note_coverage(const struct platform *p, const struct coverage *c);

/** Notes on stderr the first host on which the jobs have more ranks than it has cores, if any,
 *  unless computations take no time. */
void cli_note_cores(const struct platform *p, const struct placed_job *job, size_t jobs,
                    const struct sim_options *o);

/** cli_note_cores() for a mapping with @p each ranks on each host. */
void cli_note_cores_each(const struct platform *p, uint32_t each, const struct sim_options *o);

/** True if pictures can be drawn.  Notes on stderr the reason if not. */
bool cli_can_draw(void);

/** Notes on stderr that a mapper had to move @p moved ranks (mapper.h), if there are any. */
void cli_note_moved(const char *mapper, uint32_t moved);

struct trace;

/** Prints the remarks of a trace that has been read (trace_next_note()) on standard error.  Accepts
 *  NULL. */
void cli_print_notes(struct trace *t);
