/** @file collectives_table.h
 *  The Markdown table of `haichi list collectives --table`: all algorithms and the messages that
 *  they send.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "traces/collectives/picked.h"

/** Maximum number of ranks: an all-to-all of 1024 ranks has a million messages. */
#define COLLECTIVES_TABLE_RANKS 1024u

/** The calls: each number of ranks has columns, with a value for each number of bytes. */
struct collectives_table {
  uint32_t ranks[2], bytes[2]; /**< second entry 0: only the first one counts */
  uint32_t per_host;
};

/** Prints a sentence that describes the calls, and a row for each algorithm with the counts of
 *  tally.h and the source.  Selectors of libraries are left out. */
enum status collectives_table_print(const struct collectives_table *t, FILE *f, struct err *e);
