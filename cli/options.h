/** @file options.h
 *  The options of a command as a table: each row has the name of an option, its value, and the
 *  field of the command's struct that it sets.  argp does the parsing; commands do not call it.
 *  Bad usage ends the program with exit code 2, a message "haichi CMD: ..." and a hint.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/num.h"
#include "common/registry.h"

enum option_kind {
  OPTION_TEXT,     /**< const char *: the value as it is */
  OPTION_FLAG,     /**< bool: set; the option has no value */
  OPTION_U32,      /**< uint32_t in [min, max] */
  OPTION_U64,      /**< uint64_t in [min, max] */
  OPTION_DOUBLE,   /**< double in [least, most] */
  OPTION_SHARE,    /**< double in [0, most], as 1% or 0.01 */
  OPTION_QUANTITY, /**< double with a unit of `unit`; above 0 if `least` is */
  OPTION_ROW,      /**< const void *: the row of `rows` that the value names */
  OPTION_PARSE,    /**< parse() takes the value */
  OPTION_HINT,     /**< refused; `help` says which option to use; not listed by --help */
  OPTION_TABLE,    /**< not an option: all rows of `table`, for the struct at `at` */
  OPTION_OPERAND   /**< not an option: the field that stores the operand, a const char *, or the
                        operands, a struct option_words if usage.operands has "...".  If
                        usage.operands is one line, a missing operand is refused, with the remark
                        `help`, unless the usage has it in brackets */
};

/** A table ends with a row without name and kind.  Of several rows with one name the first counts,
 *  so that a command can replace a row of a shared table. */
struct cli_option {
  const char *name;
  char letter;       /**< the short option, or 0 */
  const char *value; /**< "FILE"; NULL for a flag */
  const char *help;  /**< a %s is replaced by the names of `rows`, "a, b or c" */
  enum option_kind kind;
  size_t at; /**< offset of the field in its struct */
  uint64_t min, max;
  double least, most;
  enum num_unit unit;
  bool bare; /**< a quantity without a unit is in the base unit */
  /** @p field is the member at offset `at`, or the whole struct if `at` is 0.  The caller puts the
   *  name of the option in front of the error. */
  enum status (*parse)(void *field, char *text, struct err *e);
  const struct cli_option *table;
  const struct registry *rows;
  bool several;  /**< each use adds a value; false: a second use is refused */
  bool required; /**< a command without the option is refused */
};

/** Maximum number of options of a command, rows of its tables included. */
enum { OPTIONS_MOST = 64 };

/** Maximum number of ranks in an option. */
#define OPTIONS_RANKS (1u << 20)

/** Tables shared by commands, and the type of the field that they set:
 *  - report_options: --format, a const struct report_format *
 *  - unpack_options: reading of traces, a struct reading
 *  - reading_options: unpack_options and the algorithms of collectives, a struct reading
 *  - simulation_options: the simulation, a struct settings
 *  - settings_options: simulation_options and reading_options, a struct settings */
extern const struct cli_option report_options[], unpack_options[], reading_options[],
    simulation_options[], settings_options[];

/** For a struct matrix_reading: --matrix-format and --matrix-unit. */
extern const struct cli_option matrix_options[];

struct matrix_reading;

/** Refuses --matrix-format and --matrix-unit without --matrix: if @p matrix is NULL. */
enum status options_matrix(const char *matrix, const struct matrix_reading *r, struct err *e);

/** Parses a load (sim/load/load.h) and adds it to @p specs, a struct load_specs. */
enum status options_parse_load(void *specs, char *text, struct err *e);

/** The words of the command line that are operands; the texts are not owned. */
struct option_words {
  const char **word; /**< freed by the owner of the struct */
  size_t count, room;
};

struct usage {
  const char *operands; /**< "MAPPER", "[DIR]", "DIR...", or several lines; NULL: no operands */
  const char *doc;      /**< help of the command; a part after \v follows the options */
  const struct cli_option *options;
  /** Called for each operand; NULL: a row OPTION_OPERAND stores them, or they are refused. */
  enum status (*operand)(void *record, char *word, struct err *e);
  /** Called after parsing to check the struct; NULL: no check. */
  enum status (*check)(void *record, struct err *e);
};

/** Parses @p argv into @p record, in the order of the words.  --help, -h and --usage print on
 *  stdout and exit. */
void options_parse(const struct usage *u, int argc, char **argv, void *record);

struct timeline_format;

/** Checks --timeline (@p file) and --timeline-format (*format), each NULL if not given.  Sets
 *  *format by the extension of @p file if it is NULL. */
enum status options_timeline(const char *file, const struct timeline_format **format,
                             struct err *e);
