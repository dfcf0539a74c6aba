/** @file differences.h
 *  Prints the times of two critical paths side by side: by cause, link and pair of ranks.
 */
#pragma once

#include <stdio.h>

#include "cli/explain/tables.h"
#include "common/err.h"

/** Tables "cause", "link" and "pair", each with the times in both runs, @p a and @p b, and b - a;
 * the largest differences first. */
enum status differences_print(const struct tables *a, const struct tables *b, FILE *f,
                              struct err *e);
