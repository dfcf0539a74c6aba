/** @file campaign_page.h
 *  The report of campaigns: one HTML page that needs no other file and no network.  Its markup is
 *  scripts/report.html, its style report.css and its behaviour report.js, in the same folder.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

struct campaign_page {
  const char *const *folder; /**< folders of finished campaigns; the oldest first */
  size_t folders;
  const char *title;       /**< NULL: a title is generated */
  const char *baseline;    /**< mapper of the speedups; NULL: xyz, or the first mapper if xyz is
                                missing */
  uint32_t most_traces;    /**< upper limit of traces of a campaign that get pictures */
  double tolerance;        /**< relative changes up to this are no changes (change_find()) */
  const char *no_pictures; /**< a sentence why the page has no pictures; NULL: gnuplot draws them */
};

/** Writes the page; the same folders give the same bytes.  The page also compares each folder with
 *  the last earlier one on the same platforms.  If there are only two folders, of one kind, they
 *  are compared whatever their platforms. */
enum status campaign_page_write(const struct campaign_page *c, FILE *f, struct err *e);
