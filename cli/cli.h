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

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/** A subcommand: a row of the table in main.c, defined in cmd_NAME.c. */
struct cli_command {
  const char *name;                  /**< "map" */
  const char *help;                  /**< one line */
  int (*run)(int argc, char **argv); /**< argv[0] is "haichi map"; returns an exit code */
};

/** Prints "haichi: SENTENCE" on stderr; returns CLI_FAILED. */
int cli_fail(const struct err *e);

/** Runs the subcommand, a row of struct cli_command, that argv[1] names; @p operand is what all of
 *  them take, for the help.  Returns an exit code. */
int cli_subcommand(const struct registry *subcommands, const char *operand, int argc, char **argv);

/** Runs a command that simulates: what @p run writes to its file, the list of blocked ranks,
 *  follows the sentence of its error on stderr.  Returns an exit code. */
int cli_simulate(enum status (*run)(const void *args, FILE *blocked, struct err *e),
                 const void *args);

/** Says on stderr that a mapper had to move @p moved ranks (mapper.h), unless there are none. */
void cli_note_moved(const char *mapper, uint32_t moved);

#endif
