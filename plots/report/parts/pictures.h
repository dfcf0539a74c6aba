/** @file pictures.h
 *  The pictures of a campaign in its report: speedups, metrics against time, and for each trace its
 *  traffic and link loads if the folder has them; also timelines (*.csv) and curves of latency
 *  (*.tsv) in the folder.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "plots/report/folder.h"
#include "plots/report/page.h"

struct pictures {
  struct page *page;
  xmlNode *part; /**< section of the folder, with the slots "pictures", "notes" and "tables" */
  const struct folder *folder;
  const char *baseline; /**< mapper of the speedups; NULL: xyz, or the first mapper if xyz is
                             missing */
  uint32_t most_traces; /**< maximum number of traces with pictures, of timelines and of curves */
};

/** Adds all pictures. */
enum status pictures_add(const struct pictures *p, struct err *e);
