/** @file utf8.h
 *  Checks and repairs strings that may be invalid UTF-8, such as file names.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/err.h"

/** Bytes of the byte order mark with which a text may begin. */
enum { UTF8_MARK = 3 };

static inline bool utf8_has_mark(const char *text, size_t length)
{
  return length >= UTF8_MARK && memcmp(text, "\xef\xbb\xbf", UTF8_MARK) == 0;
}

/** Bytes of the character at @p text (not NUL); 0 if it is not valid UTF-8 (RFC 3629). */
size_t utf8_bytes(const char *text);

/** Copies @p text.  Invalid bytes, control characters, and the two code points that XML excludes
 *  (U+FFFE, U+FFFF) become '?'.  The caller frees the copy.  NULL with @p e filled on failure. */
char *utf8_clean(const char *text, struct err *e);
