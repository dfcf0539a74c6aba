/** @file note.h
 *  A sentence to the reader of a report, for example on pictures that are left out, and why.
 */
#ifndef PLOTS_REPORT_PARTS_NOTE_H
#define PLOTS_REPORT_PARTS_NOTE_H

#include "plots/report/page.h"

/** Adds the sentence to the slot "notes" of @p part. */
void note_add(struct page *p, xmlNode *part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
