/** @file note.h
 *  A sentence to the reader of a report, for example on pictures that are left out, and why.
 */
#pragma once

#include "plots/report/page.h"

/** Adds the sentence to the slot "notes" of @p part. */
void note_add(struct page *p, xmlNode *part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
