/** @file text.h
 *  Texts for a page: formatted, and always valid UTF-8 (utf8.h).
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

/** Formats a text.  The caller frees it with free(); NULL with @p e filled on failure. */
char *text_print(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Makes a command of @p n words, separated by spaces and quoted where a shell needs it.  The
 *  caller frees it with free(). */
char *text_command(const char *const *word, size_t n, struct err *e);
