/** @file names.h
 *  Look-up by name in a table of a user's choices, and the message about an unknown name, with
 *  the nearest name and the list of all.
 */
#ifndef COMMON_NAMES_H
#define COMMON_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

/** The name of row @p i of a table; NULL past the last. */
typedef const char *names_fn(size_t i);

/** Finds the row whose name is the first @p n bytes of @p name; false if none is.  O(rows). */
bool names_find(names_fn *at, const char *name, size_t n, size_t *row);

/** Finds the row of the whole @p name, or fails with "unknown WHAT 'NAME', perhaps 'NEAREST'; there
 *  are: ...". */
enum status names_get(names_fn *at, const char *what, const char *name, size_t *row, struct err *e);

/** Writes that message about the first @p n bytes of @p name, and returns FAIL. */
enum status names_unknown(names_fn *at, const char *what, const char *name, size_t n,
                          struct err *e);

/** The name with the fewest letters left out, added, changed or swapped against the first @p n
 *  bytes of @p name; NULL if more than a third of the letters differ, or beyond 32 bytes. */
const char *names_nearest(names_fn *at, const char *name, size_t n);

#endif
