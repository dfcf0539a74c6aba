/** @file overall_part.h
 *  The ranking of the mappers over all campaigns of a report.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "plots/report/folder.h"
#include "plots/report/page.h"

/** Adds the ranking to the slot "overall" of the page if the folders have several platforms.  Of
 *  folders on the same platforms only the last one counts.  *added: true if there is a
 *  ranking. */
enum status overall_part_add(struct page *p, const struct folder *f, size_t folders, bool *added,
                             struct err *e);
