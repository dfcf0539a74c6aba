/** @file paths.h
 *  RMATT's objective under change: for each directed pair of ranks that communicate the hops of its
 *  route times the bytes on the fullest link of it, and the sum.  Each link knows the pairs whose
 *  routes use it, so that a change looks at no others.
 */
#ifndef MAPPERS_REFINE_PATHS_H
#define MAPPERS_REFINE_PATHS_H

#include "common/err.h"

struct paths;
struct swaps;

/** Of a placement whose loads are filled.  On success *out is the caller's: paths_free(). */
enum status paths_new(struct paths **out, struct swaps *s, struct err *e);

/** Accepts NULL. */
void paths_free(struct paths *p);

/** What the exchange that @p s tries changes of the sum; the links' deltas are filled. */
double paths_try(struct paths *p, struct swaps *s);

/** Takes the exchange; the loads are new already, the hosts of ranks still old. */
void paths_take(struct paths *p, struct swaps *s);

/** The sum. */
unsigned __int128 paths_value(const struct paths *p);

/** Fails if there was not enough memory for the changes so far; accepts NULL. */
enum status paths_check(const struct paths *p, struct err *e);

#endif
