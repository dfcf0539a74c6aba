/** @file pictures.h
 *  The pictures of a campaign in its report: speedups, metrics against time, and for each trace its
 *  traffic and the loads of links, where the folder has them; timelines in it (*.csv).
 */
#ifndef PLOTS_REPORT_PICTURES_H
#define PLOTS_REPORT_PICTURES_H

#include <stdint.h>

#include "common/err.h"
#include "plots/report/folder.h"
#include "plots/report/page.h"

struct pictures {
  struct page *page;
  xmlNode *part; /**< of the folder; it has the slots "pictures", "notes" and "tables" */
  const struct folder *folder;
  const char *baseline; /**< mapper of the speedups; NULL: xyz, else the first */
  uint32_t most_traces; /**< traces with pictures of their own; timelines as well */
};

/** Adds them all. */
enum status pictures_add(const struct pictures *p, struct err *e);

#endif
