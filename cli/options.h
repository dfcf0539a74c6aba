/** @file options.h
 *  Parses the command line of a command by a table of its options (common/cli_option.h).  argp does
 *  the parsing; commands do not call it.  Bad usage ends the program with exit code 2, a message
 *  "haichi CMD: ..." and a hint.
 */
#pragma once

#include <stddef.h>

#include "common/cli_option.h"
#include "common/err.h"
#include "setup/settings.h"

/** Maximum number of options of a command, with the rows of the tables that it includes. */
enum { OPTIONS_MOST = 64 };

/** Maximum number of ranks in an option. */
#define OPTIONS_RANKS SETTINGS_MOST_RANKS

/** --format, for a const struct report_format *.  Tables of settings are in setup/settings.h. */
extern const struct cli_option report_options[];

/** Refuses a setting that differs from its default unless @p allowed names it; NULL ends the list.
 *  For a command that has @p what, as "--matrix", in place of a trace. */
enum status options_without_trace(const struct settings *s, const char *const *allowed,
                                  const char *what, struct err *e);

/** The settings that a mapping for a matrix depends on; NULL ends the list. */
extern const char *const options_of_matrix[];

/** The words of the command line that are operands; the texts are not owned. */
struct option_words {
  const char **word; /**< freed by the owner of the struct */
  size_t count, room;
};

struct usage {
  const char *operands; /**< "MAPPER", "[DIR]", "DIR...", or several lines; NULL: no operands */
  const char *doc;      /**< help of the command; a part after \v follows the options */
  const struct cli_option *options;
  /** Called for each operand.  If NULL, the row OPTION_OPERAND stores the operands; without such a
   *  row, operands are refused. */
  enum status (*operand)(void *record, char *word, struct err *e);
  /** Called after parsing to check the struct; NULL: no check. */
  enum status (*check)(void *record, struct err *e);
};

/** Parses @p argv into @p record, in the order of the words.  --help, -h and --usage print on
 *  stdout and exit. */
void options_parse(const struct usage *u, int argc, char **argv, void *record);

struct timeline_format;

/** Sets *format (--timeline-format) by the extension of @p file (--timeline) if only the file is
 *  given. */
enum status options_timeline(const char *file, const struct timeline_format **format,
                             struct err *e);
