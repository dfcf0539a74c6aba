/** @file cli.h
 *  What the subcommands share.  Each is one file, cmd_NAME.c: options in (argp), report out, no
 *  algorithm.  Exit 0 done, 1 failed, 2 bad usage.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "campaign/inputs.h"
#include "common/err.h"
#include "common/names.h"
#include "common/report.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/** A subcommand: a row of the table in main.c, defined in cmd_NAME.c. */
struct cli_command {
  const char *name;                  /**< "map" */
  const char *help;                  /**< one line */
  int (*run)(int argc, char **argv); /**< argv[0] is "haichi map"; returns an exit code */
};

/** Parses with argp, words in their order: --help on stdout, exit 2 on bad usage ("haichi CMD: ..."
 *  and a hint). */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/** A whole number in [min, max] given to option @p option; anything else is bad usage. */
uint64_t cli_number(const struct argp_state *state, const char *option, const char *text,
                    uint64_t min, uint64_t max);

/** For the `children` of a command's argp, with a struct reading as input: --unpack-limit; and
 *  the same with --collective. */
extern const struct argp cli_unpack_argp, cli_reading_argp;

/** "BEFORE a, b or c (a)": the names of a table, whose first row is the default, for the
 * help_filter of an argp, which frees it; NULL without memory. */
char *cli_help_names(const char *before, names_fn *names);

/** The value of --format of a report; anything else is bad usage. */
void cli_report_format(const struct argp_state *state, enum report_format *format,
                       const char *text);

/** Keeps the operand @p text in *place; a second one is bad usage. */
void cli_operand(const struct argp_state *state, const char **place, const char *text);

/** Prints "haichi: SENTENCE" on stderr; returns CLI_FAILED. */
int cli_fail(const struct err *e);

/** For the `children` of the argp of `sim` and `compare`: how a run is simulated; its input is a
 *  struct settings. */
extern const struct argp cli_settings_argp;

#endif
