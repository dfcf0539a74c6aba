/** @file cli.h
 *  What the subcommands share.  Each is one file, cmd_NAME.c: options in (argp), report out, no
 *  algorithm.  Exit 0 done, 1 failed, 2 bad usage.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/report.h"
#include "common/err.h"
#include "common/names.h"
#include "platforms/mapping.h"
#include "platforms/platform.h"
#include "traces/collective.h"
#include "traces/matrix.h"
#include "traces/program.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/** A row of the table of subcommands in main.c. */
struct cli_command {
  const char *name;                  /**< "map" */
  const char *help;                  /**< one line */
  int (*run)(int argc, char **argv); /**< argv[0] is "haichi map"; returns an exit code */
};

int cmd_platform(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_sim(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_list(int argc, char **argv);

/** Parses with argp, words in their order: --help on stdout, exit 2 on bad usage ("haichi CMD: ..."
 *  and a hint). */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/** A whole number in [min, max] given to option @p option; anything else is bad usage. */
uint64_t cli_number(const struct argp_state *state, const char *option, const char *text,
                    uint64_t min, uint64_t max);

/** How the traces of a command are read. */
struct cli_reading {
  struct collectives collectives;
  uint64_t unpack_limit; /**< bytes of temporary files that a trace may take */
};

struct cli_reading cli_reading_defaults(void);

/** For the `children` of a command's argp, with a struct cli_reading as input: --unpack-limit; and
 *  the same with --collective. */
extern const struct argp cli_unpack_argp, cli_reading_argp;

/** The value of --format of a report; anything else is bad usage. */
void cli_report_format(const struct argp_state *state, enum report_format *format,
                       const char *text);

/** Keeps the operand @p text in *place; a second one is bad usage. */
void cli_operand(const struct argp_state *state, const char **place, const char *text);

/** Prints "haichi: SENTENCE" on stderr; returns CLI_FAILED. */
int cli_fail(const struct err *e);

/** Opens a trace; of something that was more likely meant as a spec it names the generators. */
enum status cli_trace_read(struct trace **out, const char *path, const struct cli_reading *r,
                           struct err *e);

/** A trace opened and lowered, as most subcommands need it. */
struct cli_trace {
  struct trace *trace;
  struct program *program;
};

enum status cli_trace_open(struct cli_trace *t, const char *path, const struct cli_reading *r,
                           struct err *e);
void cli_trace_close(struct cli_trace *t);

/** Counts the traffic of a trace, collectives included: a pass over it. */
enum status cli_traffic(struct matrix *m, const char *path, const struct cli_reading *r,
                        struct err *e);

/** Is there a file or folder of this name? */
bool cli_is_file(const char *text);

/** Of "NAME" or "NAME:...", which is no file: could it be meant as a spec? */
bool cli_looks_like_spec(const char *text);

/** Writes "TEXT: no such file; unknown WHAT 'NAME', ..." and returns FAIL. */
enum status cli_unknown(names_fn *names, const char *what, const char *text, struct err *e);

/** Opens a platform file or builds a spec's with the default parameters. */
enum status cli_platform_open(struct platform **out, const char *text, struct err *e);

#endif
