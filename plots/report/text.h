/** @file text.h
 *  Texts for a page: formatted, and always valid UTF-8 (utf8.h).
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

/** Formats a text.  The caller frees it with free(); NULL with @p e filled on failure. */
char *text_print(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Joins @p n words to a shell command, with quotes where needed.  The caller frees it with free();
 *  NULL with @p e filled on failure. */
char *text_command(const char *const *word, size_t n, struct err *e);
