/** @file text.h
 *  Texts for a page: formatted, and valid UTF-8 whatever went in (utf8.h).
 */
#ifndef PLOTS_REPORT_TEXT_H
#define PLOTS_REPORT_TEXT_H

#include <stddef.h>

#include "common/err.h"

/** The caller's: free(); NULL with @p e filled on failure. */
char *text_print(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** @p n words of a command, in quotes where a shell needs them, with a space between.  Ownership
 *  as above. */
char *text_command(const char *const *word, size_t n, struct err *e);

#endif
