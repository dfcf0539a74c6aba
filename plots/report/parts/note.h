/** @file note.h
 *  A note to the reader of a report, for example the reason why pictures are left out.
 */
#pragma once

#include "plots/report/page.h"

/** Adds the sentence to the slot "notes" of @p part. */
void note_add(struct page *p, xmlNode *part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
