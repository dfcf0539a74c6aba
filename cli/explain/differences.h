/** @file differences.h
 *  Prints the times of two critical paths side by side: by cause, link and pair of ranks.
 */
#pragma once

#include <stdio.h>

#include "cli/explain/tables.h"
#include "common/err.h"

/** Prints tables "cause", "link" and "pair", each with the times in runs @p a and @p b, in s, and
 *  the difference b - a.  Rows with the largest differences are first. */
enum status differences_print(const struct tables *a, const struct tables *b, FILE *f,
                              struct err *e);
