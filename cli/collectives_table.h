/** @file collectives_table.h
 *  What `haichi list collectives --table` prints: all algorithms and what they send, in Markdown.
 */
#ifndef CLI_COLLECTIVES_TABLE_H
#define CLI_COLLECTIVES_TABLE_H

#include <stdio.h>

#include "common/err.h"
#include "traces/collectives/picked.h"

/** The most ranks: an all-to-all of so many has a million messages. */
#define COLLECTIVES_TABLE_RANKS 1024u

/** The calls: columns are for each number of ranks, with a number for each number of bytes. */
struct collectives_table {
  uint32_t ranks[2], bytes[2]; /**< a second one of 0: there is but one */
  uint32_t per_host;
};

/** Prints a sentence that says what the calls are, and a row for each algorithm: what tally.h
 *  counts, and the source.  How libraries choose among them is left out. */
enum status collectives_table_print(const struct collectives_table *t, FILE *f, struct err *e);

#endif
