/** @file merged.h
 *  Splits a merged file, in which each line begins with its rank, into one stream for each rank.
 *  Drops blank lines and comments, except `# haichi:` lines (comment.h), which go to the rank of
 *  the next line.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/files/lines.h"
#include "traces/files/spool.h"

/** Splits @p in into streams *first .. *first + *ranks - 1 of @p s, which are flushed.  Their lines
 *  are "NUMBER LINE", see source_numbered().  Fails if a rank below *ranks has no line. */
enum status merged_split(const struct lines_input *in, struct spool *s, uint32_t *first,
                         uint32_t *ranks, struct err *e);
