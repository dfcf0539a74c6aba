/** @file paths.h
 *  RMATT's objective, updated incrementally: the sum, over directed pairs of ranks that
 *  communicate, of the hops of the route times the bytes on its most loaded link.  Each link lists
 *  the pairs with routes over it, so that a change reads no other pairs.
 */
#ifndef MAPPERS_REFINE_PATHS_H
#define MAPPERS_REFINE_PATHS_H

#include "common/err.h"

struct paths;
struct swaps;

/** For the placement of @p s; its loads must be filled.  Allocates from the arena of @p s.  The
 *  caller calls paths_free() before that arena is cleared, also if *out is set by a failed call.
 */
enum status paths_new(struct paths **out, struct swaps *s, struct err *e);

/** Frees the lists of the links.  Accepts NULL. */
void paths_free(struct paths *p);

/** Returns the change of the sum by the exchange that @p s tries.  The deltas of the links must be
 *  filled. */
double paths_try(struct paths *p, struct swaps *s);

/** Applies the exchange.  The loads in @p s must be updated, the hosts of ranks must not be. */
void paths_take(struct paths *p, struct swaps *s);

/** The sum. */
unsigned __int128 paths_value(const struct paths *p);

/** Fails if memory was short in any change so far; accepts NULL. */
enum status paths_check(const struct paths *p, struct err *e);

#endif
