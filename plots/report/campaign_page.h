/** @file campaign_page.h
 *  The report of campaigns: one HTML page that needs no other file and no network.  Its markup is
 *  scripts/report.html, its style report.css and its behaviour report.js, beside it.
 */
#ifndef PLOTS_REPORT_CAMPAIGN_PAGE_H
#define PLOTS_REPORT_CAMPAIGN_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

struct campaign_page {
  const char *const *folder; /**< of finished campaigns; the oldest first */
  size_t folders;
  const char *title;    /**< NULL: one is made */
  const char *baseline; /**< mapper of the speedups; NULL: xyz, or the first mapper without xyz */
  uint32_t most_traces; /**< traces of a campaign with pictures of their own */
  double tolerance;     /**< smaller changes, as a share, count as none */
  const char *no_pictures; /**< why the page has none, a sentence; NULL: gnuplot draws them */
};

/** Writes the page; the same folders give the same bytes.  Two folders are compared; of more, each
 *  is compared with the last one before it that has the same platform. */
enum status campaign_page_write(const struct campaign_page *c, FILE *f, struct err *e);

#endif
