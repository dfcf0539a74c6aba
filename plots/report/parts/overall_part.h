/** @file overall_part.h
 *  The ranking of the mappers over all campaigns of a report.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "plots/report/folder.h"
#include "plots/report/page.h"

/** Adds a table "overall" to the slot of that name of the page if the folders have several
 *  platforms.  Of folders on the same platform only the last one counts.  *added becomes true if it
 *  added the table. */
enum status overall_part_add(struct page *p, const struct folder *f, size_t folders, bool *added,
                             struct err *e);
