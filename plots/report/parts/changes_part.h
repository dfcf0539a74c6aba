/** @file changes_part.h
 *  Section of a report that compares two campaigns: cells that got significantly better or worse.
 */
#pragma once

#include "common/err.h"
#include "plots/report/folder.h"
#include "plots/report/page.h"

/** Adds the section to the slot "main" of the page; see campaign/analysis/change.h for @p
 *  tolerance. */
enum status changes_part_add(struct page *p, const struct folder *before,
                             const struct folder *after, double tolerance, struct err *e);
