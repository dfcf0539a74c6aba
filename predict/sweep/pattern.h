/** @file pattern.h
 *  A trace's name that stands for several: "npb:cg.A.{1,2,4..8}".
 */
#ifndef PREDICT_SWEEP_PATTERN_H
#define PREDICT_SWEEP_PATTERN_H

#include <stddef.h>

#include "common/err.h"

/** Most names that one stands for. */
enum { PATTERN_MOST = 4096 };

/** The names, each with a number of the braces in their place; the text itself if there are no
 *  braces.  On success *out and its names are the caller's: pattern_free(). */
enum status pattern_expand(const char *text, char ***out, size_t *count, struct err *e);

/** Accepts NULL. */
void pattern_free(char **names, size_t count);

#endif
