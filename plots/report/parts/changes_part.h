/** @file changes_part.h
 *  Two campaigns compared as a section of a report: cells that got better or worse, beyond noise.
 */
#pragma once

#include "common/err.h"
#include "plots/report/folder.h"
#include "plots/report/page.h"

/** Adds the section to the slot "main" of the page; see campaign/analysis/change.h for @p
 *  tolerance. */
enum status changes_part_add(struct page *p, const struct folder *before,
                             const struct folder *after, double tolerance, struct err *e);
