/** @file paths.h
 *  RMATT's objective, updated incrementally: the sum, over directed pairs of ranks that
 *  communicate, of the hops of the route times the bytes on its most loaded link.  Each link lists
 *  the pairs with routes over it, so that an exchange looks only at the pairs that it may change.
 */
#pragma once

#include "common/err.h"

struct paths;
struct swaps;

/** For the placement of @p s, whose loads must be filled.  Allocates from the arena of @p s.  The
 *  caller calls paths_free() before that arena is cleared, also after a failure, which may set
 *  *out.
 */
enum status paths_new(struct paths **out, struct swaps *s, struct err *e);

/** Frees the lists of the links.  Accepts NULL. */
void paths_free(struct paths *p);

/** Returns the change of the sum by the exchange that @p s tries.  Call it when the deltas of the
 *  links are set. */
double paths_try(struct paths *p, struct swaps *s);

/** Makes the exchange of the last paths_try().  Call it when @p s has updated its loads, but not
 *  yet the hosts of ranks. */
void paths_take(struct paths *p, struct swaps *s);

/** The sum. */
unsigned __int128 paths_value(const struct paths *p);

/** Fails if memory was short in any change so far; accepts NULL. */
enum status paths_check(const struct paths *p, struct err *e);
