/** @file sheet_part.h
 *  A sheet as a part of a page: its first rows as an HTML table, and all of it as JSON, from which
 *  report.js makes pages of rows that sort and filter, and the download.
 */
#ifndef PLOTS_REPORT_SHEET_PART_H
#define PLOTS_REPORT_SHEET_PART_H

#include "plots/report/page.h"
#include "plots/report/sheet.h"

struct sheet_look {
  const char *id;      /**< of the element: unique in the page */
  const char *file;    /**< the name of the download */
  const char *heading; /**< UTF-8, as the others */
  const char *note;    /**< what the reader should know; "": nothing */
};

/** Bytes of an identifier. */
enum { SHEET_ID_SIZE = 64 };

/** Rows that are shown without JavaScript, and at first with it. */
enum { SHEET_SHOWN = 25 };

/** The caller adds it to the page; NULL after a failure, which the page keeps. */
xmlNode *sheet_part(struct page *p, const struct sheet *s, const struct sheet_look *look);

/** The same without a table: data that can be downloaded only. */
xmlNode *sheet_data(struct page *p, const struct sheet *s, const char *id);

/** A button that downloads sheet @p id as @p file; @p of, UTF-8, says what it is. */
xmlNode *sheet_button(struct page *p, const char *id, const char *file, const char *of);

#endif
