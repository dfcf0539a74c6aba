/** @file spec.h
 *  Parser and printer of specs, "NAME=VALUE,NAME=VALUE,...".  A table of typed rows describes the
 *  options of a spec: the field of the caller's record that each option sets, its range, its
 *  default and its help line.  A comma before a digit belongs to the value: "seeds=1,3..5,fast" has
 *  two options.  A spec may begin with values without a name, such as "64" in "64:size=1000": the
 *  positional options.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"

/** Type of an option, and of the field of the record that it sets. */
enum spec_type {
  SPEC_FLAG,      /**< bool: true if the option is given; the option has no value */
  SPEC_TEXT,      /**< const char *: points into struct spec or to the default */
  SPEC_REST,      /**< like SPEC_TEXT; the value is the rest of the spec, commas included */
  SPEC_INNER,     /**< like SPEC_TEXT; the value may be a spec: it ends at the first comma that
                       precedes an option of the table */
  SPEC_I64,       /**< int64_t in [least, most], as num_i64() parses it */
  SPEC_U32,       /**< uint32_t in [least, most] */
  SPEC_U64,       /**< uint64_t in [least, most] */
  SPEC_DOUBLE,    /**< double in [least, most] */
  SPEC_SHARE,     /**< double in [0, most], written as "1%" or "0.01" */
  SPEC_SPEED,     /**< double in flop/s, with a unit, at least `least` */
  SPEC_BANDWIDTH, /**< double in byte/s, with a unit, at least `least` */
  SPEC_TIME,      /**< double in s, with a unit, at least `least` */
  SPEC_LIMIT,     /**< double in s of real time, at least `least`; the unit may be omitted */
  SPEC_SIZE,      /**< uint64_t in bytes, with a unit, in [least, most] */
  SPEC_ROW,       /**< const void *: the row of `rows` that the value names */
  SPEC_LIST,      /**< struct spec_list: integers in [least, most] with `separator` between them */
  SPEC_CHOICE     /**< uint32_t or an enumeration: the index in `names` */
};

enum { SPEC_LIST_MOST = 20 };

struct spec_list {
  uint32_t count; /**< at least 1 if the option is given or has a default */
  uint32_t value[SPEC_LIST_MOST];
};

/** A row of a table of at most 63 options. */
struct spec_option {
  const char *name; /**< NULL ends the table */
  enum spec_type type;
  size_t at;                   /**< offset of the field in the record */
  const char *default_value;   /**< default value as text; "": 0, or an empty text; NULL: the option
                                    is mandatory, unless it is a flag */
  const char *help;            /**< one line */
  double least, most;          /**< range.  most 0: integers may reach the maximum of their type,
                                    sizes 2^63, doubles 1e300; SPEC_SHARE needs most > 0 */
  const struct registry *rows; /**< of SPEC_ROW */
  const char *const *names;    /**< of SPEC_CHOICE; NULL ends the list */
  const char *not_with; /**< name of an earlier option: at most one of the two may be nonzero */
  const char *needs;    /**< not NULL: name of an option of the table without which this option is
                             refused, or NAME=VALUE: refused unless option NAME, a text or a choice,
                             has this value, given or by default */
  char separator;       /**< of SPEC_LIST */
  char ends; /**< not 0: a positional option; its value ends at this character.  Positional options
                  are the first rows of the table. */
};

/** A parsed spec.  Empty if zeroed.  Free with spec_clear(). */
struct spec {
  const struct spec_option *options;
  char *text;     /**< the values that SPEC_TEXT, SPEC_REST and SPEC_INNER fields point to; owned */
  uint64_t given; /**< bit i: the spec has option i */
};

/** Parses @p text and sets all fields of @p record.  Options without a value in @p text get their
 *  default.  Refuses unknown and repeated options, missing mandatory options, values out of range,
 *  options that exclude each other, and options without the option that they need.  @p s may be
 *  NULL if the record has no texts.  On failure @p s is empty and the record undefined. */
enum status spec_parse(struct spec *s, const struct spec_option *options, const char *text,
                       void *record, struct err *e);

/** Like spec_parse(), but cuts @p text in place at the characters of @p separators: "," or a set of
 *  blanks.  The texts of the record point into @p text, which must outlive the record; @p s needs
 *  no spec_clear(). */
enum status spec_split(struct spec *s, const struct spec_option *options, char *text,
                       const char *separators, void *record, struct err *e);

/** The row of @p r that "ROW" or "ROW:OPTIONS" names, with *options set to OPTIONS or "".  A colon
 *  without options is refused.  NULL with @p e filled on failure. */
const void *spec_row(const struct registry *r, const char *text, const char **options,
                     struct err *e);

/** Accepts an empty spec. */
void spec_clear(struct spec *s);

/** True if the text of the spec has option @p name. */
bool spec_given(const struct spec *s, const char *name);

/** The row of option @p name; NULL if there is none. */
const struct spec_option *spec_find(const struct spec_option *options, const char *name);

/** Removes option @p name, which the table need not have, from the text of a spec.  Sets *value to
 *  its value, which the caller frees also after a failure, or to NULL if the option is not given.
 *  Refuses an option that is given twice. */
enum status spec_cut(const struct spec_option *options, char *text, const char *name, char **value,
                     struct err *e);

/** Prints the options as NAME=VALUE,... in the order of the table, defaults included: equal records
 *  give equal texts, which spec_parse() accepts.  Pass the table without its positional options,
 *  which would be printed with their names too.  Omits flags that are false, options whose default
 *  is "" and whose value is 0 or empty, and options that need an omitted one. */
void spec_print(const struct spec_option *options, const void *record, FILE *f);
