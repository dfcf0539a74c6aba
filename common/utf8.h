/** @file utf8.h
 *  UTF-8 that may be damaged, as names of files can be: what of it can be shown.
 */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

#include <stddef.h>

#include "common/err.h"

/** Bytes of the character at @p text (not NUL); 0 if there is none that is valid (RFC 3629). */
size_t utf8_bytes(const char *text);

/** A copy of @p text, which the caller frees: bytes that are no UTF-8, control characters, and the
 *  two that XML does not have (U+FFFE, U+FFFF) are '?'.  NULL with @p e filled on failure. */
char *utf8_clean(const char *text, struct err *e);

#endif
