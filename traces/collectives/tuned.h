/** @file tuned.h
 *  A selection of algorithms by collective, ranks and bytes, from a file written by `haichi
 *  tune-collectives`.
 *
 *  The file has tab-separated columns with the header "collective ranks from_bytes algorithm",
 *  sorted by collective, ranks and bytes.  A row gives the algorithm for from_bytes or more, below
 *  from_bytes of the next row.  A call uses the rows with the largest number of ranks that does not
 *  exceed its own; a collective without rows uses SMPI's default.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "traces/action.h"

struct tuned_row {
  uint64_t from_bytes; /**< 0 in the first row of each collective and number of ranks */
  uint32_t ranks;
  uint16_t collective; /**< action kind minus ACTION_BARRIER */
  uint16_t algorithm;  /**< see collective_algorithm() */
};

/** Maximum number of rows. */
enum { TUNED_MOST = 1024 };

/** Empty if zeroed.  May be copied. */
struct tuned {
  uint32_t rows;
  struct tuned_row row[TUNED_MOST];
};

/** Reads the file @p path.  Fails for rows out of order, and for names unknown to `haichi list
 *  collectives`.  @p out is unchanged on failure. */
enum status tuned_load(struct tuned *out, const char *path, struct err *e);

/** Appends a row; fails if it is out of order or exceeds TUNED_MOST. */
enum status tuned_add(struct tuned *s, const struct tuned_row *row, struct err *e);

/** Writes the header and all rows. */
void tuned_print(const struct tuned *s, FILE *f);

/** Number of the algorithm of @p kind for @p ranks ranks and @p bytes bytes; SIZE_MAX: none. */
size_t tuned_find(const struct tuned *s, enum action_kind kind, uint32_t ranks, uint64_t bytes);

/** True if the selection for @p kind may depend on bytes, because all ranks of a call know them.
 *  Other collectives, such as gatherv, have one row for each number of ranks. */
bool tuned_by_bytes(enum action_kind kind);
