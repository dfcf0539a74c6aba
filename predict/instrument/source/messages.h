/** @file messages.h
 *  Sentences about places in sources: compiler errors, refusals, notes.  Kept in the order in which
 *  they are added, without duplicates.
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

struct messages {
  struct err *text; /**< owned */
  size_t count, room;
};

/** Adds "FILE:LINE: SENTENCE"; lost if memory is short. */
void messages_add(struct messages *m, const char *file, uint64_t line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/** Accepts a zeroed struct. */
void messages_clear(struct messages *m);
