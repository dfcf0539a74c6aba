/** @file cli.h
 *  Shared part of the subcommands.  Each subcommand is one file, cmd_NAME.c, that parses options
 *  (argp) and prints a report, without algorithms.  Exit codes: 0 done, 1 failed, 2 bad usage.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/inputs.h"
#include "common/err.h"
#include "common/registry.h"
#include "common/report.h"
#include "sim/sim.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/** A subcommand: a row of the table in main.c, defined in cmd_NAME.c. */
struct cli_command {
  const char *name;                  /**< "map" */
  const char *help;                  /**< one line */
  int (*run)(int argc, char **argv); /**< argv[0] is "haichi map"; returns an exit code */
};

/** Runs the subcommand that argv[1] names, a struct cli_command of @p all, or prints what there is
 *  for --help; @p operands is what usage shows of operands: "" or " TRACE".  argv[0] is "haichi
 *  trace".  Returns an exit code. */
int cli_run_subcommand(const struct registry *all, const char *operands, int argc, char **argv);

/** Prints "haichi: SENTENCE" on stderr; returns CLI_FAILED. */
int cli_fail(const struct err *e);

/** Runs a command that simulates: what @p run writes to its file, the list of blocked ranks,
 *  follows the sentence of its error on stderr.  Returns an exit code. */
int cli_simulate(enum status (*run)(const void *args, FILE *blocked, struct err *e),
                 const void *args);

/** Says on stderr that a platform has firewalls, if @p o has no overlay: only overlays simulate
 *  firewalls. */
void cli_note_firewalls(const struct platform *p, const struct sim_options *o);

/** Says on stderr which host has more ranks than cores, if one has and computations take time. */
void cli_note_cores(const struct platform *p, const struct mapping *m, const struct sim_options *o);

/** The same with @p each ranks on every host. */
void cli_note_cores_each(const struct platform *p, uint32_t each, const struct sim_options *o);

/** Says on stderr that a mapper had to move @p moved ranks (mapper.h), unless there are none. */
void cli_note_moved(const char *mapper, uint32_t moved);

#endif
