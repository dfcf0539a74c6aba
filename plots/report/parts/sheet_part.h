/** @file sheet_part.h
 *  A sheet as a part of a page: its first rows as an HTML table, and all rows as JSON, from which
 *  report.js makes the download and an HTML table that can be sorted and filtered.
 */
#pragma once

#include "plots/report/page.h"
#include "plots/report/sheet.h"

struct sheet_look {
  const char *id;      /**< identifier of the element, unique in the page */
  const char *file;    /**< file name of the download */
  const char *heading; /**< UTF-8 */
  const char *note;    /**< remark for the reader in UTF-8; "": none */
};

/** Size of an identifier in bytes. */
enum { SHEET_ID_SIZE = 64 };

/** Rows shown without JavaScript, and initially with it. */
enum { SHEET_SHOWN = 25 };

/** Makes the part, which the caller adds to the page.  NULL after a failure, see page.h. */
xmlNode *sheet_part(struct page *p, const struct sheet *s, const struct sheet_look *look);

/** Like sheet_part(), but without a table: data for download only. */
xmlNode *sheet_data(struct page *p, const struct sheet *s, const char *id);

/** Makes a button that downloads sheet @p id as @p file; @p of is its description in UTF-8. */
xmlNode *sheet_button(struct page *p, const char *id, const char *file, const char *of);
