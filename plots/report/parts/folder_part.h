/** @file folder_part.h
 *  Section of a report on one campaign: provenance, ranking, pictures, tables.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "plots/report/folder.h"
#include "plots/report/page.h"

/** Adds the section to the slot "main" of the page; see pictures.h for @p baseline and
 *  @p most_traces. */
enum status folder_part_add(struct page *p, const struct folder *f, const char *baseline,
                            uint32_t most_traces, struct err *e);
