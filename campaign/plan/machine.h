/** @file machine.h
 *  The machines of a campaign: every combination of a platform with values of the swept options.
 *  Each input is run on each machine.  The tables of a campaign on one machine have no columns for
 *  the machine.  With several machines, they have a column for the platform and one for each option
 *  with several values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "setup/checksum.h"
#include "setup/settings.h"

struct table;

/** Words of the command line from which a plan is made, such as its traces.  The owner frees the
 *  array; the texts are borrowed. */
struct plan_words {
  char **word;
  size_t count, room;
};

/** The options that define machines, in the order of their columns.  A single value of cores or
 *  ranks per host belongs to the settings instead. */
enum machine_option {
  MACHINE_PLATFORM,
  MACHINE_BANDWIDTH, /**< bandwidth of every link; only for topology specs */
  MACHINE_LATENCY,   /**< latency of every link; only for topology specs */
  MACHINE_CORES,     /**< cores per host, if several values are given */
  MACHINE_RANKS,     /**< ranks per host, if several values are given */
  MACHINE_OPTIONS
};

/** Upper limits of the machines of a campaign, and of the ranks per host. */
enum { MACHINE_MOST = 4096, MACHINE_MOST_RANKS = 1 << 20 };

/** Column of an option in tables: "ranks_per_host". */
const char *machine_column(enum machine_option o);

/** Name of an option on the command line and in provenance: "ranks-per-host". */
const char *machine_word(enum machine_option o);

/** The option of that name in provenance; MACHINE_OPTIONS if there is none. */
enum machine_option machine_find(const char *word);

struct machine {
  /** As given; NULL: not given.  [MACHINE_PLATFORM] is `name`. */
  const char *value[MACHINE_OPTIONS];
  char *name;                   /**< name of the platform, with the inside of the nodes and the
                                     file of host names, if any */
  char checksum[CHECKSUM_SIZE]; /**< of the platform's files; "": it has none, or is not opened */
  struct platform *on;          /**< the opened platform; NULL: not needed */
  char router[16]; /**< version of SimGrid, which computes the routes of an opaque platform;
                      "": not opaque */
  struct settings settings; /**< settings of the campaign, with the cores and ranks per host of the
                               machine */
};

/** Number of combinations of values; an option without values counts as one.  If there are more
 *  than MACHINE_MOST, returns some number above MACHINE_MOST. */
size_t machine_count(const struct plan_words value[MACHINE_OPTIONS]);

/** Writes the values of machine @p i to @p out, NULL for an option without values.  From one
 *  machine to the next, the last option varies fastest. */
void machine_choose(const char *out[MACHINE_OPTIONS],
                    const struct plan_words value[MACHINE_OPTIONS], size_t i);

/** Makes machine @p i.  Opens its platform if @p needed.  Free *m with machine_clear(), also after
 *  a failure. */
enum status machine_make(struct machine *m, const struct plan_words value[MACHINE_OPTIONS],
                         size_t i, const struct settings *settings, bool needed, struct err *e);

/** Computes the checksum of the platform's files as they are now.  Only for machines that have a
 *  checksum. */
enum status machine_checksum(const struct machine *m, char *hex, struct err *e);

/** Accepts a zeroed struct. */
void machine_clear(struct machine *m);

/** Parses a value of MACHINE_CORES or MACHINE_RANKS. */
enum status machine_number(enum machine_option o, const char *text, uint32_t *out, struct err *e);

/* Functions for readers of tables. */

/** Columns of machines in a table; TABLE_NONE: the table lacks the column. */
struct machine_columns {
  size_t at[MACHINE_OPTIONS];
};

/** Fails if a column occurs twice. */
enum status machine_columns_of(struct machine_columns *c, const struct table *t, struct err *e);

/** Name of the machine of a row from the fields of its columns, NULL for a missing column:
 *  "torus:8x8, 1GBps, 2 cores"; "" if all are missing.  The caller frees it. */
char *machine_label(const char *const field[MACHINE_OPTIONS], struct err *e);

/** machine_label() of the current row. */
char *machine_row_label(const struct table *t, const struct machine_columns *c, struct err *e);

/** Name of an input on a machine: "SUBJECT on MACHINE", or "SUBJECT" if @p machine is "". */
char *machine_subject_label(const char *subject, const char *machine, struct err *e);
