/** @file pattern.h
 *  A trace name that stands for several names: "npb:cg.A.{1,2,4..8}".
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

/** Upper limit of the names of a pattern. */
enum { PATTERN_MOST = 4096 };

/** Makes one name for each number in the braces; without braces, a copy of @p text.  The caller
 *  frees *out and its names with pattern_free(). */
enum status pattern_expand(const char *text, char ***out, size_t *count, struct err *e);

/** Accepts NULL. */
void pattern_free(char **names, size_t count);
