/** @file cli_option.h
 *  The options of a command as a table: each row has the name of an option, its value, and the
 *  field of a struct, the record, that it sets.  The functions parse a value, and print a record as
 *  options or as a key; cli/options.h parses command lines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/num.h"
#include "common/registry.h"

enum option_kind {
  OPTION_TEXT,     /**< const char *: the value, unchanged */
  OPTION_FLAG,     /**< bool: true if the option is given; the option has no value */
  OPTION_U32,      /**< uint32_t in [min, max] */
  OPTION_U64,      /**< uint64_t in [min, max] */
  OPTION_SIZE,     /**< uint64_t in bytes, given with a unit; larger values become UINT64_MAX */
  OPTION_DOUBLE,   /**< double in [least, most] */
  OPTION_SHARE,    /**< double in [0, most], as 1% or 0.01 */
  OPTION_QUANTITY, /**< double with a unit of kind `unit`; must be above 0 if `least` is above 0 */
  OPTION_ROW,      /**< const void *: the row of `rows` that the value names */
  OPTION_PARSE,    /**< parse() takes the value */
  OPTION_HINT,     /**< refused; `help` says which option to use; not listed by --help */
  OPTION_TABLE,    /**< not an option: all rows of `table`, with the record at offset `at` */
  OPTION_OPERAND   /**< not an option: the field that stores the operand, a const char *, or the
                        operands, a struct option_words if usage.operands has "...".  If
                        usage.operands is one line, a missing operand is refused with the remark
                        `help`, unless usage.operands has it in brackets */
};

/** When an option is part of a key, the text that identifies a result by its settings. */
enum option_key {
  OPTION_KEY_CHANGED,  /**< if its value is not the default */
  OPTION_KEY_ALWAYS,   /**< always */
  OPTION_KEY_PLATFORM, /**< as CHANGED, unless the name of the platform has the value */
  OPTION_KEY_NEVER     /**< never: the option changes no result */
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
  bool bare; /**< a quantity may lack its unit, and is then in the base unit */
  /** @p field is the member at offset `at`, or the whole struct if `at` is 0.  The caller puts the
   *  name of the option in front of the error. */
  enum status (*parse)(void *field, char *text, struct err *e);
  /** True if a value that parse() refuses is bad input, such as a bad file; NULL or false: bad
   *  usage. */
  bool (*is_input)(const char *text);
  const struct cli_option *table;
  const struct registry *rows;
  bool several;         /**< each use adds a value; false: a second use is refused */
  bool required;        /**< a command without the option is refused */
  const char *needs;    /**< names of options, separated by blanks: refused if none is given */
  const char *excludes; /**< names of options: refused if one of them is given, too */
  bool writes; /**< the value names a file to write.  A file that another value or an operand
                    names is refused, unless that option writes, too */

  /* For printing. */

  enum option_key key;
  /** Of OPTION_PARSE: prints value @p i, from 0.  Returns false if there is no such value, or if it
   *  is the default.  @p field is as for parse(). */
  bool (*print)(const void *field, size_t i, FILE *f);
  /** Prints further words of a key after value @p i, each with a space before it: checksums of
   *  files, versions of libraries.  @p record is the struct of the table.  NULL: none. */
  enum status (*more)(const void *record, size_t i, FILE *f, struct err *e);
};

/** Sets the field of an option from @p text, the value on the command line; NULL for a flag.  The
 *  record may point to @p text afterwards, and parse() may modify @p text. */
enum status cli_option_parse(const struct cli_option *row, void *record, char *text, struct err *e);

/** How an option and its value are written. */
struct cli_option_style {
  const char *before, *between, *after; /**< texts around the name and around the value */
  bool command;  /**< values are words of a shell command.  false: values of OPTION_KEY_ALWAYS are
                      printed even if they are the defaults, and `more` words follow */
  unsigned keys; /**< bit k: print the options with `key` k */
};

/** - cli_option_command: " --NAME VALUE" for each value that is not the default
 *  - cli_option_key: " NAME=VALUE" for each word of a key, without OPTION_KEY_PLATFORM
 *  - cli_option_whole_key: with OPTION_KEY_PLATFORM
 *  - cli_option_rest: lines "NAME VALUE", of OPTION_KEY_NEVER */
extern const struct cli_option_style cli_option_command, cli_option_key, cli_option_whole_key,
    cli_option_rest;

/** Prints the options of @p record, the struct of @p table, in the order of the table, without the
 *  space before the first.  @p usual has the defaults.  A number below its minimum was not given,
 *  and is printed as "-".  NULL on failure.  The caller frees the text. */
char *cli_option_text(const struct cli_option_style *style, const struct cli_option *table,
                      const void *record, const void *usual, struct err *e);

/** Makes a text of value @p i, from 0, of the row @p row of a table of @p record.  The caller frees
 *  *out, which is NULL if there is no such value. */
enum status cli_option_value(char **out, const struct cli_option *row, const void *record, size_t i,
                             struct err *e);

/** True if the record has another value than @p usual.  Always true for OPTION_PARSE, whose
 *  print() prints nothing for the default. */
bool cli_option_differs(const struct cli_option *row, const void *record, const void *usual);

/** Calls @p visit for each option of @p table, and of the tables in it, until a call fails.
 *  @p base is the offset of the record of @p table; rows of a table in it get the offset of their
 *  own record. */
typedef enum status cli_option_visit(const struct cli_option *row, size_t base, void *state,
                                     struct err *e);
enum status cli_option_each(const struct cli_option *table, size_t base, cli_option_visit *visit,
                            void *state, struct err *e);

/** The option whose name is the first @p n bytes of @p name, also in the tables of a table; NULL if
 *  there is none. */
const struct cli_option *cli_option_find(const struct cli_option *table, const char *name,
                                         size_t n);

/** Prints @p text as a word of a shell command, quoted if necessary. */
void cli_option_quote(FILE *f, const char *text);
