/** @file options.h
 *  The options of a command as a table: each row says what an option is called, what its value is,
 *  and which field of the command's struct it sets.  argp parses; this is all that the commands
 *  know of it.  Exit 2 on bad usage, with "haichi CMD: ..." and a hint.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"

enum option_kind {
  OPTION_TEXT,   /**< const char *: the value as it is */
  OPTION_FLAG,   /**< bool: set; the option has no value */
  OPTION_U32,    /**< uint32_t in [min, max] */
  OPTION_U64,    /**< uint64_t in [min, max] */
  OPTION_DOUBLE, /**< double in [least, most] */
  OPTION_ROW,    /**< const void *: the row of `rows` that the value names */
  OPTION_PARSE,  /**< what parse() makes of the value */
  OPTION_HINT,   /**< none: refused, and `help` says what to give instead; not in --help */
  OPTION_TABLE   /**< no option: all rows of `table`, for the struct at `at` */
};

/** A table ends with a row without kind and name.  Of rows with one name the first counts: a
 * command can have its own in place of that of a table that it shares. */
struct cli_option {
  const char *name;
  char letter;       /**< the short option, or 0 */
  const char *value; /**< "FILE"; NULL for a flag */
  const char *help;  /**< may have a %s: the names of @p rows, "a, b or c" */
  enum option_kind kind;
  size_t at; /**< of the field in its struct */
  uint64_t min, max;
  double least, most;
  /** @p record is the struct, not the field.  The error needs no name of the option. */
  enum status (*parse)(void *record, char *text, struct err *e);
  const struct cli_option *table;
  const struct registry *rows;
  bool several; /**< each use adds a value; false: a second use is refused */
};

/** The most options of a command, those of its tables among them. */
enum { OPTIONS_MOST = 64 };

/** The most ranks that an option may name. */
#define OPTIONS_RANKS (1u << 20)

/** Tables that several commands have: --format of a report, for a const struct report_format *;
 *  --unpack-limit, and the same with how collectives are lowered, for a struct reading; how a run
 * is simulated, without and with how its trace is read, for a struct settings. */
extern const struct cli_option report_options[], unpack_options[], reading_options[],
    simulation_options[], settings_options[];

struct usage {
  const char *operands; /**< "MAPPER", or several lines; NULL: none */
  const char *doc;      /**< what the command does; after a \v, what follows the options */
  const struct cli_option *options;
  /** Takes an operand; NULL: there are none. */
  enum status (*operand)(void *record, char *word, struct err *e);
  /** Checks the whole; NULL: all is well. */
  enum status (*check)(void *record, struct err *e);
};

/** Parses @p argv into @p record, words in their order; --help, -h and --usage on stdout. */
void options_parse(const struct usage *u, int argc, char **argv, void *record);

/** Keeps @p word in *place; a second one is an error. */
enum status options_operand(const char **place, const char *word, struct err *e);

struct timeline_format;

/** Checks --timeline and --timeline-format, either of which may be NULL; a format that is not given
 *  is that of the file's ending. */
enum status options_timeline(const char *file, const struct timeline_format **format,
                             struct err *e);

#endif
