/** @file names.h
 *  Look-up by name in a table of what a user may choose, and the sentence about a name that is not
 *  in it: the nearest one, and all.
 */
#ifndef COMMON_NAMES_H
#define COMMON_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

/** The name of row @p i of a table; NULL past the last. */
typedef const char *names_fn(size_t i);

/** The row whose name is the first @p n bytes of @p name; false if there is none.  O(rows). */
bool names_find(names_fn *at, const char *name, size_t n, size_t *row);

/** The row of the whole @p name; else "unknown WHAT 'NAME', perhaps 'NEAREST'; there are: ...". */
enum status names_get(names_fn *at, const char *what, const char *name, size_t *row, struct err *e);

/** Writes that sentence, about the first @p n bytes of @p name, and returns FAIL. */
enum status names_unknown(names_fn *at, const char *what, const char *name, size_t n,
                          struct err *e);

/** The name that differs least from the first @p n bytes of @p name, by letters left out, added,
 *  changed or swapped: at most one in three; NULL if there is none. */
const char *names_nearest(names_fn *at, const char *name, size_t n);

#endif
