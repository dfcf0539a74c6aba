/** @file tuned.h
 *  A selection: which algorithm a collective uses, by ranks and bytes, as a file says that `haichi
 *  tune-collectives` has written.  Not the selectors of MPI libraries, which are code.
 *
 *  The file has tab-separated columns with a header, "collective ranks from_bytes algorithm", and a
 *  row for each size from which on another algorithm is used, in the order of collectives, ranks
 *  and bytes.  Of the numbers of ranks in it the nearest one at or below that of the call counts;
 *  what has no row there uses SMPI's default.
 */
#ifndef TRACES_COLLECTIVES_TUNED_H
#define TRACES_COLLECTIVES_TUNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "traces/action.h"

struct tuned_row {
  uint64_t from_bytes; /**< 0 in the first row of a collective and a number of ranks */
  uint32_t ranks;
  uint8_t collective; /**< its kind less ACTION_BARRIER */
  uint8_t algorithm;  /**< see collective_algorithm() */
};

/** The most rows of a selection. */
enum { TUNED_MOST = 1024 };

/** A value; zeroed: nothing is selected. */
struct tuned {
  uint32_t rows;
  struct tuned_row row[TUNED_MOST];
};

/** Reads the file @p path.  Refuses rows out of order, and names that `haichi list collectives`
 *  does not know.  @p out stays as it is on failure. */
enum status tuned_load(struct tuned *out, const char *path, struct err *e);

/** Appends a row; fails if it is out of order or one too many. */
enum status tuned_add(struct tuned *s, const struct tuned_row *row, struct err *e);

/** Writes the header and all rows. */
void tuned_print(const struct tuned *s, FILE *f);

/** Number of the algorithm of @p kind on @p ranks ranks with @p bytes; SIZE_MAX: none is
 *  selected. */
size_t tuned_find(const struct tuned *s, enum action_kind kind, uint32_t ranks, uint64_t bytes);

/** Do all ranks of a call know the bytes that a selection of @p kind asks for?  Where they do not,
 *  as in gatherv, it has one row for a number of ranks. */
bool tuned_by_bytes(enum action_kind kind);

#endif
